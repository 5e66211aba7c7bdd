// Subscribers that have disconnected: a server that does not release them pays with memory, and with useless work for each event.
import { setTimeout as sleep } from 'node:timers/promises';
import { checkDelivery, follow, openTasks } from './open-tasks.mjs';

/** @typedef {import('../measure.mjs').Workload} Workload */
/** @typedef {import('../measure.mjs').Bench} Bench */

const EVENTS = 20;
const SIZE = { full: { repetitions: 3 }, quick: { repetitions: 1 } };
const PEER_SIZE = { full: { repetitions: 1 }, quick: { repetitions: 0 } };

/** @type {Workload} */
export const goneHeap = {
  id: 'gone heap',
  title: '1,000 disconnected subscribers: memory kept for each',
  unit: 'bytes',
  by: 'difference',
  contestants: ['floor', 'peer', 'memory', 'sqlite'],
  size: SIZE,
  peerSize: PEER_SIZE,
  run: async (bench) => {
    const { id, readers } = await prepare(bench);
    const before = await bench.server.heap();
    await comeAndGo(bench, id, readers);
    return ((await bench.server.heap()) - before) / readers;
  },
};

/** @type {Workload} */
export const goneEvent = {
  id: 'gone event',
  title: 'the same: CPU of an event afterwards',
  unit: 'µs',
  by: 'difference',
  contestants: ['floor', 'peer', 'memory', 'sqlite'],
  size: SIZE,
  peerSize: PEER_SIZE,
  run: async (bench) => {
    const { server } = bench;
    const { id, readers, from } = await prepare(bench);
    await comeAndGo(bench, id, readers);
    const before = await server.cpu();
    for (let n = 0; n < EVENTS; n += 1) {
      await server.emit(1, 'burst', from);
      await sleep(5);
    }
    return ((await server.cpu()) - before) / EVENTS;
  },
};

/**
 * An open task that already had a subscriber, so that one-time allocations are not measured.
 * @param {Bench} bench
 */
async function prepare(bench) {
  await checkDelivery(bench);
  const from = await bench.server.held();
  const [id = ''] = await openTasks(bench, 1);
  const readers = Math.max(50, Math.min(1_000, bench.size.scale * 10_000));
  await comeAndGo(bench, id, readers);
  return { id, from, readers };
}

/**
 * @param {Bench} bench
 * @param {string} id
 * @param {number} count
 */
async function comeAndGo(bench, id, count) {
  const readers = await follow(bench, new Array(count).fill(id));
  for (const reader of readers) reader.close();
  await sleep(200);
}
