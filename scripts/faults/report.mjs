// One row per case: the number of runs, and the counts that must be zero.
import { EVENTS } from './job.mjs';
import { sum } from './tally.mjs';

/** @typedef {{ name: string, peer: string, binding: string, tally: import('./tally.mjs').Tally, seconds: number }} Row */

const HEAD = ['case', 'peer', 'binding', 'runs', 'events', 'reconnects', 'lost', 'doubled', 'out of order', 'wrong final', 'seconds'];
const WIDTHS = [48, 14, 9, 7, 9, 12, 7, 9, 14, 13, 9];

export function printHead() {
  console.log(toLine(HEAD));
}

/** @param {Row} row */
export function printRow({ name, peer, binding, tally, seconds }) {
  const { runs, events, reconnects, lost, doubled, outOfOrder, wrongFinal } = tally;
  const counts = [runs, events, reconnects, lost, doubled, outOfOrder, wrongFinal].map(String);
  console.log(toLine([name, peer, binding, ...counts, seconds.toFixed(1)]));
}

/**
 * Prints the total and the first few faulty runs of each case.
 * @param {readonly Row[]} rows
 * @returns {boolean} whether there was no fault
 */
export function printSum(rows) {
  for (const { name, peer, binding, tally } of rows) {
    for (const { at, notes } of tally.examples) console.error(`\n✗ ${name}, ${peer}, ${binding}, ${at}\n${notes.join('\n')}`);
    if (tally.faulty > tally.examples.length) console.error(`\n  … and ${tally.faulty - tally.examples.length} more`);
  }
  const { runs, faulty } = sum(rows.map(({ tally }) => tally));
  const verdict =
    faulty === 0 ? 'Every run delivered every event once, in order' : `${faulty} runs did NOT deliver every event once, in order`;
  console.log(`\n${verdict}: ${runs} runs of ${EVENTS} events`);
  return faulty === 0 && runs > 0;
}

/** @param {readonly string[]} cells */
function toLine(cells) {
  return cells.map((cell, index) => (index < 3 ? cell.padEnd(WIDTHS[index] ?? 0) : cell.padStart(WIDTHS[index] ?? 0))).join('');
}
