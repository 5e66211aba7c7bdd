// Faults on real connections, through a proxy: at every frame of a stream, one byte off, and before the stream starts.
import { createClient } from '@parley/a2a/client';
import { pooled } from '@parley/a2a/node';
import { faultProxy } from '@parley/a2a/testing';
import { attempt, complain } from './attempt.mjs';
import { EVENTS } from './job.mjs';

/** @typedef {import('./cases.mjs').Case} Case */
/** @typedef {import('./cases.mjs').World} World */
/** @typedef {import('./peers.mjs').Peer} Peer */
/** @typedef {import('./raw.mjs').Binding} Binding */
/** @typedef {import('@parley/a2a/testing').NetworkFault} NetworkFault */
/** @typedef {import('@parley/a2a/client').ClientOptions} ClientOptions */
/** @typedef {import('./job.mjs').Job} Job */

/**
 * The fault for each request of a run, by operation and its index. @typedef {(operation: string, turn: number) => NetworkFault | undefined}
 * Plan
 */

/** @typedef {{ at: string, plan: Plan, expect?: 'end' | 'give up', options?: ClientOptions, check?: (times: readonly number[]) => string | undefined }} Run */

const RECONNECT = { maxRetries: 10, initialDelayMs: 0 };
const RETRY = { initialDelayMs: 5, maxDelayMs: 3_000 };
/** Milliseconds between events: slow enough that the task still runs when the client reconnects at once. */
const PACE = 2;
/** Long enough for a busy machine, and short enough for hundreds of runs. */
const SILENCE_MS = 500;
/** The delay is so long that the task has ended when the client reconnects. */
const LATE = { reconnect: { maxRetries: 3, initialDelayMs: 300 } };

/**
 * @param {World} world
 * @param {Peer} peer
 * @param {Binding} binding
 * @returns {Case[]}
 */
export function breakConnections(world, peer, binding) {
  const frames = framesOf(world.options.everyFrame);
  const { early, later } = aroundFrames(peer, frames);
  const toCase = (/** @type {string} */ name, /** @type {readonly Run[]} */ runs, /** @type {Job} */ job = { pace: PACE }) =>
    createCase(world, { name, peer, binding, runs, job });
  const exact = later.filter(({ plus }) => plus === 0);
  const cases = [
    toCase(
      'dropped at every event ± 1 byte',
      later.map((place) => once('drop', place)),
    ),
    toCase(
      'ended early at every event ± 1 byte',
      later.map((place) => once('end', place)),
    ),
    toCase(
      'garbage at every event ± 1 byte',
      later.map((place) => once('garbage', place)),
    ),
    toCase(
      'silent at every event',
      exact.map((place) => ({ ...once('stall', place), options: impatient(place) })),
    ),
    toCase('dropped after every 2, 3 or 5 events', [2, 3, 5].map(everyLeg)),
    toCase(
      'the task ends during the gap',
      exact.map((place) => ({ ...once('drop', place), options: LATE })),
      { pace: 'burst' },
    ),
    toCase('503 twice, for a send and for a reconnect', [answered('SendStreamingMessage', 503), answered('SubscribeToTask', 503)]),
    toCase('429 with Retry-After in seconds and as a date', [tooMany('seconds'), tooMany('a date')]),
  ];
  if (early.length === 0) return cases;
  return [
    ...cases,
    toCase(
      'dropped before the first event: not sent twice',
      early.map((place) => ({ ...once('drop', place), expect: 'give up', check: sentOnce })),
    ),
  ];
}

/** @param {number} every */
function framesOf(every) {
  return Array.from({ length: EVENTS }, (_, index) => index).filter((index) => index % every === 0 || index === 1 || index === EVENTS - 1);
}

/** @typedef {{ afterFrames: number, plus: number }} Place */

/**
 * Before the first event is complete there is no task to resume: the run continues only if the peer supports repeated sends.
 * @param {Peer} peer
 * @param {readonly number[]} frames
 * @returns {{ early: Place[], later: Place[] }}
 */
function aroundFrames(peer, frames) {
  const places = frames.flatMap((afterFrames) => [-1, 0, 1].map((plus) => ({ afterFrames, plus })));
  const possible = places.filter(({ afterFrames, plus }) => afterFrames > 0 || plus >= 0);
  const isEarly = (/** @type {Place} */ { afterFrames, plus }) =>
    peer.name !== 'Parley' && (afterFrames === 0 || (afterFrames === 1 && plus < 0));
  return { early: possible.filter(isEarly), later: possible.filter((place) => !isEarly(place)) };
}

/**
 * @param {'drop' | 'end' | 'garbage' | 'stall'} what
 * @param {Place} place
 * @returns {Run}
 */
function once(what, place) {
  const at = `frame ${place.afterFrames}${place.plus < 0 ? place.plus : place.plus > 0 ? `+${place.plus}` : ''}`;
  return { at, plan: (operation, turn) => (operation === 'SendStreamingMessage' && turn === 0 ? { do: what, ...place } : undefined) };
}

/**
 * Before the first byte, another timeout applies.
 * @param {Place} place
 * @returns {ClientOptions}
 */
function impatient({ afterFrames }) {
  return { timeouts: afterFrames === 0 ? { firstByteMs: 2 * SILENCE_MS } : { idleMs: SILENCE_MS } };
}

/**
 * @param {number} afterFrames
 * @returns {Run}
 */
function everyLeg(afterFrames) {
  const streams = ['SendStreamingMessage', 'SubscribeToTask'];
  return { at: `${afterFrames} events`, plan: (operation) => (streams.includes(operation) ? { do: 'drop', afterFrames } : undefined) };
}

/** @param {readonly number[]} times */
function sentOnce(times) {
  return times.length === 1 ? undefined : `the message was sent ${times.length} times`;
}

/**
 * Returns the status twice. For a subscription, a stream must break first.
 * @param {'SendStreamingMessage' | 'SubscribeToTask'} which
 * @param {number} status
 * @returns {Run}
 */
function answered(which, status) {
  return {
    at: which,
    plan(operation, turn) {
      if (operation === which && turn < 2) return { do: 'answer', status };
      return operation === 'SendStreamingMessage' && which !== operation ? { do: 'drop', afterFrames: 9 } : undefined;
    },
  };
}

/**
 * @param {'seconds' | 'a date'} form
 * @returns {Run}
 */
function tooMany(form) {
  const until = { ms: 0 };
  return {
    at: form,
    plan(operation, turn) {
      if (operation !== 'SendStreamingMessage' || turn > 0) return undefined;
      // A date has whole seconds: the second one from now is more than a second away.
      until.ms = form === 'seconds' ? Date.now() + 1_000 : Math.ceil(Date.now() / 1_000) * 1_000 + 1_000;
      const header = form === 'seconds' ? '1' : new Date(until.ms).toUTCString();
      return { do: 'answer', status: 429, headers: { 'retry-after': header } };
    },
    // A timer may fire slightly early.
    check: (times) => ((times[1] ?? 0) >= until.ms - 5 ? undefined : `the client retried ${until.ms - (times[1] ?? 0)} ms too early`),
  };
}

/**
 * @param {World} world
 * @param {{ name: string, peer: Peer, binding: Binding, runs: readonly Run[], job: Job }} of
 * @returns {Case}
 */
function createCase({ truthOf }, { name, peer, binding, runs, job }) {
  return {
    name,
    peer: peer.name,
    binding,
    atOnce: 12,
    runs: runs.map(({ at, plan, expect, options, check }, index) => async () => {
      const truth = await truthOf(peer, job);
      const line = await createLine(peer, plan);
      const exchange = index % 2 === 0 ? { fetch } : { exchange: pooled() };
      const client = createClient(line.url, { ...exchange, prefer: binding, reconnect: RECONNECT, retry: RETRY, ...options });
      try {
        const outcome = await attempt({ at, client, job, truth, happened: line.failed, ...(expect && { expect }) });
        const complaint = check?.(line.sends);
        return complaint === undefined ? outcome : { ...outcome, verdict: complain(outcome.verdict, complaint) };
      } finally {
        await line.close();
      }
    }),
  };
}

/**
 * @param {Peer} peer
 * @param {Plan} plan
 */
async function createLine(peer, plan) {
  /** @type {Map<string, number>} */
  const turns = new Map();
  /** @type {number[]} */
  const sends = [];
  let faults = 0;
  const proxy = await faultProxy({
    target: peer.url,
    plan: ({ operation = '' }) => {
      const turn = turns.get(operation) ?? 0;
      turns.set(operation, turn + 1);
      if (operation === 'SendStreamingMessage') sends.push(Date.now());
      const fault = plan(operation, turn);
      if (fault !== undefined) faults += 1;
      return fault;
    },
  });
  return { url: proxy.url, sends, failed: () => faults > 0, close: proxy.close };
}
