// 8, 9: the cost of delivering one event to one reader, with many tasks, and with many readers.
import { cpuPerOperation } from '../measure.mjs';
import { checkDelivery, follow, openTasks } from './open-tasks.mjs';

/** @typedef {import('../measure.mjs').Workload} Workload */
/** @typedef {import('../measure.mjs').Bench} Bench */

const SIZE = { full: { warmOperations: 20_000, operations: 40_000 }, quick: { warmOperations: 8_000, operations: 8_000 } };
const PEER_SIZE = { full: { warmOperations: 4_000, operations: 8_000 }, quick: { repetitions: 0 } };

/** @type {Workload} */
export const manyTasks = {
  id: '8',
  title: 'an event on each of 2,000 tasks with one subscriber each',
  unit: 'µs per delivery',
  contestants: ['floor', 'peer', 'memory', 'sqlite'],
  size: SIZE,
  peerSize: PEER_SIZE,
  run: async (bench) => {
    await checkDelivery(bench);
    const from = await bench.server.held();
    return measure(bench, from, await openTasks(bench, 2_000 * bench.size.scale));
  },
};

/** @type {Workload} */
export const manyReaders = {
  id: '9',
  title: 'an event to 500 subscribers of one task',
  unit: 'µs per delivery',
  contestants: ['floor', 'peer', 'memory', 'sqlite'],
  size: SIZE,
  peerSize: PEER_SIZE,
  run: async (bench) => {
    await checkDelivery(bench);
    const from = await bench.server.held();
    const [id = ''] = await openTasks(bench, 1);
    const readers = bench.size.scale < 0.1 ? 10 : 500;
    return measure(bench, from, new Array(readers).fill(id));
  },
};

/**
 * @param {Bench} bench
 * @param {number} from index of the first task that publishes
 * @param {readonly string[]} ids the task of each reader
 */
async function measure(bench, from, ids) {
  const readers = await follow(bench, ids);
  let told = 1; // the Task at the start of a stream
  return cpuPerOperation(bench, async () => {
    told += 1;
    await bench.server.emit(1, 'burst', from);
    await Promise.all(readers.map((reader) => reader.reach(told)));
    return readers.length;
  });
}
