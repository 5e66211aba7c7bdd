import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { postgresStore } from '../../src/stores/postgres/index.js';
import { numberEvents } from '../../src/stores/postgres/number-events.js';
import { manualClock } from '../../src/testing/index.js';
import { bundleScript, startChild } from '../child.js';
import {
  expectNumbered,
  expectRecovered,
  expectServed,
  expectUpgraded,
  longLog,
  NOW,
  postgresFixture,
} from '../earlier-stores/upgraded.js';
import { refOf } from '../looking.js';
import { tempFolder } from '../temp-folder.js';
import { newSchema } from './provided.js';

const url = inject('postgresUrl');
const folder = tempFolder();
const pool = new pg.Pool({ connectionString: url, max: 3 });
beforeAll(() => () => pool.end());

/** Creates a schema of an earlier version. */
async function earlierSchema(): Promise<string> {
  const schema = newSchema();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(postgresFixture(schema));
  await client.end();
  return schema;
}

const open = (schema: string) =>
  postgresStore(url, { schema, clock: manualClock(NOW), lingerMs: 0, patienceMs: 60_000, queryTimeoutMs: 60_000 });

/** The same schema with a long log. */
async function earlierSchemaWithLongLog(rows: number): Promise<string> {
  const schema = await earlierSchema();
  await pool.query(`
    INSERT INTO ${schema}.events (task, first_seq, count, epoch, text)
    SELECT t.pk, seq, 1, 1, ${longLog.sql('seq', `${NOW} + seq`)}
    FROM ${schema}.tasks AS t, generate_series(5, ${4 + rows}) AS seq WHERE t.id = 'running'`);
  return schema;
}

describe('D46, D56: a PostgreSQL schema of an earlier version', () => {
  test('D46: its logs have generations and times, and everything else is unchanged', async () => {
    const schema = await earlierSchema();
    const store = open(schema);
    await expectUpgraded(store);
    await store.close();
    const { rows } = await pool.query(`SELECT version, to_regclass('${schema}.numbering') AS numbering FROM ${schema}.schema_version`);
    expect(rows).toEqual([{ version: 3, numbering: null }]);
  });

  test.each(['fail', 'restart'] as const)('D46: the task of the dead node follows the recovery policy: %s', async (recovery) => {
    const store = open(await earlierSchema());
    await expectRecovered(store, recovery);
    await store.close();
  });

  test('D46: the finished task is unchanged, and the parked task continues with its recorded reply', async () => {
    const store = open(await earlierSchema());
    await expectServed(store);
    await store.close();
  });

  test('D56: its tasks, totals and requests belong to the agent with the empty name', async () => {
    const schema = await earlierSchema();
    const store = open(schema);
    const query = { tenant: '', owner: '', limit: 9, count: true };
    expect((await store.list({ ...query, agent: 'another' })).total).toBe(0);
    expect((await store.list({ ...query, agent: '' })).total).toBe(4);
    await store.close();
    const { rows } = await pool.query(`SELECT agent, key FROM ${schema}.requests`);
    expect(rows).toEqual([{ agent: '', key: 'key-1' }]);
  });
});

test('F72: the history and the artifacts of an earlier version are read where they are, and later ones are added', async () => {
  const schema = await earlierSchema();
  const message = (id: string): string => JSON.stringify({ messageId: id, role: 'ROLE_USER', parts: [{ text: 'x'.repeat(5_000) }] });
  await pool.query(`UPDATE ${schema}.tasks SET history = $1 WHERE id = 'parked'`, [`${message('1')}\n${message('2')}`]);
  const store = open(schema);
  expect((await store.load(refOf('parked'), 1))?.snapshot).toMatchObject({ messages: 2, text: { history: message('2') } });
  await expectServed(store);
  const { snapshot } = (await store.load(refOf('parked'))) ?? {};
  expect(snapshot?.text.history.split('\n').slice(0, 2)).toEqual([message('1'), message('2')]);
  expect(snapshot?.text.history.split('\n')).toHaveLength(snapshot?.messages ?? 0);
  expect(snapshot?.messages).toBeGreaterThan(2);
  await store.close();
});

describe('D46: an upgrade of a long log', () => {
  let script: string;
  beforeAll(async () => {
    script = await bundleScript(new URL('upgrade-child.ts', import.meta.url), folder);
  }, 30_000);

  /** The last numbered seq of the long log. */
  async function placeOf(schema: string): Promise<number> {
    const { rows: found } = await pool.query(`SELECT to_regclass('${schema}.numbering') IS NOT NULL AS is`);
    if (!found[0].is) return 0;
    const { rows } = await pool.query(
      `SELECT n.first_seq FROM ${schema}.numbering AS n JOIN ${schema}.tasks AS t ON t.pk = n.task AND t.id = 'running'`,
    );
    return Number(rows[0]?.first_seq ?? 0);
  }

  test('D46: when nodes are killed between batches, the next node continues, and each row is numbered once', {
    timeout: 60_000,
  }, async () => {
    for (const rows of longLog.lengths) {
      const schema = await earlierSchemaWithLongLog(rows);
      if (!(await isKilledTwice(schema))) continue;
      const store = open(schema);
      await expectNumbered(store, rows);
      return store.close();
    }
    expect.fail('every node had numbered the whole log before it could be killed');
  });

  /** Returns false when a node finished before it could be killed. */
  async function isKilledTwice(schema: string): Promise<boolean> {
    let place = 0;
    for (const _ of [1, 2]) {
      const child = startChild(script, url, schema);
      while ((await placeOf(schema)) <= place && child.lines.length === 0) await nextTurn();
      await child.kill();
      if (child.lines.length > 0) return false;
      place = await placeOf(schema);
    }
    return true;
  }

  test('D46: a batch ends at 8 MB of text, and has at least one row', { timeout: 60_000 }, async () => {
    const schema = await earlierSchema();
    const store = open(schema);
    await store.now();
    await store.close();
    await pool.query(`
      DELETE FROM ${schema}.events;
      INSERT INTO ${schema}.events (task, first_seq, count, epoch, text)
      SELECT 1, seq, 1, 1, 's${NOW} "' || repeat('x', CASE seq WHEN 1 THEN 10 ELSE 3 END * 1024 * 1024) || '"' FROM generate_series(1, 8) AS seq;
      CREATE TABLE ${schema}.numbering (task bigint NOT NULL, first_seq bigint NOT NULL, generation bigint NOT NULL);
      INSERT INTO ${schema}.numbering VALUES (0, 0, 0)`);
    const batches: number[] = [];
    while (batches.at(-1) !== 0) batches.push(Number((await pool.query(numberEvents(schema))).rows[0].count));
    expect(batches).toEqual([1, 3, 3, 1, 0]);
    const { rows } = await pool.query(`SELECT generation::int FROM ${schema}.events ORDER BY first_seq`);
    expect(rows.map(({ generation }) => generation)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('D46: nodes that start at the same time share the batches, and each row is numbered once', { timeout: 60_000 }, async () => {
    const [rows = 0] = longLog.lengths;
    const schema = await earlierSchemaWithLongLog(rows);
    const stores = [1, 2, 3].map(() => open(schema));
    await Promise.all(stores.map((store) => store.now()));
    for (const store of stores.slice(0, 1)) await expectNumbered(store, rows);
    await Promise.all(stores.map((store) => store.close()));
  });
});

describe('D46: a node of the earlier version that is still running', () => {
  const REFUSED = { code: '55000', message: expect.stringMatching(/stop this node, and start it with/) };

  test('D46: gets an error from every function that it calls and from its next heartbeat', async () => {
    const schema = await earlierSchema();
    const earlier = await functionsOf(schema);
    const store = open(schema);
    await store.now();
    expect(earlier.length).toBeGreaterThan(8);
    for (const { name, count } of earlier) {
      const nulls = Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ');
      await expect(pool.query(`SELECT * FROM ${schema}.${name}(${nulls})`, Array(count).fill(null)), name).rejects.toMatchObject(REFUSED);
    }
    const beat = `INSERT INTO ${schema}.nodes AS n (id, incarnation, lease, until) VALUES ('node-1', 'i', 0, 1)
      ON CONFLICT (id) DO UPDATE SET incarnation = excluded.incarnation, until = excluded.until`;
    await expect(pool.query(beat)).rejects.toMatchObject(REFUSED);
    expect(await store.orphans('', 9), 'its lease must expire').toEqual([refOf('running')]);
    await store.close();
  });

  test('D46: a commit of it during the upgrade is in the log or is refused', async () => {
    const schema = await earlierSchema();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('BEGIN');
    await client.query(`SELECT 1 FROM ${schema}.tasks WHERE id = 'running' FOR NO KEY UPDATE`);
    const store = open(schema);
    const upgraded = store.now();
    while (!(await isWaitedFor(schema))) await nextTurn();
    await client.query(
      `INSERT INTO ${schema}.events SELECT pk, 5, 1, 1, 's${NOW} {"late":true}' FROM ${schema}.tasks WHERE id = 'running'`,
    );
    await client.query('COMMIT');
    await client.end();
    await upgraded;
    expect((await store.load(refOf('running')))?.tail.at(-1)).toEqual({
      seq: 5,
      kind: 'status',
      at: NOW,
      json: '{"late":true}',
      generation: 4,
      committedAt: NOW,
    });
    await store.close();
  });

  /** Starts a transaction on its own connection. */
  async function transaction(first: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query("BEGIN; SET LOCAL statement_timeout = '10s'");
    await client.query(first);
    return client;
  }

  test('D46: an upgrade that waits for a dump does not block calls, and finishes after the dump', { timeout: 30_000 }, async () => {
    const schema = await earlierSchema();
    const dump = await transaction(`LOCK TABLE ${schema}.tasks, ${schema}.events IN ACCESS SHARE MODE`);
    const store = open(schema);
    const upgraded = store.now();
    while (!(await isWaitedFor(schema))) await nextTurn();
    const call = await transaction(`SELECT count(*) FROM ${schema}.tasks`);
    await call.query('COMMIT');
    expect((await pool.query(`SELECT version FROM ${schema}.schema_version`)).rows).toEqual([{ version: 1 }]);
    await dump.query('COMMIT');
    await upgraded;
    await expectUpgraded(store);
    await store.close();
  });

  test('D46: a call that locks the tables in another order is not aborted by the upgrade', { timeout: 30_000 }, async () => {
    const schema = await earlierSchema();
    const sweep = await transaction(`DELETE FROM ${schema}.requests WHERE key = 'none'`);
    const store = open(schema);
    const upgraded = store.now();
    while (!(await isWaitedFor(schema, 'requests'))) await nextTurn();
    await sleep(1_200); // PostgreSQL checks for a deadlock one second after a wait begins; a later deadlock is detected by the call
    await sweep.query(`UPDATE ${schema}.tasks SET ended = ended WHERE id = 'none'`);
    await sweep.query('COMMIT');
    await upgraded;
    await expectUpgraded(store);
    await store.close();
  });

  /** The functions with their number of parameters, without the functions that every version has. */
  async function functionsOf(schema: string): Promise<readonly { readonly name: string; readonly count: number }[]> {
    const { rows } = await pool.query(`SELECT proname AS name, pronargs::int AS count FROM pg_proc
      WHERE pronamespace = '${schema}'::regnamespace AND proname NOT IN ('split', 'now_ms')`);
    return rows;
  }

  async function isWaitedFor(schema: string, table = 'tasks'): Promise<boolean> {
    const { rows } = await pool.query(`SELECT 1 FROM pg_locks WHERE relation = '${schema}.${table}'::regclass AND NOT granted`);
    return rows.length > 0;
  }
});
