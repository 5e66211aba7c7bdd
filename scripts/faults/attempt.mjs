// One run of the client under one fault.
import { judge } from './judge.mjs';
import { observe } from './observe.mjs';

/** @typedef {import('@parley/a2a/client').Client} Client */
/** @typedef {import('./tally.mjs').Outcome} Outcome */

/**
 * @typedef {object} Attempt
 * @property {string} at what is done to it
 * @property {Client} client closed afterwards
 * @property {import('./job.mjs').Job} job
 * @property {import('./judge.mjs').Truth | ((taskId: string) => Promise<import('./judge.mjs').Truth>)} truth
 * @property {(seen: import('./observe.mjs').Observation) => boolean} [happened] whether the fault came about, asked afterwards: one that did not proves nothing
 * @property {'end' | 'give up'} [expect] 'give up' where coming back would mean to do the work twice. Default 'end'
 * @property {() => void} [onUpdate] called for each update
 * @property {(run: import('@parley/a2a/client').Run) => import('@parley/a2a/client').Run} [doctor] spoils what the judge gets to see
 */

// Nothing here takes longer, unless it hangs.
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
    return { at, seen, verdict: happened(seen) ? verdict : complain(verdict, 'the fault did not come about, or not as it should') };
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
 * No task id was seen, and the peer can not tell a repeated send from a new one: the only right answer is an error that says so.
 * @param {import('./observe.mjs').Observation} seen
 * @returns {import('./judge.mjs').Verdict}
 */
function judgeGivingUp({ error, events }) {
  const isRight = error?.name === 'A2AReconnectError' && events.length === 0;
  const notes = isRight ? [] : [`it should have given up, and saw ${events.length} events and ${error?.stack ?? 'no error'}`];
  return { lost: 0, doubled: 0, outOfOrder: 0, wrongFinal: isRight ? 0 : 1, notes };
}
