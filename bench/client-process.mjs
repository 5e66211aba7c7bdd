// One client in a process of its own: it calls the server, and tells what the calls cost this process.
import { createSender as createBare } from './clients/bare.mjs';

/** @typedef {() => Promise<string>} Sender one call; gives the state of the task */
/** @typedef {'fetch' | 'peer' | 'ours-fetch' | 'ours-pooled'} ClientName */

const AT_ONCE = 8;
const [name = '', url = '', size = '{}'] = process.argv.slice(2);

process.send?.(await measure(await create(), JSON.parse(size)));
process.disconnect();
process.exit();

/** @returns {Promise<Sender>} */
async function create() {
  switch (name) {
    case 'fetch':
      return createBare(url);
    case 'peer':
      return (await import('./clients/peer.mjs')).createSender(url);
    case 'ours-fetch':
    case 'ours-pooled':
      return (await import('./clients/ours.mjs')).createSender(url, name === 'ours-fetch' ? 'fetch' : 'pooled');
    default:
      throw new Error(`no such client: ${name}`);
  }
}

/**
 * CPU time of this process per call, in microseconds.
 * @param {Sender} send
 * @param {import('./measure.mjs').Size} size
 */
async function measure(send, { warmMs, warmOperations, operations, round, maxMs }) {
  let warmed = 0;
  const warm = performance.now() + warmMs;
  while (warmed < warmOperations || performance.now() < warm) warmed += await sendRound(send, round);
  let done = 0;
  const end = performance.now() + maxMs;
  const before = process.cpuUsage();
  do done += await sendRound(send, round);
  while (done < operations && performance.now() < end);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / done;
}

/**
 * @param {Sender} send
 * @param {number} count
 */
async function sendRound(send, count) {
  let left = count;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const state = await send();
      if (state !== 'TASK_STATE_COMPLETED') throw new Error(`expected a completed task, got ${state}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return count;
}
