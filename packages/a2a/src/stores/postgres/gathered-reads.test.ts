import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { newSchema } from '../../../test/databases/provided.js';
import { appended, commitAll, creation, ref } from '../../testing/store-contract/samples.js';
import type { TaskStore } from '../store.js';
import { postgresStore } from './index.js';

/** The number of log queries that reached the database. */
let asked = 0;
let pool: pg.Pool;
let schema: string;
let store: TaskStore;

beforeEach(async () => {
  pool = new pg.Pool({ connectionString: inject('postgresUrl') });
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      if (JSON.stringify(args[0]).includes('read_after')) asked += 1;
      return query(...args);
    }) as typeof client.query;
  });
  schema = newSchema();
  store = postgresStore(pool, { schema });
  for (let n = 0; n < 100; n += 1) await commitAll(store, creation(ref(`t${n}`)), appended(ref(`t${n}`), 3, n % 3));
  asked = 0;
});
afterEach(async () => {
  await store.close();
  await pool.end();
});

const seqsOf = async (id: string, after: number) => {
  const entries = await store.readAfter(ref(id), after, 1_000);
  return typeof entries === 'string' ? entries : entries.map(({ seq }) => seq);
};

test('concurrent reads are one query, and each gets its own answer: entries, no entries, or missing', async () => {
  const answers = await Promise.all([
    seqsOf('t2', 1),
    seqsOf('t2', 2),
    seqsOf('t1', 2),
    seqsOf('t0', 2),
    seqsOf('unknown', 0),
    seqsOf('t2', Number.POSITIVE_INFINITY),
  ]);
  expect(answers).toEqual([[2, 3, 4], [3, 4], [3], [], 'missing', []]);
  expect(asked).toBe(1);
});

test('equal reads are queried once', async () => {
  const answers = await Promise.all(Array.from({ length: 300 }, () => seqsOf('t2', 2)));
  expect(new Set(answers.map(String))).toEqual(new Set(['3,4']));
  expect(asked).toBe(1);
});

test('reads that exceed one query are split, and each gets its own answer', async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => seqsOf(`t${n}`, 2)));
  expect(answers).toEqual(Array.from({ length: 100 }, (_, n) => [3, 4].slice(0, n % 3)));
  expect(asked).toBe(2);
});

test('a failed query fails for all its reads, and the next read starts a new query', async () => {
  await pool.query(`ALTER FUNCTION ${schema}.read_after RENAME TO hidden`);
  const failed = await Promise.allSettled([seqsOf('t2', 2), seqsOf('t1', 2)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await pool.query(`ALTER FUNCTION ${schema}.hidden RENAME TO read_after`);
  expect(await seqsOf('t2', 2)).toEqual([3, 4]);
});

test('a read before close() is answered', async () => {
  const answer = seqsOf('t2', 2);
  await store.close();
  expect(await answer).toEqual([3, 4]);
});
