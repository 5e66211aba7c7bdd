/** D21 for readers: their number, and the memory that a slow one may hold. */
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { nodeHandler } from '../src/adapters/node.js';
import { type Agent, type AgentOptions, createAgent } from '../src/server/index.js';
import { scriptedExecutor } from '../src/testing/index.js';
import { callerOf, gate, type Reader } from './harness.js';
import { quiet, refusal, until, untilIdle } from './looking.js';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);
const LIMITED = { reason: 'RATE_LIMITED', retryable: true, retryAfterMs: 1_000 };

/** An agent whose tasks wait for input, so that their streams stay open. */
function waiting(options: Partial<AgentOptions> = {}): Agent {
  const executor = scriptedExecutor([{ do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED') }]);
  return createAgent({ name: 'Bounded', executor, ...options });
}

describe('D21: maxReadersPerTask', () => {
  test.each([
    ['by default 1,000', {}, 1_000],
    ['as configured', { maxReadersPerTask: 2 }, 2],
  ])('D21: at the limit of streams on one task one more is refused, also if it resumes: %s', async (_name, options, limit) => {
    const caller = callerOf(waiting(options));
    const { id } = await caller.task('go');
    const { id: other } = await caller.task('go');
    const readers: Reader[] = [];
    for (const _ of numbers(limit)) readers.push(await caller.subscribe(id));
    expect(await refusal(caller.subscribe(id))).toMatchObject(LIMITED);
    expect(await refusal(caller.subscribe(id, '0'))).toMatchObject(LIMITED);
    (await caller.subscribe(other)).close();
    readers.pop()?.close();
    readers.push(await caller.subscribe(id));
    expect(await refusal(caller.subscribe(id))).toMatchObject(LIMITED);
    for (const reader of readers) reader.close();
  });

  test('D21: concurrent subscriptions cannot exceed the limit', async () => {
    const caller = callerOf(waiting({ maxReadersPerTask: 3 }));
    const { id } = await caller.task('go');
    const opened = await Promise.allSettled(numbers(10).map(() => caller.subscribe(id)));
    const readers = opened.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(readers).toHaveLength(3);
    await Promise.all(readers.map((reader) => reader.until(1)));
    expect(opened.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.reason] : []))).toEqual(
      Array(7).fill('RATE_LIMITED'),
    );
  });

  test('D21: a message whose stream would exceed the limit is refused before it is posted', async () => {
    const agent = waiting({ maxReadersPerTask: 1 });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    const reader = await caller.subscribe(id);
    expect(await refusal(caller.stream({ messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'on' }], taskId: id }))).toMatchObject(LIMITED);
    expect(await agent.settings.store.inbox({ agent: '', tenant: '', owner: '', id }, 0)).toEqual([]);
    reader.close();
  });
});

describe('D21: maxReadersPerCaller', () => {
  test.each([
    ['by default 100', {}, 100],
    ['as configured', { maxReadersPerCaller: 4 }, 4],
  ])(
    'D21: at the limit of streams of one caller, over all its tasks and tenants, one more is refused: %s',
    async (_name, options, limit) => {
      const agent = waiting(options);
      const alice = callerOf(agent, { id: 'alice' });
      const places: { id: string; tenant: string }[] = [];
      for (const tenant of ['', 'north']) {
        const { task } = await alice.value('SendMessage', {
          tenant,
          message: { messageId: `m-${tenant}`, role: 'ROLE_USER', parts: [{ text: 'go' }] },
        });
        places.push({ id: task?.id ?? '', tenant });
      }
      const readers: Reader[] = [];
      const open = (n: number): Promise<Reader> => alice.open('SubscribeToTask', places[n % 2] ?? { id: '' });
      for (const n of numbers(limit)) readers.push(await open(n));
      for (const n of [0, 1]) expect(await refusal(open(n))).toMatchObject(LIMITED);
      expect(await refusal(alice.stream('a new task')), 'the task is not started').toMatchObject(LIMITED);
      expect((await alice.list()).totalSize).toBe(1);
      expect((await alice.task('without a stream')).status.state, 'calls without a stream are served').toBe('TASK_STATE_INPUT_REQUIRED');

      const bob = callerOf(agent, { id: 'bob' });
      await (await bob.stream('go')).all();
      readers.pop()?.close();
      readers.push(await open(0));
      expect(await refusal(open(1))).toMatchObject(LIMITED);
      for (const reader of readers) reader.close();
      for (const reader of readers) reader.close(); // a second close is a no-op
      const again: Reader[] = [];
      for (const n of numbers(limit)) again.push(await open(n));
      expect(await refusal(open(0))).toMatchObject(LIMITED);
    },
  );

  test('D21: a stream that has ended does not count any more', async () => {
    const agent = createAgent({ name: 'Bounded', maxReadersPerCaller: 1, execute: async () => 'ok' });
    const alice = callerOf(agent, { id: 'alice' });
    for (const _ of numbers(5)) await (await alice.stream('go')).all();
    await untilIdle(agent);
  });

  test('D21: concurrent subscriptions of one caller cannot exceed the limit', async () => {
    const alice = callerOf(waiting({ maxReadersPerCaller: 3 }), { id: 'alice' });
    const { id } = await alice.task('go');
    const opened = await Promise.allSettled(numbers(10).map(() => alice.subscribe(id)));
    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  });

  test('D21: anonymous callers whose address is unknown cannot be told apart, so only the total limits their streams', async () => {
    const caller = callerOf(waiting({ maxReadersPerCaller: 1 }));
    const { id } = await caller.task('go');
    const readers = await Promise.all(numbers(50).map(() => caller.subscribe(id)));
    await Promise.all(readers.map((reader) => reader.until(1)));
    for (const reader of readers) reader.close();
  });
});

const HELD_BYTES = 256 * 1024;

describe('D21: a slow reader', () => {
  /** The agent in a separate HTTP server whose responses the test can inspect. */
  async function serve(agent: Agent) {
    const replies: ServerResponse[] = [];
    const handle = nodeHandler(agent);
    const server = createServer((message, reply) => {
      replies.push(reply);
      handle(message, reply);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const close = async (): Promise<void> => {
      await agent.close({ drainMs: 0 });
      server.closeAllConnections();
      server.close();
    };
    return { url, replies, [Symbol.asyncDispose]: close };
  }

  /** A subscriber over a socket that starts paused. */
  async function subscribe(url: string, id: string): Promise<IncomingMessage> {
    const request = get(`${url}/tasks/${id}:subscribe`, { headers: { 'a2a-version': '1.0' } });
    const [reply] = (await once(request, 'response')) as [IncomingMessage];
    return reply.pause();
  }

  const kinds: [string, number, number, 'each' | 'never' | 'rounds'][] = [
    ['many small events, one commit each', 1_000, 15_000, 'each'],
    ['many small events in large commits', 150, 60_000, 'never'],
    ['events of 4 KiB in commits of 1 MiB', 4_096, 4_000, 'never'],
    ['events of 4 KiB in commits of 1 MiB, with time to read between them', 4_096, 4_000, 'rounds'],
    ['events of 60 KiB', 60 * 1024, 300, 'each'],
  ];
  test.each(kinds)(
    'D21: holds at most 256 KiB, then falls back to the store, and misses no event: %s',
    async (_name, size, count, flush) => {
      const begin = gate();
      const text = 'x'.repeat(size);
      const agent = createAgent({
        name: 'Torrent',
        auth: 'none',
        executor: {
          async execute(_context, events) {
            await events.task();
            await events.flush();
            await begin.passed;
            for (const n of numbers(count)) {
              void events.appendText('a', `${n} ${text}`);
              if (flush === 'each' || n % 256 === 255) await (flush === 'never' ? nextTurn() : events.flush());
              if (flush === 'rounds' && n % 256 === 255) await quiet();
            }
            await events.complete();
          },
        },
      });
      await using server = await serve(agent);
      const { id } = await callerOf(agent).task('go', { returnImmediately: true });
      const slow = await subscribe(server.url, id);
      const [reply] = server.replies;
      if (reply === undefined) throw new Error('the server has no response');
      let most = 0;
      begin.open();
      // Wait until the socket buffers are full and the reader stays behind.
      for (let behind = 0; behind < 200; behind = agent.tasks.running.length === 0 && reply.writableNeedDrain ? behind + 1 : 0) {
        await nextTurn();
        most = Math.max(most, reply.writableLength);
      }
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThanOrEqual(HELD_BYTES);
      const pieces: string[] = [];
      slow.setEncoding('utf8').on('data', (piece: string) => {
        most = Math.max(most, reply.writableLength);
        pieces.push(piece);
      });
      slow.resume();
      await once(slow, 'end');
      // Joined first: a piece may end inside the text that is counted.
      const frames = pieces.join('').split('\nid: ').length - 1;
      expect(frames, 'every event, the Task and the end').toBe(count + 2);
      expect(most, 'also while the reader catches up').toBeLessThanOrEqual(HELD_BYTES);
      await until(() => agent.tasks.running.length === 0);
    },
    30_000,
  );
});
