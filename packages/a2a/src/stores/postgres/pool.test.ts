import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import pg from 'pg';
import { describe, expect, inject, test } from 'vitest';
import { newSchema } from '../../../test/databases/provided.js';
import { appended, commitAll, creation, readAll, ref } from '../../testing/store-contract/samples.js';
import { postgresStore } from './index.js';

const url = inject('postgresUrl');

describe('D39: the store does not own a Pool of the caller', () => {
  test('closing the store leaves the Pool, its connections and its listeners unchanged', async () => {
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    const store = postgresStore(pool, { schema: newSchema() });
    await commitAll(store, creation(ref('a')));
    await Promise.all(Array.from({ length: 20 }, (_, n) => commitAll(store, creation(ref(`b${n}`)))));
    expect(pool.totalCount).toBeLessThanOrEqual(2);
    await store.close();
    expect(pool.listenerCount('error')).toBe(0);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect(pool.waitingCount).toBe(0);
    const again = await pool.connect();
    expect(again.listenerCount('error')).toBe(0);
    again.release();
    await pool.end();
  });

  test('answers do not depend on the type parsers and the isolation level of the Pool', async () => {
    // A user may configure this for the whole process: 8-byte integers as bigint.
    const types = { getTypeParser: (type: number) => (text: string) => (type === 20 ? BigInt(text) : `<${text}>`) } as pg.CustomTypesConfig;
    const pool = new pg.Pool({ connectionString: `${url}?options=-c%20default_transaction_isolation=serializable`, types, max: 4 });
    const store = postgresStore(pool, { schema: newSchema() });
    const tasks = ['a', 'b', 'c', 'd'].map((id) => ref(id));
    await commitAll(store, ...tasks.map((task) => creation(task)));
    await Promise.all(
      tasks.map(async (task) => {
        for (let seq = 3; seq < 13; seq += 1) await commitAll(store, appended(task, seq));
      }),
    );
    for (const task of tasks) {
      expect((await store.load(task))?.seq).toBe(12);
      expect((await readAll(store, task)).map(({ seq }) => seq)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
    }
    await store.close();
    await pool.end();
  });

  test('the store ends its own Pool, and no connection is left', async () => {
    const store = postgresStore(`${url}?application_name=ended-test`, { schema: newSchema(), connections: 3 });
    await Promise.all(Array.from({ length: 10 }, () => store.load(ref('a'))));
    const count = async (): Promise<number> => {
      const client = new pg.Client(url);
      await client.connect();
      const { rows } = await client.query("SELECT 1 FROM pg_stat_activity WHERE application_name = 'ended-test'");
      await client.end();
      return rows.length;
    };
    expect(await count()).toBe(3);
    await store.close();
    await expect.poll(count).toBe(0);
  });

  test('a statement that the server refuses does not discard the connection', async () => {
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    const store = postgresStore(pool, { schema: newSchema() });
    await store.now();
    const pid = async () => (await pool.query('SELECT pg_backend_pid() AS pid')).rows[0].pid;
    const before = await pid();
    await expect(store.post(ref('a'), 'message', '{}\0')).rejects.toMatchObject({ code: '22021' });
    expect(await pid()).toBe(before);
    await store.close();
    await pool.end();
  });
});

describe('D12: a busy node is not taken for dead', () => {
  const busy = async (database: string | pg.Pool): Promise<void> => {
    const schema = newSchema();
    const store = postgresStore(database, { schema, connections: 1 });
    await commitAll(store, creation(ref('a')));
    const holder = new pg.Client(url);
    await holder.connect();
    await holder.query(`BEGIN; SELECT 1 FROM "${schema}".tasks FOR UPDATE`);
    const waiting = commitAll(store, appended(ref('a'), 3));
    const behind = store.load(ref('a'));
    expect(await store.beat('node', 'only', (await store.now()) + 60_000)).toBe('ok');
    expect(await Promise.race([waiting, behind, Promise.resolve('they wait')])).toBe('they wait');
    await holder.query('COMMIT');
    await holder.end();
    await Promise.all([waiting, behind]);
    await store.close();
  };

  test('D12: it sends heartbeats while all connections of its store are in use', () => busy(url));

  test('D12: it sends heartbeats while all connections of the caller’s Pool are in use', async () => {
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    await busy(pool);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  test('D12: it sends heartbeats soon after a connect that never completes, also when the caller’s Pool has no timeout', async () => {
    const { hostname, port } = new URL(url);
    let count = 0;
    const way = createServer((socket) => {
      count += 1;
      if (count === 1) return; // never answers
      const there = connect(Number(port), hostname);
      socket.on('error', () => there.destroy());
      there.on('error', () => socket.destroy());
      socket.pipe(there).pipe(socket);
    });
    way.listen(0, '127.0.0.1');
    await once(way, 'listening');
    const connectionString = Object.assign(new URL(url), { port: String((way.address() as AddressInfo).port) }).href;
    const pool = new pg.Pool({ connectionString, max: 1 });
    const store = postgresStore(pool, { schema: newSchema(), queryTimeoutMs: 300, patienceMs: 3_000 });
    expect(await store.now()).toBeGreaterThan(0);
    await store.close();
    await pool.end();
    way.close();
  });
});
