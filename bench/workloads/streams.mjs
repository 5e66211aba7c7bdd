// 5, 5s, 5b: streams of artifact chunks.
import { message } from '../load/client.mjs';
import { cpuPerOperation, expect } from '../measure.mjs';
import { chunkText } from '../servers/script.mjs';

/** @typedef {import('../measure.mjs').Workload} Workload */
/** @typedef {import('../measure.mjs').Bench} Bench */
/** @typedef {Readonly<{ ask: 'turns' | 'raw-turns' | 'burst', chunks: number, streams: number }>} Shape `streams` at once */

/** Operations are events, which are cheaper than requests. @type {Workload['size']} */
const SIZE = {
  full: { warmOperations: 50_000, operations: 100_000 },
  quick: { warmOperations: 20_000, operations: 30_000 },
  against: { warmOperations: 25_000, operations: 40_000 },
  'against-quick': { warmOperations: 20_000, operations: 30_000 },
};

/** @type {readonly Workload[]} */
export const longStreams = [1, 16, 64].map((streams) =>
  streamsOf({
    id: `5 × ${streams}`,
    title: `stream of 1,000 chunks, one per loop iteration, ${streams === 1 ? 'alone' : `${streams} at once`}`,
    ask: 'turns',
    chunks: 1_000,
    streams,
  }),
);

export const shortStreams = streamsOf({ id: '5s', title: 'stream of 20 chunks, 16 at once', ask: 'turns', chunks: 20, streams: 16 });

export const burstStream = streamsOf({ id: '5b', title: '1,000 chunks published at once', ask: 'burst', chunks: 1_000, streams: 1 });

/**
 * @param {Shape & Readonly<{ id: string, title: string }>} facts
 * @returns {Workload}
 */
function streamsOf({ id, title, ask, chunks, streams }) {
  return {
    id,
    title,
    unit: 'µs per event',
    // The peer passes the whole task to its store for each event: a long stream measures that, with any store.
    contestants: chunks < 1_000 ? ['floor', 'peer', 'peer-sql', 'memory', 'sqlite'] : ['floor', 'peer', 'memory', 'sqlite'],
    size: SIZE,
    peerSize: peerSize(chunks, streams),
    run: (bench) => runStreams(bench, { ask, chunks, streams }),
  };
}

/**
 * @param {Bench} bench
 * @param {Shape} shape
 */
export async function runStreams(bench, { ask, chunks, streams }) {
  const build = () => bench.client.rpc('SendStreamingMessage', message(`${ask} ${chunks}`));
  await checkStream(bench, build(), chunks);
  return cpuPerOperation(bench, async () => {
    await Promise.all(Array.from({ length: streams }, () => readStream(bench, build(), chunks)));
    return streams * chunks;
  });
}

/**
 * An event of a long stream costs the peer milliseconds: the check serves as warm-up, and one round as the measurement. 64 streams at once
 * would take it minutes, and would show the same as 16.
 * @param {number} chunks
 * @param {number} streams
 */
function peerSize(chunks, streams) {
  if (chunks < 1_000) return {};
  const once = { warmMs: 0, warmOperations: 0, operations: 1 };
  return { full: { ...once, repetitions: streams > 16 ? 0 : 1 }, quick: { ...once, repetitions: streams > 1 ? 0 : 1 } };
}

/**
 * Checks that every chunk comes once, in order, between the Task and its end.
 * @param {Bench} bench
 * @param {string} request
 * @param {number} chunks
 */
async function checkStream({ client }, request, chunks) {
  const reader = await client.stream(request, { keep: true }).ended();
  const results = reader.results();
  expect(results[0]?.task?.status?.state, 'TASK_STATE_SUBMITTED', 'the first event of the stream');
  expect(results.at(-1)?.statusUpdate?.status?.state, 'TASK_STATE_COMPLETED', 'the last event of the stream');
  expect(results.length, chunks + 2, 'the number of events');
  expect(reader.events, chunks + 2, 'the number of counted events');
  for (const [index, { artifactUpdate }] of results.slice(1, -1).entries()) {
    expect(artifactUpdate?.artifact?.parts?.[0]?.text, chunkText(index), `the text of chunk ${index}`);
  }
}

/**
 * @param {Bench} bench
 * @param {string} request
 * @param {number} chunks
 */
async function readStream({ client }, request, chunks) {
  const { events } = await client.stream(request).ended();
  expect(events, chunks + 2, 'the number of events');
}
