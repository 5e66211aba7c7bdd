// 7: the first page of a list, with few tasks and with many. The cost should not depend on the number of tasks.
import { cpuPerOperation, expect } from '../measure.mjs';
import { seedId, seedTime } from '../servers/script.mjs';
import { requests } from './requests.mjs';

/** @typedef {'in-order' | 'shuffled'} Order */

const PAGE = 50;
const FEW = { repetitions: 1, warmMs: 0, warmOperations: 16, operations: 1, round: 16 };

/** @type {readonly import('../measure.mjs').Workload[]} */
export const listTasks = [
  listOf('7 × 10k', 10_000, 'in-order'),
  listOf('7 × 100k', 100_000, 'in-order'),
  listOf('7 shuffled', 100_000, 'shuffled'),
];

/**
 * @param {string} id
 * @param {number} whole number of tasks in a full run
 * @param {Order} order
 * @returns {import('../measure.mjs').Workload}
 */
function listOf(id, whole, order) {
  const suffix = order === 'shuffled' ? ' with shuffled status times' : '';
  return {
    id,
    title: `ListTasks, a page of ${PAGE} of ${whole.toLocaleString('en')}${suffix}`,
    unit: 'µs per request',
    contestants: ['floor', 'peer', 'peer-sql', 'memory', 'sqlite'],
    size: { quick: { warmOperations: 1_200 } },
    // The peer sorts all tasks for each page, which takes up to a fifth of a second.
    peerSize: { full: FEW, quick: FEW },
    run: async (bench) => {
      const { server, client, size } = bench;
      const count = Math.max(200, Math.round(whole * size.scale));
      await server.seed(count, order);
      const build = () => client.rpc('ListTasks', { pageSize: PAGE });
      checkPage(await client.ask(build()), count, order);
      return cpuPerOperation(bench, () => requests(bench, build, { mark: `"totalSize":${count}` }));
    },
  };
}

/**
 * The newest tasks, newest first, with their messages and without their artifacts.
 * @param {any} page
 * @param {number} count
 * @param {Order} order
 */
function checkPage(page, count, order) {
  const numbers = Array.from({ length: count }, (_, n) => n);
  const newest = numbers.sort((a, b) => seedTime(b, count, order) - seedTime(a, count, order));
  expect(page.tasks.length, PAGE, 'the number of tasks');
  expect(page.totalSize, count, 'the total number of tasks');
  expect(page.nextPageToken?.length > 0, true, 'that there is a next page');
  for (const [place, { id, artifacts, history }] of page.tasks.entries()) {
    expect(id, seedId(newest[place] ?? -1), `the task at position ${place}`);
    expect(artifacts?.length ?? 0, 0, 'the number of artifacts');
    expect(history?.length, 1, 'the number of messages');
  }
}
