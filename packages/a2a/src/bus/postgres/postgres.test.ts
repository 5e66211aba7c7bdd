import pg from 'pg';
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { hearing, type Line, lineTo, move, recordBus, silentServer } from '../../../test/databases/bus-ends.js';
import { newSchema } from '../../../test/databases/provided.js';
import { busContract } from '../../testing/index.js';
import type { EventBus } from '../bus.js';
import { toClientConfig } from './connection.js';
import { type PostgresBusOptions, postgresBus } from './index.js';
import type { Pace } from './link.js';

/** Short intervals, so that tests need not wait; a statement still has enough time. */
const QUICK: Partial<Pace> = {
  testMs: 300,
  retestMs: 200,
  untestedMs: 50,
  quietMs: 100,
  patienceMs: 500,
  retryMs: 20,
  longestRetryMs: 100,
};

const ending: (() => Promise<unknown>)[] = [];

vi.setConfig({ testTimeout: 20_000 });

afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

function busAt(url: string, options: PostgresBusOptions, pace: Partial<Pace> = QUICK): EventBus {
  const bus = postgresBus(url, options, pace);
  ending.push(() => bus.close());
  return bus;
}

async function lineToPostgres(): Promise<Line & { url: string }> {
  const url = new URL(inject('postgresUrl'));
  const line = await lineTo(Number(url.port));
  ending.push(() => line.close());
  url.port = String(line.port);
  return Object.assign(line, { url: url.href });
}

async function query(text: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client(inject('postgresUrl'));
  await client.connect();
  try {
    return await client.query(text, values);
  } finally {
    await client.end();
  }
}

describe('D42: the bus over PostgreSQL', () => {
  for (const [name, run] of busContract) {
    test(name, () =>
      run(async () => {
        const [schema, url] = [newSchema(), inject('postgresUrl')];
        return Promise.all([hearing(postgresBus(url, { schema })), hearing(postgresBus(url, { schema }))]);
      }),
    );
  }

  test('D42: it connects on first use, once, and leaves no connection behind', async () => {
    const url = new URL(inject('postgresUrl'));
    url.searchParams.set('application_name', newSchema());
    const count = async (): Promise<number> =>
      (await query('SELECT pid FROM pg_stat_activity WHERE application_name = $1', [url.searchParams.get('application_name')])).rowCount ??
      0;
    const bus = postgresBus(url.href, { schema: newSchema() });
    await bus.close();
    expect(await count()).toBe(0);
    const used = postgresBus(url.href, { schema: newSchema() });
    expect(await count()).toBe(0);
    await hearing(used);
    await vi.waitFor(async () => expect(await count()).toBe(1));
    await used.close();
    await vi.waitFor(async () => expect(await count()).toBe(0));
  });

  test('D42: a bus does not receive its own moves, and another schema receives nothing', async () => {
    const schema = newSchema();
    const url = inject('postgresUrl');
    const [here, there] = await Promise.all([hearing(busAt(url, { schema })), hearing(busAt(url, { schema }))]);
    const stranger = await hearing(busAt(url, { schema: newSchema() }));
    const ears = [here, there, stranger].map(recordBus);
    here.notify([move('a', 1)]);
    await ears[1]?.until(({ moves }) => moves.length > 0);
    there.notify([move('b', 1)]);
    await ears[0]?.until(({ moves }) => moves.length > 0);
    expect(ears.map(({ moves }) => moves)).toEqual([[move('b', 1)], [move('a', 1)], []]);
  });

  test('D42: schemas with long names and the same beginning are different channels', async () => {
    const [one, two] = ['1', '2'].map((end) => `${newSchema()}_${'ü'.repeat(60)}${end}`);
    const url = inject('postgresUrl');
    const first = await hearing(busAt(url, { schema: one }));
    const ears = [recordBus(await hearing(busAt(url, { schema: one }))), recordBus(await hearing(busAt(url, { schema: two })))];
    first.notify([move('a', 1)]);
    await ears[0]?.until(({ moves }) => moves.length > 0);
    expect(ears[1]?.moves).toEqual([]);
  });

  test('D42: moves beyond one payload all arrive, and a move that is too long for a payload causes a look', async () => {
    const schema = newSchema();
    const url = inject('postgresUrl');
    const here = busAt(url, { schema });
    const ear = recordBus(await hearing(busAt(url, { schema })));
    const many = Array.from({ length: 5_000 }, (_, index) => move(`task-${index}-${'ü'.repeat(20)}`, 1));
    const long = { ref: { agent: '', tenant: 't'.repeat(5_000), owner: 'o'.repeat(5_000), id: 'long' }, seq: 1 };
    here.notify([...many.slice(0, 2_500), long, ...many.slice(2_500)]);
    await ear.until(({ moves, hearing }) => moves.length === many.length && hearing.length === 1);
    expect(ear.moves).toEqual(many);
    expect(ear.hearing).toEqual([true]);
  });

  test('D42: of a thousand moves of one task in one event-loop iteration, one is sent', async () => {
    const schema = newSchema();
    const url = inject('postgresUrl');
    const here = await hearing(busAt(url, { schema }));
    const ear = recordBus(await hearing(busAt(url, { schema })));
    for (let seq = 1; seq <= 1_000; seq += 1) here.notify([move('a', seq)]);
    await ear.until(({ moves }) => moves.length > 0);
    expect(ear.moves).toEqual([move('a', 1_000)]);
  });

  test('D42: invalid messages on the channel are ignored and reported once', async () => {
    const schema = newSchema();
    const warnings: string[] = [];
    const here = busAt(inject('postgresUrl'), { schema });
    const ear = recordBus(await hearing(busAt(inject('postgresUrl'), { schema, onWarning: (text) => warnings.push(text) })));
    const rubbish = ['', 'rubbish', '{"a":1}', '[[[[', '123456789012[["t","o","id","1"]]', 'x'.repeat(7_999)];
    await query('SELECT pg_notify($1, p) FROM unnest($2::text[]) p', [`parley:${schema}`, rubbish]);
    here.notify([move('a', 1)]);
    await ear.until(({ moves }) => moves.length > 0);
    expect(ear.moves).toEqual([move('a', 1)]);
    expect(ear.hearing).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('are ignored')]);
  });

  test('D42: a listener that throws affects neither other listeners nor the connection', async () => {
    const schema = newSchema();
    const warnings: string[] = [];
    const here = busAt(inject('postgresUrl'), { schema });
    const there = await hearing(busAt(inject('postgresUrl'), { schema, onWarning: (text) => warnings.push(text) }));
    there.listen(() => {
      throw new Error('broken listener');
    });
    const ear = recordBus(there);
    here.notify([move('a', 1)]);
    await ear.until(({ moves }) => moves.length === 1);
    here.notify([move('a', 2)]);
    await ear.until(({ moves }) => moves.length === 2);
    expect(ear.hearing).toEqual([]);
    expect(warnings[0]).toContain('broken listener');
  });

  test('D42: a lost connection is reported and restored, and moves made meanwhile arrive', async () => {
    const schema = newSchema();
    const line = await lineToPostgres();
    const far = await hearing(busAt(line.url, { schema }));
    const near = await hearing(busAt(inject('postgresUrl'), { schema }));
    const [farEar, nearEar] = [recordBus(far), recordBus(near)];
    line.refuse(true);
    line.cut();
    await farEar.until(({ hearing }) => hearing.length === 1);
    expect(farEar.hearing).toEqual([false]);
    far.notify([move('a', 1)]);
    far.notify([move('a', 2), move('b', 0)]);
    const late = recordBus(far);
    await late.until(({ hearing }) => hearing.length === 1);
    expect(late.hearing).toEqual([false]);
    line.refuse(false);
    await farEar.until(({ hearing }) => hearing.length === 2);
    expect(farEar.hearing).toEqual([false, true]);
    await nearEar.until(({ moves }) => moves.length === 2);
    expect(nearEar.moves).toEqual([move('a', 2), move('b', 0)]);
    near.notify([move('c', 1)]);
    await farEar.until(({ moves }) => moves.length === 1);
  });

  test('D42: moves made while the database is down are bounded; beyond the limit they become a look', async () => {
    const schema = newSchema();
    const line = await lineToPostgres();
    line.refuse(true);
    const far = busAt(line.url, { schema, onWarning: () => {} });
    const near = recordBus(await hearing(busAt(inject('postgresUrl'), { schema })));
    for (let index = 0; index < 25_000; index += 1) far.notify([move(`task-${index}`, 1)]);
    line.refuse(false);
    await near.until(({ hearing }) => hearing.length === 1);
    expect(near.hearing).toEqual([true]);
    expect(near.moves.length).toBeLessThanOrEqual(10_000);
  });

  test('D42: a peer that never answers is detected by silence', async () => {
    const schema = newSchema();
    const line = await lineToPostgres();
    const ear = recordBus(await hearing(busAt(line.url, { schema })));
    line.freeze();
    await ear.until(({ hearing }) => hearing.at(-1) === false);
    await ear.until(({ hearing }) => hearing.at(-1) === true);
    expect(ear.hearing).toEqual([false, true]);
    await vi.waitFor(() => expect(line.count).toBe(1));
  });

  test('D42: silence on a healthy connection is not reported', async () => {
    const ear = recordBus(await hearing(busAt(inject('postgresUrl'), { schema: newSchema() }, { ...QUICK, quietMs: 20 })));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(ear.hearing).toEqual([]);
  });

  test('D42: a failing connect is reported in time, without the password', async () => {
    const warnings: string[] = [];
    const line = await lineToPostgres();
    line.refuse(true);
    const url = new URL(line.url);
    url.password = 'secret';
    const ear = recordBus(busAt(url.href, { schema: newSchema(), onWarning: (text) => warnings.push(text) }));
    await ear.until(({ hearing }) => hearing.length === 1);
    expect(ear.hearing).toEqual([false]);
    await vi.waitFor(() => expect(warnings).toHaveLength(1));
    expect(warnings[0]).toContain('cannot reach PostgreSQL');
    expect(warnings[0]).not.toContain('secret');
  });

  test('D42: close is quick, also while a server accepts the connection and never answers', async () => {
    const server = await silentServer();
    ending.push(() => server.close());
    const bus = postgresBus(`postgresql://user@127.0.0.1:${server.port}/none`, { schema: newSchema() });
    bus.notify([move('a', 1)]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const before = performance.now();
    await Promise.all([bus.close(), bus.close()]);
    await bus.close();
    expect(performance.now() - before).toBeLessThan(1_000);
  });

  test('D42: it does not keep an idle process alive', async () => {
    const held = (): number => process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;
    await hearing(busAt(inject('postgresUrl'), { schema: newSchema() }));
    await vi.waitFor(() => expect(held()).toBe(0));
  });

  test('D42: waiting moves are sent on close', async () => {
    const schema = newSchema();
    const here = await hearing(busAt(inject('postgresUrl'), { schema }));
    const ear = recordBus(await hearing(busAt(inject('postgresUrl'), { schema })));
    here.notify([move('a', 1)]);
    await here.close();
    await ear.until(({ moves }) => moves.length === 1);
  });

  test('D42: with a Pool it uses its own connection with the options of the pool', async () => {
    const schema = newSchema();
    const pool = new pg.Pool({ connectionString: inject('postgresUrl'), max: 1 });
    ending.push(() => pool.end());
    const bus = postgresBus(pool, { schema });
    ending.push(() => bus.close());
    const ear = recordBus(await hearing(bus));
    expect(pool.totalCount).toBe(0);
    busAt(inject('postgresUrl'), { schema }).notify([move('a', 1)]);
    await ear.until(({ moves }) => moves.length === 1);
    const hidden = new pg.Pool({ host: '127.0.0.1', user: 'user', password: 'secret' });
    expect(toClientConfig(hidden)).toMatchObject({ host: '127.0.0.1', user: 'user', password: 'secret' });
  });

  test.each([
    ['postgres is not', 'the database must be a URL'],
    ['', 'the database must be a URL'],
    ['http://127.0.0.1/', 'the database must be a URL'],
    ['postgresql://a:secret@[/', 'cannot be parsed'],
    [undefined, 'the database must be a URL'],
    [7, 'the database must be a URL'],
    [{}, 'the database must be a URL'],
  ])('D42: an invalid database is refused at once: %s', (database, words) => {
    expect(() => postgresBus(database as string)).toThrow(words);
    expect(() => postgresBus(database as string)).not.toThrow('secret');
  });

  test('D42: invalid options are refused at once', () => {
    expect(() => postgresBus(inject('postgresUrl'), { schema: '' })).toThrow('schema must be');
    expect(() => postgresBus(inject('postgresUrl'), { onWarning: 'loud' as never })).toThrow('onWarning must be');
  });
});
