// Adds up runs: counts, and the first few faulty ones.

/** @typedef {import('./observe.mjs').Observation} Observation */
/** @typedef {import('./judge.mjs').Verdict} Verdict */
/** @typedef {{ at: string, seen: Observation, verdict: Verdict }} Outcome */
/** @typedef {{ runs: number, faulty: number, events: number, reconnects: number } & import('./judge.mjs').Faults} Counts */
/** @typedef {Counts & { examples: { at: string, notes: readonly string[] }[] }} Tally */

const EXAMPLES = 2;
const NOTHING = { runs: 0, faulty: 0, events: 0, reconnects: 0, lost: 0, doubled: 0, outOfOrder: 0, wrongFinal: 0 };

/** @returns {Tally} */
export function emptyTally() {
  return { ...NOTHING, examples: [] };
}

/**
 * @param {Tally} tally changed
 * @param {Outcome} outcome
 */
export function count(tally, { at, seen, verdict }) {
  const { lost, doubled, outOfOrder, wrongFinal, notes } = verdict;
  const isFaulty = lost + doubled + outOfOrder + wrongFinal > 0;
  const counts = { runs: 1, faulty: isFaulty ? 1 : 0, events: seen.events.length, reconnects: seen.reconnects };
  add(tally, { ...counts, lost, doubled, outOfOrder, wrongFinal });
  if (isFaulty && tally.examples.length < EXAMPLES) tally.examples.push({ at, notes });
}

/**
 * @param {readonly Tally[]} tallies
 * @returns {Tally}
 */
export function sum(tallies) {
  const total = emptyTally();
  for (const tally of tallies) add(total, tally);
  return { ...total, examples: tallies.flatMap(({ examples }) => examples).slice(0, EXAMPLES) };
}

/**
 * @param {Tally} tally changed
 * @param {Counts} more
 */
function add(tally, more) {
  for (const name of /** @type {(keyof Counts)[]} */ (Object.keys(NOTHING))) tally[name] += more[name];
}
