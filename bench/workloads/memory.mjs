// 12 and idle subscribers: the memory that stays in use.
import { message } from '../load/client.mjs';
import { checkDelivery, follow, openTasks } from './open-tasks.mjs';
import { requests } from './requests.mjs';

/** @typedef {import('../measure.mjs').Workload} Workload */

/** Heap size is stable between runs, and filling it takes long. */
const ONCE = { full: { repetitions: 1 }, quick: { repetitions: 1 } };

/**
 * The difference between two fill levels, both beyond the cache that a store keeps for its newest tasks, because that cache is a cost per
 * store and not per task.
 * @type {Workload}
 */
export const heapPerTask = {
  id: '12',
  title: 'heap per completed task, of 100,000',
  unit: 'bytes',
  contestants: ['floor', 'peer', 'memory', 'sqlite'],
  size: ONCE,
  peerSize: { full: { repetitions: 1 }, quick: { repetitions: 0 } },
  run: async (bench) => {
    const { server, client, size } = bench;
    const fill = async (/** @type {number} */ wanted) => {
      const build = () => client.rpc('SendMessage', message('task'));
      let done = 0;
      while (done < wanted) done += await requests(bench, build, { mark: 'TASK_STATE_COMPLETED' });
      return done;
    };
    await fill(2_000);
    const before = await server.heap();
    const tasks = await fill(100_000 * size.scale);
    return ((await server.heap()) - before) / tasks;
  },
};

/** @type {Workload} */
export const heapPerReader = {
  id: 'idle',
  title: 'heap per idle subscriber, of 1,000',
  unit: 'bytes',
  contestants: ['floor', 'peer', 'memory', 'sqlite'],
  size: { full: { repetitions: 3 }, quick: { repetitions: 1 } },
  peerSize: ONCE,
  run: async (bench) => {
    await checkDelivery(bench);
    const { server, size } = bench;
    const [id] = await openTasks(bench, 1);
    const few = new Array(100).fill(id);
    const many = new Array(Math.max(100, Math.min(900, size.scale * 9_000))).fill(id);
    await follow(bench, few);
    const before = await server.heap();
    await follow(bench, many);
    return ((await server.heap()) - before) / many.length;
  },
};
