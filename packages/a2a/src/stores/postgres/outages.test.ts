/** A database that restarts, crashes, has no free connection, is slow, or refuses writes. Uses its own server. */
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { startPostgres } from '../../../../../scripts/databases/postgres.mjs';
import { cuttingProxy } from '../../../test/databases/cutting-proxy.js';
import { newSchema } from '../../../test/databases/provided.js';
import { appended, commitAll, creation, readAll, ref } from '../../testing/store-contract/samples.js';
import type { CommitResult, TaskStore } from '../store.js';
import { type PostgresStoreOptions, postgresStore } from './index.js';

const MAX_CONNECTIONS = 20;
const ok = { kind: 'ok', refused: [] };

describe('D12: a short outage of PostgreSQL loses nothing', { timeout: 60_000 }, () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;

  beforeAll(async () => {
    server = await startPostgres({ settings: { max_connections: MAX_CONNECTIONS } });
    return () => server.remove();
  }, 60_000);

  async function withStore(options: PostgresStoreOptions, use: (store: TaskStore) => Promise<void>): Promise<void> {
    const store = postgresStore(server.url, { schema: newSchema(), ...options });
    try {
      await use(store);
    } finally {
      await store.close();
    }
  }
  /** Runs statements as another client of the database. */
  async function elsewhere<T>(use: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client(server.url);
    client.on('error', () => {});
    await client.connect();
    try {
      return await use(client);
    } finally {
      await client.end();
    }
  }

  for (const mode of ['fast', 'immediate'] as const) {
    test(`D12: acknowledged entries are stored once and in order after a restart (${mode}) during many commits`, () =>
      withStore({}, async (store) => {
        const tasks = Array.from({ length: 8 }, (_, n) => ref(`task-${n}`));
        await commitAll(store, ...tasks.map((task) => creation(task)));
        let isDown = false;
        let isOver = false;
        const write = async (first: number): Promise<readonly CommitResult[]> => {
          const answers: CommitResult[] = [];
          // Gathered commits of two tasks, several at once.
          for (let seq = 3; !isOver; seq += 1) {
            answers.push(...(await store.commit(tasks.slice(first, first + 2).map((task) => appended(task, seq)))));
          }
          return answers;
        };
        const writers = [0, 2, 4, 6].map(write);
        const read = (async () => {
          while (!isOver) expect((await store.load(ref('task-0')))?.seq).toBeGreaterThan(1);
        })();
        await pause(300);
        isDown = true;
        await server.down(mode);
        await pause(200);
        await server.up();
        isDown = false;
        await pause(300);
        isOver = true;
        for (const [index, answers] of (await Promise.all(writers)).entries()) {
          expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['ok']));
          const acknowledged = 2 + answers.length / 2;
          const seqs = (await readAll(store, ref(`task-${index * 2}`))).map(({ seq }) => seq);
          expect(seqs).toEqual(Array.from({ length: acknowledged }, (_, n) => n + 1));
        }
        await read;
        expect(isDown).toBe(false);
      }));
  }

  test('D12: when the database stays down, calls reject with the cause after patienceMs', async () => {
    await withStore({ patienceMs: 300 }, async (store) => {
      await commitAll(store, creation(ref('a')));
      await server.down();
      try {
        for (const call of [() => store.load(ref('a')), () => store.commit([appended(ref('a'), 3)]), () => store.now()]) {
          const start = performance.now();
          await expect(call()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
          expect(performance.now() - start).toBeLessThan(1_500);
        }
      } finally {
        await server.up();
      }
      expect(await store.commit([appended(ref('a'), 3)])).toEqual([ok]);
    });
  });

  test('D12: a store can be created and used before its database is up', async () => {
    await server.down();
    const up = pause(300).then(() => server.up());
    await withStore({}, async (store) => {
      expect(await store.commit([creation(ref('a'))])).toEqual([ok]);
    });
    await up;
  });

  test('D12: closing does not wait for a database that is down', async () => {
    await server.down();
    const store = postgresStore(server.url, { schema: newSchema() });
    const call = expect(store.load(ref('a'))).rejects.toThrow();
    await pause(100);
    const start = performance.now();
    await store.close();
    await call;
    expect(performance.now() - start).toBeLessThan(2_000);
    await server.up();
  });

  test('D12: idle connections that the server closes do no harm', () =>
    withStore({}, async (store) => {
      await Promise.all(Array.from({ length: 5 }, () => store.now()));
      await elsewhere((client) =>
        client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', ['parley']),
      );
      await pause(50);
      expect(await store.now()).toBeGreaterThan(0);
    }));

  test('D12: a call waits while the server has no free connection', async () => {
    const others = Array.from({ length: MAX_CONNECTIONS }, () => new pg.Client(server.url));
    for (const other of others) other.on('error', () => {});
    await Promise.all(others.map((other) => other.connect()));
    const impatient = postgresStore(server.url, { patienceMs: 200, schema: newSchema() });
    await expect(impatient.now()).rejects.toMatchObject({ code: '53300' });
    await impatient.close();
    const store = postgresStore(server.url, { schema: newSchema() });
    const commit = store.commit([creation(ref('a'))]);
    await pause(200);
    await Promise.all(others.map((other) => other.end()));
    expect(await commit).toEqual([ok]);
    await store.close();
  });

  test('D12: a read-only database can be read, and writes are retried until it accepts them', () =>
    withStore({ patienceMs: 5_000 }, async (store) => {
      await commitAll(store, creation(ref('a')));
      const setReadOnly = (is: 'on' | 'off') =>
        elsewhere(async (client) => {
          await client.query(`SET default_transaction_read_only = off`);
          await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${is}`);
          await client.query('SELECT pg_reload_conf()');
        });
      await setReadOnly('on');
      await pause(100);
      const commit = store.commit([appended(ref('a'), 3)]);
      expect((await store.load(ref('a')))?.seq).toBe(2);
      await pause(200);
      await setReadOnly('off');
      expect(await commit).toEqual([ok]);
    }));

  test('D12: a locked row delays only its own write, and at most for patienceMs', () =>
    withStore({ queryTimeoutMs: 400, patienceMs: 1_500, schema: 'held' }, async (store) => {
      const [held, free] = [ref('held'), ref('free')];
      await commitAll(store, creation(held), creation(free));
      await elsewhere(async (client) => {
        await client.query('BEGIN');
        await client.query(`SELECT 1 FROM held.tasks WHERE id = 'held' FOR UPDATE`);
        const answers = await store.commit([appended(free, 3), appended(held, 3)]);
        expect(answers).toEqual([ok, { kind: 'failed', cause: expect.objectContaining({ code: '55P03' }) }]);
        expect((await store.load(free))?.seq).toBe(3);
        const patient = store.commit([appended(free, 4), appended(held, 3)]);
        await pause(600);
        await client.query('COMMIT');
        expect(await patient).toEqual([ok, ok]);
      });
      expect((await readAll(store, held)).length).toBe(3);
    }));

  test('D12: a connection that hangs is abandoned and discarded', async () => {
    const proxy = await cuttingProxy(server.url);
    const store = postgresStore(proxy.url, { schema: newSchema(), queryTimeoutMs: 300, connections: 2 });
    await commitAll(store, creation(ref('a')));
    proxy.freeze();
    const commit = store.commit([appended(ref('a'), 3)]);
    await pause(100);
    proxy.thaw();
    expect(await commit).toEqual([ok]);
    expect((await readAll(store, ref('a'))).length).toBe(3);
    await store.close();
    await proxy.close();
  });
});

function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}
