import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { installPgBouncer, startPgBouncer } from '../../../../../scripts/databases/pgbouncer.mjs';
import { startPostgres } from '../../../../../scripts/databases/postgres.mjs';
import { hearing, move, recordBus } from '../../../test/databases/bus-ends.js';
import { type PostgresBusOptions, postgresBus } from './index.js';
import type { Pace } from './link.js';

const QUICK: Partial<Pace> = { testMs: 500, retestMs: 300, untestedMs: 100, quietMs: 200, retryMs: 50, longestRetryMs: 200 };

const ending: (() => Promise<unknown>)[] = [];

vi.setConfig({ testTimeout: 30_000, hookTimeout: 120_000 });

let postgres: Awaited<ReturnType<typeof startPostgres>>;

beforeAll(async () => {
  installPgBouncer();
  postgres = await startPostgres();
});

afterAll(() => postgres.remove());

afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

function busAt(url: string, options: PostgresBusOptions = {}) {
  const bus = postgresBus(url, { schema: expect.getState().currentTestName, ...options }, QUICK);
  ending.push(() => bus.close());
  return bus;
}

test.each(['fast', 'immediate'] as const)('D42: it receives again after a restart of the server (%s)', async (mode) => {
  const buses = [await hearing(busAt(postgres.url)), await hearing(busAt(postgres.url))] as const;
  const ears = buses.map(recordBus);
  await postgres.down(mode);
  for (const ear of ears) await ear.until(({ hearing }) => hearing.at(-1) === false);
  buses[0].notify([move('a', 1)]);
  await postgres.up();
  for (const ear of ears) await ear.until(({ hearing }) => hearing.at(-1) === true);
  for (const ear of ears) expect(ear.hearing).toEqual([false, true]);
  buses[0].notify([move('b', 1)]);
  await ears[1]?.until(({ moves }) => moves.some(({ ref }) => ref.id === 'b'));
});

test('D42: behind PgBouncer in transaction mode it warns and reports that it does not receive; a direct listener receives', async () => {
  const bouncer = await startPgBouncer({ url: postgres.url, mode: 'transaction' });
  ending.push(() => bouncer.remove());
  const warnings: string[] = [];
  const behind = busAt(bouncer.url, { onWarning: (text) => warnings.push(text) });
  const [deaf, direct] = [recordBus(behind), recordBus(await hearing(busAt(postgres.url)))];
  await deaf.until(({ hearing }) => hearing.length > 0);
  expect(deaf.hearing).toEqual([false]);
  behind.notify([move('a', 1)]);
  await direct.until(({ moves }) => moves.length > 0);
  expect(direct.moves).toEqual([move('a', 1)]);
  // It tests again meanwhile, but warns once.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(deaf.hearing).toEqual([false]);
  expect(warnings).toEqual([expect.stringContaining('listenUrl')]);
});

test('D42: behind PgBouncer in session mode it receives', async () => {
  const bouncer = await startPgBouncer({ url: postgres.url, mode: 'session' });
  ending.push(() => bouncer.remove());
  const here = await hearing(busAt(postgres.url));
  const ear = recordBus(await hearing(busAt(bouncer.url)));
  here.notify([move('a', 1)]);
  await ear.until(({ moves }) => moves.length > 0);
});

test('D42: without free connections it reports that it does not receive, and receives when there are some again', async () => {
  const small = await startPostgres({ settings: { max_connections: 4, superuser_reserved_connections: 0, max_wal_senders: 0 } });
  ending.push(() => small.remove());
  const taken = Array.from({ length: 4 }, () => new pg.Client(small.url));
  for (const client of taken) await client.connect();
  const ear = recordBus(busAt(small.url, { onWarning: () => {} }));
  await ear.until(({ hearing }) => hearing.length > 0);
  await taken[0]?.end();
  // One connection is enough to listen, but not to test whether notifications arrive.
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(ear.hearing).toEqual([false]);
  await taken[1]?.end();
  await ear.until(({ hearing }) => hearing.at(-1) === true);
  for (const client of taken.slice(2)) await client.end();
});

test('D42: a server that refuses notifications is reported, and gets them later', async () => {
  const admin = new pg.Client(postgres.url);
  await admin.connect();
  await admin.query('CREATE ROLE plain LOGIN');
  const plain = new URL(postgres.url);
  plain.username = 'plain';
  const warnings: string[] = [];
  const here = await hearing(busAt(plain.href, { onWarning: (text) => warnings.push(text) }));
  const ear = recordBus(await hearing(busAt(postgres.url)));
  await admin.query('REVOKE EXECUTE ON FUNCTION pg_notify(text, text) FROM PUBLIC');
  here.notify([move('a', 1)]);
  await vi.waitFor(() => expect(warnings).toEqual([expect.stringContaining('refuses notifications')]));
  await admin.query('GRANT EXECUTE ON FUNCTION pg_notify(text, text) TO PUBLIC');
  await admin.end();
  await ear.until(({ moves }) => moves.length > 0);
  expect(ear.moves).toEqual([move('a', 1)]);
});
