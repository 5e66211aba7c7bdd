// The process that is killed: two agents, each with a file of its own, one for each way to recover. `node server.mjs FOLDER BOOT`
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

process.once('disconnect', () => process.exit()); // whoever started us is gone
for (const policy of POLICIES) urls[policy] = await serve(policy);
process.send?.(urls);

/** @param {import('./jobs.mjs').Policy} policy */
async function serve(policy) {
  const agent = createAgent({
    name: `Agent that is killed (${policy})`,
    store: sqlite(join(folder, `${policy}.db`)),
    recovery: policy,
    maxAttempts: 1_000, // a task may be hit by every kill
    // In the page cache when this returns: what the kill leaves behind is what happened.
    executor: createExecutor(({ taskId, message, attempt }) => {
      const entered = { policy, boot: Number(boot), taskId, messageId: message?.messageId, attempt };
      appendFileSync(join(folder, 'entered.jsonl'), `${JSON.stringify(entered)}\n`);
    }),
    onError: (error, where) => {
      if (error.metadata.why === 'crash') return; // what this script is about: it is counted, not printed
      console.error(`boot ${boot}, ${policy}:`, error.reason, error.message, where, error.cause ?? '');
    },
  });
  return (await listen(agent, { port: 0 })).url;
}
