// Measures the delay of each take-over.

/** @typedef {import('./evidence.mjs').Evidence} Evidence */
/** @typedef {import('./claims.mjs').Claim} Claim */
/** @typedef {import('./ledger.mjs').Line} Line */
/** @typedef {import('./node.mjs').Absence} Absence */
/** @typedef {{ taskId: string, attempt: number, how: 'kill' | 'pause', ms: number }} TakeOver */

/**
 * Measures from the time a node was killed or paused to the next attempt of each of its tasks, on any node.
 * @param {Evidence} evidence
 * @returns {TakeOver[]}
 */
export function findTakeOvers(evidence) {
  const { ledger, logs, nodes } = evidence;
  /** The last `entered` line of each task. @type {Map<string, Line>} */
  const last = new Map();
  /** When the latest attempt of each task last saw a commit. @type {Map<string, number>} */
  const wentOn = new Map();
  /** @type {Map<string, Claim[]>} */
  const claims = new Map();
  for (const claim of evidence.claims) claims.set(claim.taskId, [...(claims.get(claim.taskId) ?? []), claim]);
  /** @type {TakeOver[]} */
  const found = [];
  for (const line of ledger) {
    const { taskId, attempt, at } = line;
    const before = last.get(taskId);
    if (line.what !== 'entered') {
      if (before?.node === line.node && before.boot === line.boot) wentOn.set(taskId, at);
      continue;
    }
    const lastSeen = wentOn.get(taskId) ?? 0;
    last.set(taskId, line);
    wentOn.delete(taskId);
    if (before === undefined || !isAfterCrash(logs.get(taskId), attempt)) continue;
    const absences = nodes.find(({ name }) => name === before.node)?.absences ?? [];
    const cause = absences.findLast(({ boot, from }) => boot === before.boot && from >= before.at && from <= at);
    if (cause === undefined || cause.how === 'drain') continue;
    if (cause.how === 'pause' && lastSeen > cause.to) continue; // the node continued after the pause; a later event interrupted the run
    for (const step of stepsOf({ cause, claims: claims.get(taskId) ?? [], at }, nodes)) found.push({ taskId, attempt, ...step });
  }
  return found;
}

/**
 * A node that claimed the task may be lost, too, before it starts the run. Its claim ends the first take-over, and its loss begins a second
 * one: the bound holds for each of them, and not for their sum. A drain begins none, because its time depends on the runs.
 * @param {{ cause: Absence, claims: readonly Claim[], at: number }} course from the loss of the owner to the next attempt
 * @param {Evidence['nodes']} nodes
 * @returns {Generator<Pick<TakeOver, 'how' | 'ms'>, void>}
 */
function* stepsOf({ cause, claims, at }, nodes) {
  let lost = cause;
  for (const [index, claim] of claims.entries()) {
    if (claim.at < lost.from || claim.at > at) continue;
    const until = Math.min(at, claims[index + 1]?.at ?? at);
    const absences = nodes.find(({ name }) => name === claim.node)?.absences ?? [];
    const next = absences.find(({ from }) => from >= claim.at && from < until);
    if (next === undefined) continue;
    if (lost.how !== 'drain') yield { how: lost.how, ms: claim.at - lost.from };
    lost = next;
  }
  if (lost.how !== 'drain') yield { how: lost.how, ms: at - lost.from };
}

/**
 * Excludes attempts caused by a reply: their time depends on the caller.
 * @param {import('./logs.mjs').Log | undefined} log
 * @param {number} attempt
 */
function isAfterCrash(log, attempt) {
  return log?.entries.some(({ kind, json }) => {
    if (kind !== 'note') return false;
    const { note } = JSON.parse(json);
    return note.kind === 'attempt' && note.attempt === attempt && note.after === 'crash';
  });
}

/**
 * The value that this share of take-overs does not exceed; 0 if there are none.
 * @param {readonly TakeOver[]} takeOvers
 * @param {number} share
 */
export function quantile(takeOvers, share) {
  const sorted = takeOvers.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
