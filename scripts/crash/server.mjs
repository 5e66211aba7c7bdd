// The process that is killed. It runs two agents, each with its own file, one for each recovery policy. `node server.mjs FOLDER BOOT`
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { listen } from '@parley/a2a/node';
import { createAgent } from '@parley/a2a/server';
import { sqlite } from '@parley/a2a/sqlite';
import { createExecutor } from './executor.mjs';
import { POLICIES } from './jobs.mjs';

const [folder = '', boot = ''] = process.argv.slice(2);
/** @type {Record<string, string>} */
const urls = {};

process.once('disconnect', () => process.exit()); // the parent process ended
for (const policy of POLICIES) urls[policy] = await serve(policy);
process.send?.(urls);

/** @param {import('./jobs.mjs').Policy} policy */
async function serve(policy) {
  const agent = createAgent({
    name: `Agent that is killed (${policy})`,
    store: sqlite(join(folder, `${policy}.db`)),
    recovery: policy,
    maxAttempts: 1_000, // every kill may hit the same task
    // All walkers call from one address.
    maxRunningTasksPerCaller: 1_000,
    maxReadersPerCaller: 1_000,
    // The line is in the page cache when this returns, so it survives the kill.
    executor: createExecutor(({ taskId, message, attempt }) => {
      const entered = { policy, boot: Number(boot), taskId, messageId: message?.messageId, attempt };
      appendFileSync(join(folder, 'entered.jsonl'), `${JSON.stringify(entered)}\n`);
    }),
    onError: (error, where) => {
      if (error.metadata.why === 'crash') return; // expected after a kill; the evidence is read from the task itself
      console.error(`boot ${boot}, ${policy}:`, error.reason, error.message, where, error.cause ?? '');
    },
  });
  return (await listen(agent, { port: 0 })).url;
}
