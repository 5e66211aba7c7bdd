// Tests the judge: it gets runs with planted faults and must detect each.
import { createClient } from '@parley/a2a/client';
import { fetchHandler } from '@parley/a2a/fetch';
import { createTestFetch, withFaults } from '@parley/a2a/testing';
import { attempt } from './attempt.mjs';
import { createOurAgent } from './our-agent.mjs';
import { finalOf } from './peers.mjs';
import { readSeqs } from './raw.mjs';

/** @typedef {import('@parley/a2a/client').Run} Run */
/** @typedef {import('@parley/a2a/client').Update} Update */
/** @typedef {import('@parley/a2a/client').ClientOptions} ClientOptions */
/** @typedef {keyof import('./judge.mjs').Faults} Fault */

/**
 * @typedef {object} Wrong
 * @property {string} name
 * @property {Fault | 'none'} want
 * @property {(updates: Update[]) => Update[]} [spoil]
 * @property {(fetch: typeof globalThis.fetch) => typeof globalThis.fetch} [line]
 * @property {ClientOptions} [options]
 * @property {false} [happens] the network does nothing
 * @property {false} [numbered] false: the judge compares only the parts
 */

/** @type {readonly Wrong[]} */
const WRONGS = [
  { name: 'nothing is wrong', want: 'none' },
  { name: 'an artifact event is lost', want: 'lost', spoil: (updates) => without(updates, 'artifact', 9) },
  { name: 'a status is lost', want: 'lost', spoil: (updates) => without(updates, 'state', 1) },
  { name: 'an artifact event is duplicated', want: 'doubled', spoil: (updates) => twice(updates, 'artifact', 9) },
  { name: 'a status is duplicated', want: 'doubled', spoil: (updates) => twice(updates, 'state', 1) },
  { name: 'two events are swapped', want: 'outOfOrder', spoil: swapped },
  { name: 'a part of the text is lost', want: 'wrongFinal', spoil: (updates) => without(updates, 'text', 3) },
  { name: 'the client resumes one event too late', want: 'lost', line: (fetch) => resumeBeside(fetch, 1) },
  { name: 'a part is lost, and there are no seqs', want: 'lost', spoil: (updates) => without(updates, 'artifact', 9), numbered: false },
  {
    name: 'a part is duplicated, and there are no seqs',
    want: 'doubled',
    spoil: (updates) => twice(updates, 'artifact', 9),
    numbered: false,
  },
  { name: 'the client does not reconnect', want: 'wrongFinal', options: { reconnect: { maxRetries: 0 } } },
  { name: 'the cut does not happen', want: 'wrongFinal', happens: false },
];

export async function selfCheck() {
  const job = /** @type {const} */ ({ pace: 'turn' });
  const handle = fetchHandler(createOurAgent(), { publicUrl: 'http://test' });
  const door = { fetch: createTestFetch(handle), url: 'http://test', binding: /** @type {const} */ ('jsonrpc') };
  const truth = { seqs: await readSeqs(door, job), final: await finalOf(createClient('http://test', { fetch: door.fetch }), job) };
  let isRight = true;
  for (const { name, want, spoil = same, line = cutOnce, options = {}, happens = true, numbered = true } of WRONGS) {
    const fetch = line(createTestFetch(handle));
    const client = createClient('http://test', { fetch, reconnect: { maxRetries: 3, initialDelayMs: 0 }, ...options });
    const happened = () => happens;
    const { verdict } = await attempt({
      at: name,
      client,
      job,
      truth: numbered ? truth : { final: truth.final },
      happened,
      doctor: (run) => doctored(run, spoil),
    });
    const found = /** @type {Fault[]} */ (['lost', 'doubled', 'outOfOrder', 'wrongFinal']).filter((fault) => verdict[fault] > 0);
    const isNoticed = want === 'none' ? found.length === 0 : found.includes(want);
    isRight &&= isNoticed;
    console.log(`${isNoticed ? '✓' : '✗'} ${name}: ${found.join(', ') || 'nothing'} found`);
    if (!isNoticed) console.error(verdict.notes.join('\n'));
  }
  console.log(isRight ? '\nThe judge detects every planted fault' : '\nThe judge MISSED a planted fault');
  return isRight;
}

/** @param {Update[]} updates */
const same = (updates) => updates;

/** @param {typeof fetch} through */
function cutOnce(through) {
  let sends = 0;
  return withFaults(through, ({ operation }) => {
    if (operation !== 'SendStreamingMessage') return undefined;
    sends += 1;
    return sends === 1 ? { do: 'drop', afterFrames: 20, plus: 7 } : undefined;
  });
}

/**
 * A client that resumes at a wrong seq.
 * @param {typeof fetch} through
 * @param {number} by
 * @returns {typeof fetch}
 */
function resumeBeside(through, by) {
  const line = cutOnce(through);
  return (input, init) => {
    const headers = new Headers(init?.headers);
    const id = headers.get('last-event-id');
    if (id !== null) headers.set('last-event-id', String(Number(id) + by));
    return line(input, { ...init, headers });
  };
}

/**
 * The run with changed updates.
 * @param {Run} run
 * @param {(updates: Update[]) => Update[]} spoil
 * @returns {Run}
 */
function doctored(run, spoil) {
  return {
    get result() {
      return run.result;
    },
    get taskId() {
      return run.taskId;
    },
    get contextId() {
      return run.contextId;
    },
    get place() {
      return run.place;
    },
    cancel: (options) => run.cancel(options),
    detach: () => run.detach(),
    async *[Symbol.asyncIterator]() {
      /** @type {Update[]} */
      const updates = [];
      for await (const update of run) updates.push(update);
      yield* spoil(updates);
    },
  };
}

/**
 * The index of the n-th update of a kind.
 * @param {readonly Update[]} updates
 * @param {Update['kind']} kind
 * @param {number} n
 */
function find(updates, kind, n) {
  const places = updates.flatMap((update, index) => (update.kind === kind ? [index] : []));
  return places[n] ?? 0;
}

/**
 * @param {Update[]} updates
 * @param {Update['kind']} kind
 * @param {number} n
 */
function without(updates, kind, n) {
  return updates.toSpliced(find(updates, kind, n), 1);
}

/**
 * @param {Update[]} updates
 * @param {Update['kind']} kind
 * @param {number} n
 */
function twice(updates, kind, n) {
  const at = find(updates, kind, n);
  const update = updates[at];
  return update === undefined ? updates : updates.toSpliced(at, 0, update);
}

/** Swaps two adjacent updates of one artifact. @param {Update[]} updates */
function swapped(updates) {
  const one = find(updates, 'artifact', 3);
  const two = find(updates, 'artifact', 4);
  const [first, second] = [updates[one], updates[two]];
  return first === undefined || second === undefined ? updates : updates.with(one, second).with(two, first);
}
