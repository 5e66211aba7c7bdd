// Formats one line per case, and the violations below it.

/** @typedef {import('./judge.mjs').Outcome} Outcome */

const WIDTHS = [15, 10, 8, 8, 8, 8, 8, 7, 8, 7, 7, 10];

export const HEADINGS = toLine([
  '',
  'store',
  'p50 ms',
  'p99 ms',
  '(alone',
  'p50',
  'p99)',
  'tasks',
  'failed',
  'lost',
  'twice',
  'peak MiB',
  '',
]);

/**
 * @param {Outcome} outcome
 * @param {readonly string[]} violations
 */
export function toRow(outcome, violations) {
  const { name, store, attacked, alone, tasks, failed, lost, doubled, peakRssMiB } = outcome;
  const latencies = [attacked.p50, attacked.p99].map(toMs);
  const before = ['', ...[alone.p50, alone.p99].map(toMs)];
  const cells = [name, store, ...latencies, ...before, tasks, failed, lost, doubled, peakRssMiB.toFixed(0)];
  return toLine([...cells, violations.length === 0 ? 'ok' : 'FAILED']);
}

/**
 * A case without a caller beside attackers.
 * @param {{ name: string, title: string }} outcome
 * @param {string} fact
 * @param {readonly string[]} violations
 */
export function toShortRow({ name, title }, fact, violations) {
  return `${name.padEnd(WIDTHS[0] ?? 0)}${title}: ${fact}  ${violations.length === 0 ? 'ok' : 'FAILED'}`;
}

/**
 * The violations, with examples of failures and what the attackers counted.
 * @param {readonly string[]} violations
 * @param {Partial<Pick<Outcome, 'examples' | 'tally'>>} [evidence]
 */
export function toDetails(violations, { examples = [], tally } = {}) {
  if (violations.length === 0) return [];
  const counted = tally === undefined ? [] : [`attackers: ${JSON.stringify(tally)}`];
  return [...violations.map((words) => `  ✗ ${words}`), ...[...examples.slice(0, 3), ...counted].map((words) => `    ${words}`)];
}

/** Texts on the left, numbers on the right. @param {readonly (string | number)[]} cells */
function toLine(cells) {
  const padded = cells.map((cell, column) => {
    const width = WIDTHS[column];
    if (width === undefined) return `  ${cell}`;
    return column < 2 ? String(cell).padEnd(width) : String(cell).padStart(width);
  });
  return padded.join('').trimEnd();
}

/** @param {number} ms */
function toMs(ms) {
  return Number.isNaN(ms) ? '–' : ms.toFixed(ms < 10 ? 1 : 0);
}
