// One contestant in its own process. It executes commands of the load generator and reports the resources that the process has used.

import { rmSync } from 'node:fs';
import { COUNTERS, usedHeap } from './counters.mjs';
import { obey } from './obey.mjs';
import { atOnce, inTurns } from './servers/script.mjs';

/** @typedef {import('./servers/script.mjs').Served} Served */

const [contestant = '', folder = ''] = process.argv.slice(2);

const served = await serve();
// The load generator has ended, so this process removes its files and ends too.
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
  /** Bytes in use after garbage collection. */
  heap: usedHeap,
  /** @param {{ counted: import('./counters.mjs').Counted }} args */
  startCount: ({ counted }) => COUNTERS[counted].start(),
  /** @param {{ counted: import('./counters.mjs').Counted }} args */
  stopCount: ({ counted }) => COUNTERS[counted].stop(),
  /** @param {{ count: number, order: 'in-order' | 'shuffled' }} args */
  async seed({ count, order }) {
    await served.seed(count, order);
  },
  /** The number of open tasks. */
  held() {
    return served.held.length;
  },
  /**
   * Open tasks, starting at the n-th, publish `count` chunks each. Returns when they are published, not when they are delivered.
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
    case 'gathered':
      return (await import('./servers/floor.mjs')).serve(contestant);
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
