// 11: the cost of one more event on a task that already has many. A store that touches the whole task per event shows here.
import { median } from '../median.mjs';
import { checkDelivery, follow, openTasks } from './open-tasks.mjs';

/** @typedef {import('../measure.mjs').Workload} Workload */
/** @typedef {import('../measure.mjs').Bench} Bench */

/** Published first, so that garbage and cold code of the set-up are not measured. */
const AHEAD = 50;
const EVENTS = 200;

const FULL = { warmOperations: 6_000, operations: 8_000 };
const QUICK = { warmOperations: 3_000, operations: 4_000, maxMs: 1_000 };

/** @type {readonly Workload[]} */
export const marginalEvents = [100, 1_000, 10_000].map((chunks) => ({
  id: `11 × ${chunks < 1_000 ? chunks : `${chunks / 1_000}k`}`,
  title: `one more event on a task that has ${chunks.toLocaleString('en')} chunks`,
  unit: 'µs per event',
  contestants: ['floor', 'peer', 'memory', 'sqlite'],
  size: { full: { ...FULL, repetitions: 3 }, quick: { ...QUICK, repetitions: 1 } },
  peerSize: { full: { repetitions: 1, warmMs: 0, warmOperations: 200, operations: 1 }, quick: { repetitions: 0 } },
  run: async (bench) => {
    const [cost = Number.NaN] = await measure(bench, [chunks]);
    return cost;
  },
}));

/** Both lengths in one process, in turns: two processes may differ more than the costs do. @type {Workload} */
export const growth = {
  id: '11 growth',
  title: 'the same: cost at 10,000 chunks ÷ cost at 100',
  unit: '×',
  by: 'value',
  contestants: ['floor', 'memory', 'sqlite'],
  size: { full: { ...FULL, warmOperations: 12_000 }, quick: QUICK },
  run: async (bench) => {
    const [short = Number.NaN, long = Number.NaN] = await measure(bench, [100, 10_000]);
    return long / short;
  },
};

/**
 * Each round uses a new task per length, so that the length stays the same; only its last events are measured. Returns the medians, because
 * some rounds also pay for the garbage of the set-up.
 * @param {Bench} bench
 * @param {readonly number[]} lengths
 */
async function measure(bench, lengths) {
  const { size } = bench;
  await checkDelivery(bench);
  const warm = performance.now() + size.warmMs;
  for (let warmed = 0; warmed < size.warmOperations || performance.now() < warm; warmed += EVENTS * lengths.length) {
    for (const chunks of lengths) await addEvents(bench, chunks);
  }
  const entries = lengths.map((chunks) => ({ chunks, costs: /** @type {number[]} */ ([]) }));
  const end = performance.now() + size.maxMs * lengths.length;
  let rounds = 0;
  do {
    for (const { chunks, costs } of entries) costs.push(await addEvents(bench, chunks));
    rounds += 1;
  } while (rounds * EVENTS < size.operations && performance.now() < end);
  return entries.map(({ costs }) => median(costs));
}

/**
 * @param {Bench} bench
 * @param {number} chunks
 * @returns {Promise<number>} microseconds of CPU time per event
 */
async function addEvents(bench, chunks) {
  const { server } = bench;
  const from = await server.held();
  const [reader] = await follow(bench, await openTasks(bench, 1, chunks - AHEAD));
  if (reader === undefined) throw new Error('there is no stream');
  await server.emit(AHEAD, 'turns', from);
  await reader.reach(1 + AHEAD);
  const before = await server.cpu();
  await server.emit(EVENTS, 'turns', from);
  await reader.reach(1 + AHEAD + EVENTS);
  const used = (await server.cpu()) - before;
  reader.close();
  return used / EVENTS;
}
