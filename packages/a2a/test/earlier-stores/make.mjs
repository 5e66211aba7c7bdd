// Writes the fixtures in this folder with the code that is checked out. See README.md.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { startPostgres } from '../../../../scripts/databases/postgres.mjs';

const SCHEMA = 'earlier_schema';
const here = fileURLToPath(new URL('.', import.meta.url));
const source = (/** @type {string} */ path) => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));

/** Inside the package, so that the drivers can be resolved. */
const folder = mkdtempSync(fileURLToPath(new URL('../../.fixtures-', import.meta.url)));
const { createAgent, sqlite, postgresStore } = await library();

/** All times are on 2026-01-02, whenever this script runs. */
const startedAt = Date.now();
const clock = {
  now: () => Date.UTC(2026, 0, 2) + Date.now() - startedAt,
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
  soon: (callback) => void setImmediate(callback),
};

try {
  await makeSqlite();
  await makePostgres();
} finally {
  rmSync(folder, { recursive: true });
}
process.exit(0);

async function makeSqlite() {
  const file = join(folder, 'agent.db');
  const store = sqlite(file, { clock });
  await fill(store);
  await store.close();
  writeFileSync(join(here, 'sqlite-2.db.gz'), gzipSync(readFileSync(file), { level: 9 }));
}

async function makePostgres() {
  const server = await startPostgres();
  try {
    const store = postgresStore(server.url, { schema: SCHEMA, clock });
    await fill(store);
    await store.close();
    const args = ['--dbname', server.url, '--schema', SCHEMA, '--inserts', '--no-owner', '--no-privileges'];
    const { stdout, stderr, status } = spawnSync('/usr/lib/postgresql/15/bin/pg_dump', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    // Lines that start with a backslash are commands of psql.
    writeFileSync(join(here, 'postgres-1.sql.gz'), gzipSync(stdout.replaceAll(/^\\.*\n/gm, ''), { level: 9 }));
  } finally {
    await server.remove();
  }
}

/** Creates a finished task, a compacted task, a running task with a pending message, and a parked task with a reply. */
async function fill(inner) {
  const node = startNode(inner);
  const compacted = await node.send('finish', 'compacted');
  await inner.sweep({ replayMs: 0, batch: 10 }, clock.now() + 1);
  await node.send('finish', 'finished', { idempotencyKey: 'key-1' });
  const running = await node.send('run', 'running');
  await node.until(running, 'TASK_STATE_WORKING');
  await node.send('and this', 'running-2', { taskId: running });
  const parked = await node.send('ask', 'parked');
  await node.send('Paris', 'parked-2', { taskId: parked });
  // Waits until the task is parked, not only INPUT_REQUIRED: the log must contain its note.
  for (let stored; stored?.node !== undefined || stored === undefined; ) {
    await nextTurn();
    stored = await inner.load({ tenant: '', owner: '', id: parked });
  }
  node.cutOff();
  process.stdout.write(`${JSON.stringify({ compacted, running, parked })}\n`);
}

function startNode(inner) {
  let isCut = false;
  const line = (value) => (typeof value !== 'function' ? value : async (...call) => (isCut ? new Promise(() => {}) : value(...call)));
  const store = Object.fromEntries(Object.entries(inner).map(([name, value]) => [name, line(value)]));
  const agent = createAgent({
    name: 'Earlier',
    node: 'node-1',
    store,
    clock,
    parkAfterMs: 50,
    ids: { taskId: () => nextId, contextId: () => `context of ${nextId}`, messageId: () => `m-${++messages}`, artifactId: () => 'text' },
    async execute(context, events) {
      await events.working('At work');
      if (context.text === 'run') {
        await events.appendText('text', 'half of ');
        await events.flush();
        await new Promise(() => {});
      }
      if (context.text === 'ask') {
        const city = await context.requireInput('Which city?');
        const day = await context.requireInput('Which day?');
        await events.complete(`${city} on ${day}`);
        return;
      }
      await events.appendText('text', 'one ');
      await events.flush();
      await events.appendText('text', 'two');
      await events.complete('Done');
    },
  });
  let nextId = '';
  let messages = 0;
  const call = async (method, params, options = {}) => {
    const reply = await agent.handle({ method, params, caller: { id: '' }, requestId: 'r', extensions: [], ...options });
    return JSON.parse(reply.json);
  };
  return {
    async send(text, id, { taskId, ...options } = {}) {
      nextId = id;
      const message = { messageId: `message of ${id}`, role: 'ROLE_USER', parts: [{ text }], ...(taskId && { taskId }) };
      const isBlocking = text === 'finish' || text === 'ask' || text === 'Paris';
      const { task } = await call('SendMessage', { message, configuration: { returnImmediately: !isBlocking } }, options);
      return task.id;
    },
    async until(id, state) {
      for (;;) {
        const { artifacts, status } = await call('GetTask', { id });
        if (status.state === state && artifacts !== undefined) return;
        await nextTurn();
      }
    },
    cutOff() {
      isCut = true;
    },
  };
}

/** Bundles the entry points of the library from the sources. */
async function library() {
  const entry = join(folder, 'entry.ts');
  const exported = [
    ['createAgent', 'server/index.ts'],
    ['sqlite', 'stores/sqlite/index.ts'],
    ['postgresStore', 'stores/postgres/index.ts'],
  ];
  writeFileSync(entry, exported.map(([name, path]) => `export { ${name} } from ${JSON.stringify(source(path))};\n`).join(''));
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    logLevel: 'silent',
    external: ['libsql', 'pg'],
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] }, alias: { '#output-check': source('protocol/output-check/strict.ts') } },
  });
  const file = join(folder, 'library.mjs');
  await bundle.write({ file, format: 'esm' });
  await bundle.close();
  return import(pathToFileURL(file).href);
}
