/** The heartbeat thread of a node on PostgreSQL, with real processes. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import type { Logger } from '../../src/platform/logger.js';
import { postgres } from '../../src/postgres.js';
import { type AgentOptions, createAgent } from '../../src/server/index.js';
import { scriptedExecutor } from '../../src/testing/index.js';
import { bundleScript, startChild } from '../child.js';
import { refOf, storyOf } from '../looking.js';
import { tempFolder } from '../temp-folder.js';
import { LEASE_MS, STALL_MS } from './heartbeat-times.js';
import { newSchema } from './provided.js';

const url = inject('postgresUrl');
const TAKE_OVER_MS = 5_000;

const folder = tempFolder();
let script: string;
beforeAll(async () => {
  script = await bundleScript(new URL('heartbeat-child.ts', import.meta.url), folder, { minify: true });
}, 60_000);

/** A node in this process, which takes over the tasks of dead nodes. */
function startNode(database: string | pg.Pool, options: Partial<AgentOptions> & { readonly schema?: string } = {}) {
  const { schema = newSchema(), ...more } = options;
  const warnings: [string, unknown][] = [];
  const ignore = (): void => {};
  const logger: Logger = { debug: ignore, info: ignore, warn: ({ cause }, text) => warnings.push([text, cause]), error: ignore };
  const store = postgres(database, { schema });
  const executor = scriptedExecutor([{ do: 'complete' }]);
  const agent = createAgent({ name: 'Heir', store, leaseMs: LEASE_MS, logger, executor, recovery: 'restart', ...more } as AgentOptions);
  onTestFinished(() => agent.close({ drainMs: 0 }));
  return { agent, store, executor, schema, warnings };
}

/** With pauses: the other processes need the processor. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(20);
}

async function query<R extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<readonly R[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<R>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

describe('D59: a node on PostgreSQL', () => {
  test('D59, F61: a node that is blocked for two leases keeps its task; a killed node and a hanging node lose theirs in time', {
    timeout: 60_000,
  }, async () => {
    const { agent, executor, schema, store } = startNode(url);
    await until(() => agent.readiness === 'ready');
    const [blocked, killed, hanging] = ['block', 'kill', 'hang'].map((mode) => startChild(script, mode, url, schema));
    const takenOver = (id?: string): Promise<void> => until(() => executor.runs.some(({ taskId }) => taskId === id));
    const lossOf = async (child = killed, lines = 1, end = (): unknown => undefined): Promise<number> => {
      await child?.printed(lines);
      await end();
      const at = performance.now();
      await takenOver(child?.lines[0]);
      return performance.now() - at;
    };
    const [killedMs, hangingMs] = await Promise.all([lossOf(killed, 1, () => killed?.kill()), lossOf(hanging, 2), blocked?.printed(2)]);
    expect(killedMs).toBeLessThan(LEASE_MS + TAKE_OVER_MS);
    expect(hangingMs).toBeLessThan(STALL_MS + LEASE_MS + TAKE_OVER_MS);
    expect(blocked?.lines.slice(1)).toEqual(['done']);
    const id = blocked?.lines[0] ?? '';
    await until(() => agent.tasks.running.length === 0);
    expect(await storyOf(store, refOf(id))).toEqual(['input:turn', 'task:SUBMITTED', 'status:WORKING', 'status:COMPLETED']);
    expect(executor.runs.filter(({ taskId }) => taskId === id)).toEqual([]);
  });

  test('D59: closing ends the lease and the thread at once, and the process exits; the thread alone does not keep a process alive', {
    timeout: 60_000,
  }, async () => {
    const schema = newSchema();
    const [closed, left] = ['close', 'leave'].map((mode) => startChild(script, mode, url, schema));

    expect(await closed?.exited).toEqual({ code: 0, signal: null });
    expect(closed?.lines.at(-1)).toBe('closed');
    const alive = await query(
      `SELECT 1 FROM ${schema}.nodes WHERE until > ${schema}.now_ms() AND id IN (SELECT node FROM ${schema}.tasks)`,
    );
    expect(alive).toEqual([]);
    expect(await left?.exited).toEqual({ code: 0, signal: null });
  });

  test('D59: the thread connects again when its connection is terminated', async () => {
    const name = newSchema();
    const { agent } = startNode(`${url}?application_name=${name}`, { schema: name });
    await until(() => agent.readiness === 'ready');
    const threads = (): Promise<readonly { pid: number }[]> =>
      query(`SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND query ILIKE '%UPDATE%nodes%greatest%'`, [name]);
    await expect.poll(async () => (await threads()).length, { timeout: 10_000 }).toBe(1);
    const [before] = await threads();
    await query('SELECT pg_terminate_backend($1)', [before?.pid]);
    await expect.poll(async () => (await threads()).map(({ pid }) => pid !== before?.pid), { timeout: 10_000 }).toEqual([true]);
    expect(agent.readiness).toBe('ready');
  });

  test('D59: with a Pool of the caller the thread uses its options; a function among them costs one warning', async () => {
    const { hostname: host, port, username, pathname } = new URL(url);
    const options = { host, port: Number(port), user: username, database: pathname.slice(1), max: 2 };
    const [plain, dynamic] = [new pg.Pool({ ...options, types: pg.types }), new pg.Pool({ ...options, password: () => 'secret' })];
    onTestFinished(async () => {
      await Promise.all([plain.end(), dynamic.end()]);
    });
    const nodes = [startNode(plain), startNode(dynamic)];
    await until(() => nodes.every(({ agent }) => agent.readiness === 'ready'));
    const renewals = (): Promise<readonly { schema: string }[]> =>
      query(`SELECT substring(query FROM 't_[0-9a-z_]+') AS schema FROM pg_stat_activity WHERE application_name = 'parley-heartbeat'`);
    await expect.poll(async () => (await renewals()).map(({ schema }) => schema), { timeout: 10_000 }).toContain(nodes[0]?.schema);
    expect((await renewals()).map(({ schema }) => schema)).not.toContain(nodes[1]?.schema);
    expect(nodes.map(({ warnings }) => warnings.length)).toEqual([0, 1]);
    const [text, cause] = nodes[1]?.warnings[0] ?? [];
    expect(text).toContain('heartbeats are sent from the event loop');
    expect(String(cause)).toContain('the option password of the Pool');
  });
});
