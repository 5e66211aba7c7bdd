// One node that the test kills, pauses and drains: `node node-process.mjs CONFIG`, where CONFIG is JSON.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeOnSignals, listen } from '@parley/a2a/node';
import { postgres } from '@parley/a2a/postgres';
import { redis } from '@parley/a2a/redis';
import { createAgent } from '@parley/a2a/server';
import { createExecutor } from './executor.mjs';
import { Ledger } from './ledger.mjs';
import { connectionNames, named } from './postgres-connections.mjs';

/**
 * @typedef {object} NodeConfig
 * @property {string} node its name, the same after each restart
 * @property {number} boot
 * @property {number} port
 * @property {string} publicUrl
 * @property {string} folder
 * @property {string} postgresUrl
 * @property {string} schema
 * @property {string} [redisUrl] if given, Redis is the bus
 * @property {number} leaseMs
 * @property {number} patienceMs
 * @property {number} drainMs
 */

/** @type {NodeConfig} */
const { node, boot, port, publicUrl, folder, postgresUrl, schema, redisUrl, leaseMs, patienceMs, drainMs } = JSON.parse(
  process.argv[2] ?? '',
);

process.once('disconnect', () => process.exit()); // the parent process ended

const names = connectionNames(node);
const agent = createAgent({
  name: 'Agent in chaos',
  auth: 'none',
  node,
  store: postgres(named(postgresUrl, names.store), { schema, patienceMs, listenUrl: named(postgresUrl, names.listener) }),
  ...(redisUrl !== undefined && { bus: redis(redisUrl, { channel: schema }) }),
  recovery: 'restart',
  leaseMs,
  maxAttempts: 1_000, // every fault may hit the same task
  // All clients call from one address, and one node may have to serve all of them.
  maxRunningTasksPerCaller: 1_000,
  maxWaitingRunsPerCaller: 1_000,
  maxReadersPerCaller: 1_000,
  executor: createExecutor(new Ledger(folder, { node, boot })),
  onError: ({ reason, message, cause }, where) => {
    const line = { at: Date.now(), boot, reason, message, cause: String(cause ?? ''), ...where };
    appendFileSync(join(folder, `errors-${node}.jsonl`), `${JSON.stringify(line)}\n`);
  },
});
const server = await listen(agent, { port, publicUrl });
closeOnSignals(server, { drainMs, onError: (error) => console.error(error) });
