// The table of all peers, the failures, and the reasons for the cases that cannot run.
import { CASES } from './cases.mjs';

/** @typedef {import('./run.mjs').Row} Row */

/**
 * @param {readonly Row[]} rows
 * @returns {number} number of failed cases
 */
export function report(rows) {
  const cells = [
    ['peer', 'protocol', 'direction', ...CASES],
    ...rows.map(({ peer, protocol, direction, outcomes }) => [peer, protocol, direction, ...outcomes.map(toCell)]),
  ];
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  for (const row of cells)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );

  console.log('\n–: the framework has no way to do this');
  for (const [gap, places] of gapsOf(rows)) console.log(`  ${gap}: ${places.join('; ')}`);
  const outcomes = rows.flatMap((row) => row.outcomes).filter((outcome) => !('gap' in outcome));
  const failed = outcomes.filter((outcome) => 'error' in outcome).length;
  console.log(`\n${outcomes.length - failed} of ${outcomes.length} ok: other frameworks\n`);
  printFailures(rows);
  return failed;
}

/** @param {import('./run.mjs').Outcome} outcome */
function toCell(outcome) {
  if ('gap' in outcome) return '–';
  return 'error' in outcome ? 'FAILED' : 'ok';
}

/**
 * The peers and cases of each reason.
 * @param {readonly Row[]} rows
 */
function gapsOf(rows) {
  /** @type {Map<string, string[]>} */
  const gaps = new Map();
  for (const { peer, protocol, direction, outcomes } of rows) {
    for (const [index, outcome] of outcomes.entries()) {
      if (!('gap' in outcome)) continue;
      const place = `${peer} (${protocol}) ${direction}, ${CASES[index]}`;
      gaps.set(outcome.gap, [...(gaps.get(outcome.gap) ?? []), place]);
    }
  }
  return gaps;
}

/** @param {readonly Row[]} rows */
function printFailures(rows) {
  for (const { peer, protocol, direction, outcomes } of rows) {
    for (const [index, outcome] of outcomes.entries()) {
      if ('error' in outcome) console.error(`\n✗ ${peer} (${protocol}) ${direction}, ${CASES[index]}\n${outcome.error.stack}`);
    }
  }
}
