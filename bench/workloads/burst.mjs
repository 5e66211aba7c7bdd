// A burst of 1,000 chunks, in wall time: the time to its first byte, and the time that another request waits meanwhile.
import { message } from '../load/client.mjs';
import { expect } from '../measure.mjs';
import { median } from '../median.mjs';

/** @typedef {import('../measure.mjs').Workload} Workload */
/** @typedef {import('../measure.mjs').Bench} Bench */
/** @typedef {{ firstByte: number, other: number }} Times in milliseconds */

const CHUNKS = 1_000;

export const burstFirstByte = burstOf('burst first', 'a burst of 1,000 chunks: its first byte', ({ firstByte }) => firstByte);
export const burstNeighbour = burstOf('burst other', 'the same: another request at the same time', ({ other }) => other);

/**
 * @param {string} id
 * @param {string} title
 * @param {(times: Times) => number} pick
 * @returns {Workload}
 */
function burstOf(id, title, pick) {
  return {
    id,
    title,
    unit: 'ms',
    contestants: ['floor', 'peer', 'memory', 'sqlite'],
    size: { full: { warmOperations: 60, operations: 60 }, quick: { warmOperations: 40, operations: 30, maxMs: 1_000 } },
    peerSize: { full: { repetitions: 1, warmMs: 0, warmOperations: 1, operations: 2 }, quick: { repetitions: 0 } },
    run: async (bench) => {
      const { client, size } = bench;
      const { task } = await client.ask(client.rpc('SendMessage', message('task')));
      const warm = performance.now() + size.warmMs;
      for (let n = 0; n < size.warmOperations || performance.now() < warm; n += 1) await burst(bench, task.id);
      /** @type {number[]} */
      const times = [];
      const end = performance.now() + size.maxMs;
      do times.push(pick(await burst(bench, task.id)));
      while (times.length < size.operations && performance.now() < end);
      return median(times);
    },
  };
}

/**
 * Both requests are sent in the same event-loop iteration, the burst first.
 * @param {Bench} bench
 * @param {string} taskId
 * @returns {Promise<Times>}
 */
async function burst({ client }, taskId) {
  const start = performance.now();
  const reader = client.stream(client.rpc('SendStreamingMessage', message(`burst ${CHUNKS}`)));
  const other = client.send(client.rpc('GetTask', { id: taskId })).then((body) => {
    expect(body.includes(taskId), true, 'that the other request is answered');
    return performance.now() - start;
  });
  await reader.ended();
  expect(reader.events, CHUNKS + 2, 'the number of events');
  return { firstByte: reader.firstAt - start, other: await other };
}
