import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { newSchema } from '../../../test/databases/provided.js';
import { commitAll, creation, ref } from '../../testing/store-contract/samples.js';
import { ConcurrencyLimit } from './concurrency-limit.js';
import { postgresStore } from './index.js';

test('F63: lists use at most three of ten connections, so that commits find a free one', async () => {
  const pool = new pg.Pool({ connectionString: inject('postgresUrl'), max: 10 });
  const store = postgresStore(pool, { schema: newSchema() });
  await commitAll(store, creation(ref('a')));
  const { agent, tenant, owner } = ref('a');
  const pages = await Promise.all(Array.from({ length: 50 }, () => store.list({ agent, tenant, owner, limit: 10, count: false })));
  expect(pages.map(({ tasks }) => tasks.length)).toEqual(pages.map(() => 1));
  expect(pool.totalCount, 'the pool makes a connection when all others are in use').toBeLessThanOrEqual(3);
  await store.close();
  await pool.end();
});

test('F63: waiting work runs in the order of its arrival, also after work that failed', async () => {
  const limit = new ConcurrencyLimit({ width: 1, maxWaitMs: 5_000 });
  const ran: number[] = [];
  const work = (n: number) => async () => {
    ran.push(n);
    if (n === 1) throw new Error('failed');
  };
  const ends = await Promise.allSettled([0, 1, 2, 3].map((n) => limit.run(work(n))));
  expect(ran).toEqual([0, 1, 2, 3]);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
});

test('F63: work that waits too long is refused with an error that can be retried, and its place is not lost', async () => {
  const limit = new ConcurrencyLimit({ width: 1, maxWaitMs: 20 });
  let end = (): void => {};
  const first = limit.run(
    () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
  );
  await expect(limit.run(async () => 'never')).rejects.toMatchObject({ reason: 'AGENT_UNAVAILABLE', retryable: true });
  end();
  await first;
  expect(await limit.run(async () => 'next')).toBe('next');
});
