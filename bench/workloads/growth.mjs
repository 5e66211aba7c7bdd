// 11: what one more event costs on a task that has many already. A store that touches the whole task per event shows here.
import { checkDelivery, follow, openTasks } from './open-tasks.mjs';

/** @typedef {import('../measure.mjs').Workload} Workload */
/** @typedef {import('../measure.mjs').Bench} Bench */

const EVENTS = 100;

/** @type {readonly Workload[]} */
export const marginalEvents = [100, 1_000, 10_000].map((chunks) => ({
  id: `11 × ${chunks.toLocaleString('en')}`,
  title: `one more event on a task that has ${chunks.toLocaleString('en')} chunks`,
  unit: 'µs per event',
  contestants: ['floor', 'peer', 'memory', 'sqlite'],
  size: { full: { warmOperations: 4_000, operations: 4_000 }, quick: { warmOperations: 2_000, operations: 1_500, maxMs: 1_000 } },
  peerSize: { full: { repetitions: 1, warmMs: 0, warmOperations: 100, operations: 1 }, quick: { repetitions: 0 } },
  run: async (bench) => {
    await checkDelivery(bench);
    return measure(bench, bench.size.scale < 0.1 ? Math.min(chunks, 100) : chunks);
  },
}));

/**
 * Each round has a task of its own, so that it stays as long as it was; only its last events are measured.
 * @param {Bench} bench
 * @param {number} chunks
 */
async function measure(bench, chunks) {
  const { size } = bench;
  let warmed = 0;
  const warm = performance.now() + size.warmMs;
  for (; warmed < size.warmOperations || performance.now() < warm; warmed += EVENTS) await addEvents(bench, chunks);

  let used = 0;
  let operations = 0;
  const end = performance.now() + size.maxMs;
  do {
    used += await addEvents(bench, chunks);
    operations += EVENTS;
  } while (operations < size.operations && performance.now() < end);
  return used / operations;
}

/**
 * @param {Bench} bench
 * @param {number} chunks
 * @returns {Promise<number>} microseconds of CPU time
 */
async function addEvents(bench, chunks) {
  const { server } = bench;
  const from = await server.held();
  const [reader] = await follow(bench, await openTasks(bench, 1, chunks));
  if (reader === undefined) throw new Error('no stream');
  await server.collect();
  const before = await server.cpu();
  await server.emit(EVENTS, 'turns', from);
  await reader.reach(1 + EVENTS);
  const used = (await server.cpu()) - before;
  reader.close();
  return used;
}
