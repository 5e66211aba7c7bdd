// One contestant in a process of its own. It obeys the load generator by messages, and tells what the process has used.

import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { obey } from './obey.mjs';
import { atOnce, inTurns } from './servers/script.mjs';

/** @typedef {import('./servers/script.mjs').Served} Served */

const [contestant = '', folder = ''] = process.argv.slice(2);

const served = await serve();
// The load generator has gone: so does this, with what it left on the disk.
process.on('disconnect', () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});

const commands = {
  /** CPU time of this process so far, in microseconds. */
  cpu() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  /** Bytes in use after everything that can go has gone. */
  async heap() {
    if (gc === undefined) throw new Error('start the process with --expose-gc');
    for (let round = 0; round < 4; round += 1) {
      gc();
      await sleep(20);
    }
    return process.memoryUsage().heapUsed;
  },
  /** @param {{ count: number, order: 'in-order' | 'shuffled' }} args */
  async seed({ count, order }) {
    await served.seed(count, order);
  },
  /** How many tasks are open. */
  held() {
    return served.held.length;
  },
  /**
   * Open tasks, from the n-th on, say so many chunks each. Answers when they were said, not when they were delivered.
   * @param {{ count: number, pace: 'turns' | 'burst', from: number }} args
   */
  async emit({ count, pace, from }) {
    const speakers = served.held.slice(from);
    if (pace === 'turns') await Promise.all(speakers.map(({ chunk }) => inTurns(count, chunk)));
    else for (const { chunk } of speakers) atOnce(count, chunk);
  },
};
obey(commands);
process.send?.({ id: 0, value: { port: served.port, jsonRpcPath: served.jsonRpcPath, restPath: served.restPath } });

/** @returns {Promise<Served>} */
async function serve() {
  switch (contestant) {
    case 'floor':
      return (await import('./servers/floor.mjs')).serve();
    case 'peer':
      return (await import('./servers/peer.mjs')).serve();
    case 'peer-sql':
      return (await import('./servers/peer-sql.mjs')).serve(folder);
    case 'memory':
    case 'sqlite':
      return (await import('./servers/ours.mjs')).serve(contestant, folder);
    default:
      throw new Error(`no such contestant: ${contestant}`);
  }
}
