// One client in its own process. It calls the server on command and reports the cost of the calls for this process.

import { createSender as createBare } from './clients/bare.mjs';
import { obey } from './obey.mjs';

/** @typedef {() => Promise<string>} Sender makes one call; returns the state of the task */
/** @typedef {'fetch' | 'peer' | 'ours-fetch' | 'ours-pooled'} ClientName */

const AT_ONCE = 8;
const [name = '', url = ''] = process.argv.slice(2);

const send = await create();
process.on('disconnect', () => process.exit());

const commands = {
  /** @param {import('./measure.mjs').Size} size */
  async warm({ warmMs, warmOperations, round }) {
    const end = performance.now() + warmMs;
    for (let done = 0; done < warmOperations || performance.now() < end; done += round) await sendMany(round);
  },
  /** @param {{ count: number }} args */
  async slice({ count }) {
    await sendMany(count);
  },
  /** CPU time of this process so far, in microseconds. Includes work done after a slice, while other clients have their turn. */
  async cpu() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
};
obey(commands);
process.send?.({ id: 0 });

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

/** @param {number} count */
async function sendMany(count) {
  let left = count;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const state = await send();
      if (state !== 'TASK_STATE_COMPLETED') throw new Error(`expected a completed task, got ${state}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
