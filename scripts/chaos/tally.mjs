// How much clients did. What it cost the client to keep its promises is counted beside it.

/**
 * `calls` are as the client makes them, however often each was tried. `retries`: tries that it made again by itself. `reconnects`: streams
 * and polls that it came back to by itself. `failed`: what came to nothing although it tried.
 * @typedef {{ begun: number, ended: number, calls: number, retries: number, reconnects: number, failed: number }} Tally
 */

/** @returns {Tally} */
export function emptyTally() {
  return { begun: 0, ended: 0, calls: 0, retries: 0, reconnects: 0, failed: 0 };
}

/** @param {readonly Tally[]} tallies @returns {Tally} */
export function sum(tallies) {
  const total = emptyTally();
  for (const tally of tallies) for (const name of names(total)) total[name] += tally[name];
  return total;
}

/** @param {Tally} tally @returns {(keyof Tally)[]} */
function names(tally) {
  return /** @type {(keyof Tally)[]} */ (Object.keys(tally));
}
