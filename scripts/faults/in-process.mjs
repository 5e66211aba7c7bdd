// Cuts a stream at every byte, without a socket: with our agent itself, and with a recording of the official SDK's server.
import { createClient } from '@parley/a2a/client';
import { fetchHandler } from '@parley/a2a/fetch';
import { createTestFetch, withFaults } from '@parley/a2a/testing';
import { attempt } from './attempt.mjs';
import { EVENTS } from './job.mjs';
import { createOurAgent } from './our-agent.mjs';
import { BINDINGS, finalOf } from './peers.mjs';
import { readSeqs } from './raw.mjs';
import { replay } from './sdk-recording.mjs';

/** @typedef {import('./cases.mjs').Case} Case */
/** @typedef {import('./raw.mjs').Binding} Binding */
/** @typedef {import('./sdk-recording.mjs').Recorded} Recorded */
/** @typedef {typeof globalThis.fetch} Fetch */

/** No delay, so that thousands of runs take only seconds. */
const RECONNECT = { maxRetries: 3, initialDelayMs: 0 };
const AT_ONCE = 4;

/** The faults of our streams, each at every byte or at every n-th byte. */
const DAMAGES = /** @type {const} */ ([
  { name: 'cut', what: 'drop', pace: 'turn', goesOn: 'the task continues', every: 1 },
  { name: 'cut', what: 'drop', pace: 'burst', goesOn: 'the task has ended', every: 5 },
  { name: 'ended', what: 'end', pace: 'turn', goesOn: 'the task continues', every: 5 },
  { name: 'garbage', what: 'garbage', pace: 'turn', goesOn: 'the task continues', every: 5 },
]);

/**
 * @param {number} everyByte
 * @returns {AsyncGenerator<Case>}
 */
export async function* cutOurs(everyByte) {
  const handle = fetchHandler(createOurAgent({ ids: shortIds() }), { publicUrl: 'http://test' });
  /** @type {any} */
  const card = await (await handle(new Request('http://test/.well-known/agent-card.json'))).json();
  for (const binding of BINDINGS) {
    for (const { name, what, pace, goesOn, every } of DAMAGES) {
      const toClient = (/** @type {Fetch} */ fetch) => createClient(card, { fetch, prefer: binding, reconnect: RECONNECT });
      const door = { fetch: createTestFetch(handle), url: 'http://test', binding };
      const truth = { seqs: await readSeqs(door, { pace }), final: await finalOf(toClient(door.fetch), { pace }) };
      const { bytes, firstEnd } = await measure(toClient, door.fetch, { pace });
      const run = (/** @type {number} */ afterBytes) => {
        const line = createLine(createTestFetch(handle), { do: what, afterBytes });
        // If garbage destroys the seq of the first event, the client treats the peer as one without seqs.
        const seen = what === 'garbage' && afterBytes < firstEnd ? { final: truth.final } : truth;
        return attempt({ at: `byte ${afterBytes}`, client: toClient(line.fetch), job: { pace }, truth: seen, happened: line.wasBroken });
      };
      const runs = offsets(0, bytes, everyByte * every).map((offset) => () => run(offset));
      yield { name: `${name} ${each(everyByte * every)}, ${goesOn}`, peer: 'Parley', binding, atOnce: AT_ONCE, runs };
    }
  }
}

/** The progress of the server when the client reconnects. Each offset is tested with one of them. */
const GAPS = [
  { name: 'nothing missed', events: 0 },
  { name: '7 events missed', events: 7 },
  { name: 'the log is repeated', events: 7, repeats: true },
  { name: 'the task has ended', events: EVENTS },
];

/**
 * @param {Recorded} recorded
 * @param {number} everyByte
 * @returns {AsyncGenerator<Case>}
 */
export async function* cutSdk({ card, url, recordings }, everyByte) {
  for (const binding of BINDINGS) {
    const recording = recordings[binding];
    const job = /** @type {const} */ ({ pace: 'told' });
    const toClient = (/** @type {Fetch} */ fetch) => createClient(card, { fetch, prefer: binding, reconnect: RECONNECT });
    const played = (/** @type {() => number} */ progress, repeats = false) =>
      createTestFetch(replay(recording, progress, repeats), { url });
    const whole = played(() => EVENTS);
    const truth = { final: await finalOf(toClient(whole), job) };
    const { bytes, firstEnd } = await measure(toClient, whole, job);
    const ends = frameEnds(recording.frames, bytes);
    const run = (/** @type {number} */ afterBytes, /** @type {number} */ gap, repeats = false) => {
      const begun = ends.filter((_, index) => (ends[index - 1] ?? 0) < afterBytes).length;
      const line = createLine(
        played(() => Math.min(EVENTS, Math.max(1, begun) + gap), repeats),
        { do: 'drop', afterBytes },
      );
      const isEarly = afterBytes < firstEnd;
      const happened = isEarly ? () => !line.wasBroken() : line.wasBroken;
      return attempt({ at: `byte ${afterBytes}`, client: toClient(line.fetch), job, truth, happened, expect: isEarly ? 'give up' : 'end' });
    };
    const common = { peer: 'official SDK', binding, atOnce: AT_ONCE };
    const early = offsets(0, firstEnd, everyByte).map((offset) => () => run(offset, 0));
    yield { ...common, name: 'cut before the first event: not sent twice', runs: early };
    for (const [index, gap] of GAPS.entries()) {
      const places = offsets(firstEnd, bytes, everyByte).filter((_, place) => place % GAPS.length === index);
      const name = `cut ${each(everyByte * GAPS.length)}, ${gap.name}`;
      yield { ...common, name, runs: places.map((offset) => () => run(offset, gap.events, gap.repeats)) };
    }
  }
}

/** Short ids of equal length, so that most cuts hit the stream and not the ids in it. */
function shortIds() {
  let last = 0;
  const next = () => {
    last += 1;
    return String(last).padStart(7, '0');
  };
  return { taskId: next, contextId: next, messageId: next };
}

/** @param {number} every */
function each(every) {
  return every === 1 ? 'at every byte' : `every ${every} bytes`;
}

/**
 * A network that fails on the first stream.
 * @param {Fetch} through
 * @param {import('@parley/a2a/testing').NetworkFault} fault
 */
function createLine(through, fault) {
  let sends = 0;
  let others = 0;
  const line = withFaults(through, ({ operation }) => {
    if (operation === 'SendStreamingMessage') sends += 1;
    else others += 1;
    return operation === 'SendStreamingMessage' && sends === 1 ? fault : undefined;
  });
  return { fetch: line, wasBroken: () => sends + others > 1 };
}

/**
 * The size of an undisturbed stream in bytes, and the size of its first event.
 * @param {(fetch: Fetch) => import('@parley/a2a/client').Client} toClient
 * @param {Fetch} through
 * @param {import('./job.mjs').Job} job
 */
async function measure(toClient, through, job) {
  /** @type {Uint8Array[]} */
  const chunks = [];
  const client = toClient(async (input, init) => {
    const response = await through(input, init);
    const keep = new TransformStream({
      transform(chunk, controller) {
        chunks.push(chunk);
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body?.pipeThrough(keep), response);
  });
  await finalOf(client, job);
  const whole = Buffer.concat(chunks);
  return { bytes: whole.byteLength, firstEnd: whole.indexOf('\n\n') + 2 };
}

/**
 * Where the frames end for the client. Each frame contains the request id, whose length may differ from the recorded one.
 * @param {readonly string[]} frames
 * @param {number} bytes
 */
function frameEnds(frames, bytes) {
  const lengths = frames.map((frame) => new TextEncoder().encode(frame).byteLength);
  const more = (bytes - lengths.reduce((sum, length) => sum + length, 0)) / frames.length;
  let end = 0;
  return lengths.map((length) => {
    end += length + more;
    return end;
  });
}

/**
 * Excludes the end: a cut after the last byte has no effect.
 * @param {number} from
 * @param {number} to
 * @param {number} every
 */
function offsets(from, to, every) {
  return Array.from({ length: Math.ceil((to - from) / every) }, (_, index) => from + index * every);
}
