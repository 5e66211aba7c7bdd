// Runs the client once under one fault.
import { judge } from './judge.mjs';
import { observe } from './observe.mjs';

/** @typedef {import('@parley/a2a/client').Client} Client */
/** @typedef {import('./tally.mjs').Outcome} Outcome */

/**
 * @typedef {object} Attempt
 * @property {string} at position of the fault, for the report
 * @property {Client} client closed afterwards
 * @property {import('./job.mjs').Job} job
 * @property {import('./judge.mjs').Truth | ((taskId: string) => Promise<import('./judge.mjs').Truth>)} truth
 * @property {(seen: import('./observe.mjs').Observation) => boolean} [happened] called after the run, returns whether the fault took effect; a fault without effect proves nothing
 * @property {'end' | 'give up'} [expect] 'give up' if a reconnect would do the work twice. Default 'end'
 * @property {() => void} [onUpdate] called for each update
 * @property {(run: import('@parley/a2a/client').Run) => import('@parley/a2a/client').Run} [doctor] corrupts the data that the judge checks
 */

// A run that takes longer hangs.
const LIMIT_MS = 30_000;

/**
 * @param {Attempt} attempt
 * @returns {Promise<Outcome>}
 */
export async function attempt({ at, client, job, truth, expect, happened = () => true, doctor = (run) => run, onUpdate }) {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), LIMIT_MS);
  try {
    const run = doctor(client.run(JSON.stringify(job), { contextId: null, signal: limit.signal }));
    const seen = await observe(run, onUpdate);
    const find = async () => judge(seen, typeof truth === 'function' ? await truth(run.taskId ?? '') : truth);
    const verdict = expect === 'give up' ? judgeGivingUp(seen) : await find();
    return { at, seen, verdict: happened(seen) ? verdict : complain(verdict, 'the fault did not take effect as planned') };
  } finally {
    clearTimeout(timer);
    await client.close();
  }
}

/**
 * @param {import('./judge.mjs').Verdict} verdict
 * @param {string} note
 */
export function complain(verdict, note) {
  return { ...verdict, wrongFinal: verdict.wrongFinal + 1, notes: [note, ...verdict.notes] };
}

/**
 * The client saw no task id, and the peer cannot detect a repeated send. So the only right result is an error that says so.
 * @param {import('./observe.mjs').Observation} seen
 * @returns {import('./judge.mjs').Verdict}
 */
function judgeGivingUp({ error, events }) {
  const isRight = error?.name === 'A2AReconnectError' && events.length === 0;
  const notes = isRight ? [] : [`expected the run to give up, but it saw ${events.length} events and ${error?.stack ?? 'no error'}`];
  return { lost: 0, doubled: 0, outOfOrder: 0, wrongFinal: isRight ? 0 : 1, notes };
}
