// The server under attack, with default limits: `node server-process.mjs CONFIG`, where CONFIG is JSON. Sends its port when it listens.
import { listen } from '@parley/a2a/node';
import { postgres } from '@parley/a2a/postgres';
import { createAgent, memoryStore } from '@parley/a2a/server';
import { sqlite } from '@parley/a2a/sqlite';
import { executor } from './executor.mjs';

/**
 * @typedef {object} ServerConfig
 * @property {'memory' | 'sqlite' | 'postgres'} store
 * @property {string} file of SQLite
 * @property {string} url of PostgreSQL
 * @property {string} schema
 * @property {object} options of createAgent that the case needs; no limits
 */

/** @type {ServerConfig} */
const config = JSON.parse(process.argv[2] ?? '');

process.once('disconnect', () => process.exit()); // the parent process ended

const agent = createAgent({ name: 'Agent under siege', store: openStore(), auth: authenticate, executor, ...config.options });
const { port } = await listen(agent, { port: 0 });
process.send?.({ port });

/** The token is the name of the caller; without a token the caller is anonymous. @param {import('@parley/a2a/server').WireRequest} request */
function authenticate(request) {
  return { id: request.header('authorization')?.replace('Bearer ', '') ?? '' };
}

function openStore() {
  if (config.store === 'memory') return memoryStore();
  if (config.store === 'sqlite') return sqlite(config.file);
  return postgres(config.url, { schema: config.schema });
}
