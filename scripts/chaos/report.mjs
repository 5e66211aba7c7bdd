// Prints the facts as a table with one column for each bus, then the counts of violations, which must all be zero.
import { factsOf } from './facts.mjs';
import { ZEROS } from './findings.mjs';
import { seconds } from './seconds.mjs';

/** @typedef {import('./phase.mjs').Outcome} Outcome */

const MOST_EXAMPLES = 5;
const MOST_CHARACTERS = 1_500;

/**
 * @param {readonly Outcome[]} phases
 * @returns {boolean} whether there is no violation
 */
export function report(phases) {
  console.log(`\n${toLine(['bus', ...phases.map(({ bus }) => bus)])}`);
  for (const [name, count] of factsOf(phases)) console.log(toLine([name, ...phases.map(count)]));
  console.log('');
  for (const zero of ZEROS) console.log(toLine([zero, ...phases.map(({ findings }) => findings.count(zero))]));
  for (const phase of phases) complain(phase);
  return phases.every(({ findings, isFast }) => findings.isClean && isFast);
}

/** @param {Outcome} phase */
function complain({ bus, findings, isFast, slowTakeOverMs, leaseMs }) {
  for (const zero of ZEROS) {
    const examples = findings.all.filter((finding) => finding.zero === zero).slice(0, MOST_EXAMPLES);
    for (const { words } of examples) console.error(`\n✗ ${bus}, ${zero}: ${words.slice(0, MOST_CHARACTERS)}`);
  }
  if (isFast) return;
  console.error(`\n✗ ${bus}: one in a hundred take-overs takes more than ${seconds(slowTakeOverMs)}; the lease is ${seconds(leaseMs)}`);
}

/** @param {readonly (string | number)[]} row */
function toLine([name = '', ...cells]) {
  return [String(name).padEnd(42), ...cells.map((cell) => String(cell).padStart(10))].join('').trimEnd();
}
