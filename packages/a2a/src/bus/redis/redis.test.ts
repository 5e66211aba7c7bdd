import { Redis } from 'ioredis';
import ioredis5 from 'ioredis5';
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { startRedis } from '../../../../../scripts/databases/redis.mjs';
import { hearing, type Line, lineTo, move, recordBus, silentServer } from '../../../test/databases/bus-ends.js';
import { newSchema } from '../../../test/databases/provided.js';
import { busContract } from '../../testing/index.js';
import type { EventBus } from '../bus.js';
import { type RedisBusOptions, redisBus } from './index.js';
import { type Pace, RedisLink } from './link.js';

/** Short intervals, so that tests need not wait; a command still has enough time. */
const QUICK: Partial<Pace> = { pingMs: 100, patienceMs: 500, retryMs: 20, longestRetryMs: 100 };

const ending: (() => Promise<unknown>)[] = [];

vi.setConfig({ testTimeout: 20_000 });

afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

/** Both major versions of the driver. The installed one is used by URL; the other is passed as an instance, which the bus duplicates. */
const MAJORS: readonly (readonly [string, (url: string) => string | Redis])[] = [
  ['ioredis 6', (url) => url],
  ['ioredis 5', (url) => instanceOf5(url)],
];

function instanceOf5(url: string): Redis {
  const own = new ioredis5.default(url, { lazyConnect: true });
  ending.push(async () => own.disconnect());
  return own as unknown as Redis; // the bus uses only methods that both have
}

function busAt(server: string | Redis, options: RedisBusOptions, pace: Partial<Pace> = QUICK): EventBus {
  const bus = redisBus(server, options, pace);
  ending.push(() => bus.close());
  return bus;
}

async function lineToRedis(): Promise<Line & { url: string }> {
  const url = new URL(inject('redisUrl'));
  const line = await lineTo(Number(url.port));
  ending.push(() => line.close());
  url.port = String(line.port);
  return Object.assign(line, { url: url.href });
}

function ownConnection(options: { keyPrefix?: string; lazyConnect?: boolean } = {}): Redis {
  const own = new Redis(inject('redisUrl'), options);
  ending.push(async () => own.disconnect());
  return own;
}

describe.each(MAJORS)('D42: the bus over Redis, %s', (_major, via) => {
  for (const [name, run] of busContract) {
    test(name, () =>
      run(async () => {
        const [channel, url] = [newSchema(), inject('redisUrl')];
        return Promise.all([hearing(redisBus(via(url), { channel })), hearing(redisBus(via(url), { channel }))]);
      }),
    );
  }

  test('D42: it connects on first use, and leaves no connection behind', async () => {
    const line = await lineToRedis();
    const bus = redisBus(via(line.url), { channel: newSchema() });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(line.count).toBe(0);
    await hearing(bus);
    await vi.waitFor(() => expect(line.count).toBe(2));
    await bus.close();
    await vi.waitFor(() => expect(line.count).toBe(0));
  });

  test('D42: a bus does not receive its own moves, and another channel receives nothing', async () => {
    const channel = newSchema();
    const url = inject('redisUrl');
    const buses = await Promise.all([channel, channel, newSchema()].map((name) => hearing(busAt(via(url), { channel: name }))));
    const ears = buses.map(recordBus);
    buses[0]?.notify([move('a', 1)]);
    await ears[1]?.until(({ moves }) => moves.length > 0);
    buses[1]?.notify([move('b', 1)]);
    await ears[0]?.until(({ moves }) => moves.length > 0);
    expect(ears.map(({ moves }) => moves)).toEqual([[move('b', 1)], [move('a', 1)], []]);
  });

  test('D42: moves beyond one message all arrive, and a move that is too long for a message causes a look', async () => {
    const channel = newSchema();
    const here = busAt(via(inject('redisUrl')), { channel });
    const ear = recordBus(await hearing(busAt(via(inject('redisUrl')), { channel })));
    const many = Array.from({ length: 5_000 }, (_, index) => move(`task-${index}-${'ü'.repeat(20)}`, 1));
    const long = { ref: { agent: '', tenant: 't'.repeat(40_000), owner: 'o'.repeat(40_000), id: 'long' }, seq: 1 };
    here.notify([...many.slice(0, 2_500), long, ...many.slice(2_500)]);
    await ear.until(({ moves, hearing }) => moves.length === many.length && hearing.length === 1);
    expect(ear.moves).toEqual(many);
    expect(ear.hearing).toEqual([true]);
  });

  test('D42: invalid messages on the channel are ignored and reported once', async () => {
    const channel = newSchema();
    const warnings: string[] = [];
    const here = busAt(via(inject('redisUrl')), { channel });
    const ear = recordBus(await hearing(busAt(via(inject('redisUrl')), { channel, onWarning: (text) => warnings.push(text) })));
    const stranger = ownConnection();
    for (const rubbish of ['', 'rubbish', Buffer.from([0xff, 0xfe, 0]), '{"a":1}', '[[[[', 'x'.repeat(3_000_000)]) {
      await stranger.publish(channel, rubbish);
    }
    here.notify([move('a', 1)]);
    await ear.until(({ moves }) => moves.length > 0);
    expect(ear.moves).toEqual([move('a', 1)]);
    expect(ear.hearing).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('are ignored')]);
  });

  test('D42: it receives again after a restart of Redis, and moves made meanwhile are bounded', async () => {
    const server = await startRedis();
    ending.push(() => server.remove());
    const buses = await Promise.all([hearing(busAt(via(server.url), {})), hearing(busAt(via(server.url), {}))]);
    const ears = buses.map(recordBus);
    await server.down();
    for (const ear of ears) await ear.until(({ hearing }) => hearing.at(-1) === false);
    for (let index = 0; index < 25_000; index += 1) buses[0].notify([move(`task-${index}`, 1)]);
    await server.up();
    for (const ear of ears) await ear.until(({ hearing }) => hearing.at(-1) === true);
    expect(ears[0]?.hearing).toEqual([false, true]);
    buses[0].notify([move('b', 1)]);
    await ears[1]?.until(({ moves }) => moves.some(({ ref }) => ref.id === 'b'));
    expect(ears[1]?.moves.length).toBeLessThanOrEqual(10_001);
  });

  test('D42: a lost connection is reported and restored, and moves made meanwhile arrive', async () => {
    const channel = newSchema();
    const line = await lineToRedis();
    const far = await hearing(busAt(via(line.url), { channel }));
    const near = await hearing(busAt(via(inject('redisUrl')), { channel }));
    const [farEar, nearEar] = [recordBus(far), recordBus(near)];
    line.refuse(true);
    line.cut();
    await farEar.until(({ hearing }) => hearing.length === 1);
    far.notify([move('a', 1)]);
    far.notify([move('a', 2), move('b', 0)]);
    line.refuse(false);
    await farEar.until(({ hearing }) => hearing.length === 2);
    expect(farEar.hearing).toEqual([false, true]);
    await nearEar.until(({ moves }) => moves.length === 2);
    expect(nearEar.moves).toEqual([move('a', 2), move('b', 0)]);
    near.notify([move('c', 1)]);
    await farEar.until(({ moves }) => moves.length === 1);
  });

  test('D42: a peer that never answers is detected by a ping', async () => {
    const channel = newSchema();
    const line = await lineToRedis();
    const far = await hearing(busAt(via(line.url), { channel }));
    const [farEar, nearEar] = [recordBus(far), recordBus(await hearing(busAt(via(inject('redisUrl')), { channel })))];
    line.freeze();
    far.notify([move('a', 1)]);
    await farEar.until(({ hearing }) => hearing.at(-1) === false);
    await farEar.until(({ hearing }) => hearing.at(-1) === true);
    expect(farEar.hearing).toEqual([false, true]);
    await nearEar.until(({ moves }) => moves.length === 1);
    await vi.waitFor(() => expect(line.count).toBe(2));
  });

  test('D42: silence on a healthy connection is not reported', async () => {
    const ear = recordBus(await hearing(busAt(via(inject('redisUrl')), { channel: newSchema() }, { ...QUICK, pingMs: 20 })));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(ear.hearing).toEqual([]);
  });

  test.each([
    ['refuses connections', async () => ({ port: 1, close: async () => {} })],
    ['accepts connections and never answers', silentServer],
  ])('D42: a server that %s is reported, and its bus closes quickly', async (_, start) => {
    const server = await start();
    ending.push(() => server.close());
    const warnings: string[] = [];
    const bus = busAt(
      via(`redis://:secret@127.0.0.1:${server.port}`),
      { onWarning: (text) => warnings.push(text) },
      { ...QUICK, patienceMs: 100 },
    );
    const ear = recordBus(bus);
    bus.notify([move('a', 1)]);
    await ear.until(({ hearing }) => hearing.length > 0);
    expect(ear.hearing).toEqual([false]);
    await vi.waitFor(() => expect(warnings).toHaveLength(1), { timeout: 5_000 });
    expect(warnings[0]).toContain('cannot reach Redis');
    expect(warnings[0]).not.toContain('secret');
    const before = performance.now();
    await Promise.all([bus.close(), bus.close()]);
    expect(performance.now() - before).toBeLessThan(1_000);
  });

  test('D42: a server that never answers leaves no listeners behind, after many attempts', async () => {
    const server = await silentServer();
    ending.push(() => server.close());
    const pattern = via(`redis://127.0.0.1:${server.port}`);
    const connections: Redis[] = [];
    const listeners = (): readonly number[] =>
      connections.flatMap((one) => ['connect', 'ready', 'close', 'error'].map((event) => one.listenerCount(event)));
    let attempts = 0;
    const link = new RedisLink({
      connect: (options) => {
        const one = typeof pattern === 'string' ? new Redis(pattern, options) : pattern.duplicate(options);
        connections.push(one.on('connect', () => (attempts += 1)));
        return one;
      },
      channel: newSchema(),
      pace: { pingMs: 1_000, patienceMs: 20, retryMs: 1, longestRetryMs: 1 },
      events: { sender: 'test', heard: () => {}, hearing: () => {}, opened: () => {}, warn: () => {} },
    });
    ending.push(() => link.close());
    // Listeners of ioredis come and go with each attempt.
    const most = Math.max(...listeners()) + 2;
    await vi.waitFor(() => expect(attempts).toBeGreaterThan(20), { timeout: 10_000 });
    expect(Math.max(...listeners())).toBeLessThanOrEqual(most);
  });

  test('D42: it does not keep an idle process alive', async () => {
    const held = (): number => process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;
    await hearing(busAt(via(inject('redisUrl')), { channel: newSchema() }));
    await vi.waitFor(() => expect(held()).toBe(0));
  });

  test('D42: waiting moves are sent on close', async () => {
    const channel = newSchema();
    const here = await hearing(busAt(via(inject('redisUrl')), { channel }));
    here.notify([move('warm', 1)]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const ear = recordBus(await hearing(busAt(via(inject('redisUrl')), { channel })));
    here.notify([move('a', 1)]);
    await here.close();
    await ear.until(({ moves }) => moves.length === 1);
  });

  test('D42: with an ioredis instance of the user it uses its options, and leaves the instance alone', async () => {
    const channel = newSchema();
    const own = ownConnection({ keyPrefix: 'mine:', lazyConnect: true });
    const bus = busAt(own, { channel });
    const ear = recordBus(await hearing(bus));
    const other = await hearing(busAt(via(inject('redisUrl')), { channel }));
    const otherEar = recordBus(other);
    other.notify([move('a', 1)]);
    await ear.until(({ moves }) => moves.length === 1);
    bus.notify([move('b', 1)]);
    await otherEar.until(({ moves }) => moves.length === 1);
    expect(own.status).toBe('wait');
    await bus.close();
    expect(await own.ping()).toBe('PONG');
  });

  test.each(['redis is not', '', 'http://127.0.0.1/', 'redis://a:secret@[/', undefined, 7, {}])(
    'D42: an invalid server is refused at once: %s',
    (server) => {
      expect(() => redisBus(server as string)).toThrow('redis() takes a URL');
      expect(() => redisBus(server as string)).not.toThrow('secret');
    },
  );

  test('D42: invalid options are refused at once', () => {
    expect(() => redisBus(inject('redisUrl'), { channel: '' })).toThrow('channel must be');
    expect(() => redisBus(inject('redisUrl'), { onWarning: 'loud' as never })).toThrow('onWarning must be');
  });
});
