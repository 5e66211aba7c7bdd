// Counts what clients did, and how often the client library had to retry or reconnect.

/**
 * `calls`: calls of the client, each counted once however often it was retried. `retries`: retries by the client library. `reconnects`:
 * streams and polls that it resumed. `failed`: tasks that failed in spite of that.
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
