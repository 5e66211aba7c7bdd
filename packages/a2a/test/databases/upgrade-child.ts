/**
 * A process that opens a schema, which upgrades it, and then stays alive. `node child.mjs URL SCHEMA`; prints a line when the upgrade is
 * done.
 */
import { writeSync } from 'node:fs';
import { postgresStore } from '../../src/stores/postgres/index.js';

const [, , url = '', schema = ''] = process.argv;

const store = postgresStore(url, { schema, patienceMs: 600_000, queryTimeoutMs: 600_000 });
await store.now();
writeSync(1, 'through\n');
setInterval(() => {}, 1_000);
