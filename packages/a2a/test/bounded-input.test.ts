import { describe, expect, test, vi } from 'vitest';
import { createClient } from '../src/client/index.js';
import type { Message, Task } from '../src/protocol/types.js';
import { createAgent } from '../src/server/index.js';
import { endpointsOf, fetchInProcess, taskOf, userMessage, V1 } from './endpoints.js';
import { callerOf, say } from './harness.js';
import { refusal } from './looking.js';

const NAME = { name: 'Bounded', auth: 'none' } as const;
const MiB = 1024 * 1024;

/** A data part with as many members as the limit of values allows, and this many bytes. */
const manyMembers = (bytes: number): object => {
  const count = 9_900;
  const fill = 'y'.repeat(Math.floor(bytes / count) - 16);
  return { data: Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}k${fill}`, n])) };
};

const WORST: [string, () => object][] = [
  ['long text', () => ({ text: 'x'.repeat(4 * MiB - 1_000) })],
  ['text of three-byte characters', () => ({ text: '中'.repeat(1_300_000) })],
  ['text of escaped quotes', () => ({ text: '"'.repeat(2_000_000) })],
  ['base64', () => ({ raw: 'A'.repeat(4 * MiB - 1_000) })],
  ['many long names of members', () => manyMembers(4 * MiB - 100_000)],
  ['objects of different shapes', () => ({ data: Array.from({ length: 6_600 }, (_, n) => ({ [`k${n}`]: 1 })) })],
  ['long numbers', () => ({ data: Array.from({ length: 19_900 }, (_, n) => n + 0.123456789012345) })],
  ['deep arrays', () => ({ data: Array.from({ length: 320 }, () => JSON.parse(`${'['.repeat(60)}1${']'.repeat(60)}`)) })],
];

describe('F62: a large request does not hold the event loop', () => {
  /** Counts the event-loop iterations until the work is done. */
  async function iterations(work: () => Promise<unknown>): Promise<number> {
    let count = 0;
    let isDone = false;
    const done = work().finally(() => {
      isDone = true;
    });
    for (; !isDone; count += 1) await new Promise((next) => setImmediate(next));
    await done;
    return count;
  }

  test.each(['JSON-RPC', 'HTTP+JSON'])('F62: %s: it is read, parsed, checked and run in different iterations', async (name) => {
    const doors = endpointsOf(fetchInProcess(createAgent({ ...NAME, execute: async () => 'ok' })));
    const door = doors.find((one) => one.name === name);
    const pauses = (text: string): Promise<number> => iterations(async () => door?.call('SendMessage', userMessage(text)));
    await pauses('warm');
    const small = await pauses('x'.repeat(1_000));
    expect(await pauses('x'.repeat(100_000))).toBeGreaterThanOrEqual(small + 3);
  });

  test('F62: a message to an existing task is taken in another iteration than the one that posts it', async () => {
    const caller = callerOf(createAgent({ ...NAME, executor: { execute: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED') } }));
    const { id } = await caller.task('go');
    const pauses = (text: string): Promise<number> => iterations(() => caller.task(say(text, { taskId: id })));
    await pauses('warm');
    const small = await pauses('x');
    expect(await pauses('x'.repeat(100_000))).toBeGreaterThanOrEqual(small + 1);
  });

  // Processor time and not wall-clock time, because the machine may be busy. The bound is generous; an idle machine needs less than 50 ms.
  test.each(WORST)('F62: one iteration takes a bounded time: %s', async (_name, part) => {
    const knock = fetchInProcess(createAgent({ ...NAME, execute: async () => 'ok' }));
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [part()] };
    const body = JSON.stringify({ message, configuration: { historyLength: 0 } });
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(4 * MiB);
    const tries: number[] = [];
    // The shortest of three, because a full garbage collection may fall into one of them.
    for (let n = 0; n < 3; n += 1) {
      const headers = { ...V1, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
      const send = async (): Promise<void> => {
        expect((await knock('/message:send', { method: 'POST', headers, body })).status).toBe(200);
      };
      tries.push(await longestIteration(send));
    }
    expect(Math.min(...tries)).toBeLessThan(300);
  });
});

/** The processor time of the longest event-loop iteration, in milliseconds. */
async function longestIteration(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let isDone = false;
  let before = process.cpuUsage();
  const look = (): void => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    longest = Math.max(longest, (user + system) / 1_000);
    if (!isDone) setImmediate(look);
  };
  await new Promise((resolve) => setImmediate(resolve));
  before = process.cpuUsage();
  setImmediate(look);
  await work();
  isDone = true;
  return longest;
}

describe('F62: large tasks', () => {
  test('F62: context.currentTask is parsed when its history is read, and not before', async () => {
    const parsed: number[] = [];
    const agent = createAgent({
      ...NAME,
      executor: {
        async execute({ currentTask, text }, events) {
          const parse = vi.spyOn(JSON, 'parse');
          const longTexts = () => parse.mock.calls.filter(([json]) => json.length > MiB).length;
          const before = longTexts();
          const { status } = currentTask ?? {};
          parsed.push(before, longTexts(), currentTask?.history?.length ?? 0, longTexts());
          parse.mockRestore();
          if (text === 'on') expect(status?.state).toBe('TASK_STATE_WORKING');
          await events.status('TASK_STATE_INPUT_REQUIRED');
        },
      },
    });
    const caller = callerOf(agent);
    const { id } = await caller.task('x'.repeat(2 * MiB));
    await caller.task(say('on', { taskId: id }));
    expect(parsed.slice(4)).toEqual([0, 0, 2, 1]);
  });
});

describe('F71: related tasks', () => {
  function library(options: { readonly maxRelatedTasks?: number } = {}) {
    let related: readonly Task[] = [];
    const agent = createAgent({
      ...NAME,
      ...options,
      populateRelatedTasks: true,
      execute: async (context) => {
        related = context.relatedTasks;
        return 'ok';
      },
    });
    return { caller: callerOf(agent), related: () => related };
  }
  const naming = (ids: readonly string[]): Message => say('look', { referenceTaskIds: ids });
  const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => `unknown-${n}`);

  test('F71: a task that a message names 3,000 times is loaded once', async () => {
    const { caller, related } = library();
    const { id } = await caller.task('book');
    await caller.task(naming(Array.from({ length: 3_000 }, () => id)));
    expect(related().map((task) => task.id)).toEqual([id]);
  });

  test.each([
    ['by default 32', {}, 32],
    ['as configured', { maxRelatedTasks: 2 }, 2],
  ])('F71: as many different tasks as the limit are accepted, one more is refused: %s', async (_name, options, limit) => {
    const { caller } = library(options);
    expect((await caller.task(naming(ids(limit)))).status.state).toBe('TASK_STATE_COMPLETED');
    expect(await refusal(caller.task(naming(ids(limit + 1))))).toMatchObject({
      reason: 'INVALID_PARAMS',
      message: `message.referenceTaskIds names ${limit + 1} different tasks, the limit is ${limit} (maxRelatedTasks)`,
    });
  });

  test('F71: without populateRelatedTasks nothing is loaded, so nothing is refused', async () => {
    const caller = callerOf(createAgent({ ...NAME, execute: async () => 'ok' }));
    expect((await caller.task(naming(ids(100)))).status.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe('F76: the keys of anonymous callers', () => {
  const agent = () => createAgent({ ...NAME, execute: async () => 'ok' });
  const long = 'k'.repeat(22);
  const short = 'k'.repeat(21);

  async function idsOf(knock: ReturnType<typeof fetchInProcess>, key: string, each: readonly Record<string, string>[] = [{}, {}]) {
    const found: string[] = [];
    const message = userMessage('order');
    const [door] = endpointsOf(knock);
    for (const headers of each) found.push(taskOf(await door.call('SendMessage', message, { 'idempotency-key': key, ...headers })).id);
    return found;
  }
  const isSame = ([first, second]: readonly string[]): boolean => first === second;

  test('F76: off loopback a key below 22 characters is ignored, because it can be guessed', async () => {
    const knock = fetchInProcess(agent(), { anonymousList: 'context' });
    expect([isSame(await idsOf(knock, long)), isSame(await idsOf(knock, short))]).toEqual([true, false]);
  });

  test('F76: on loopback, and for a named caller, a short key counts', async () => {
    expect(isSame(await idsOf(fetchInProcess(agent(), { anonymousList: 'all' }), short))).toBe(true);
    const named = createAgent({ ...NAME, auth: () => ({ id: 'ann' }), execute: async () => 'ok' });
    expect(isSame(await idsOf(fetchInProcess(named, { anonymousList: 'context' }), short))).toBe(true);
  });

  test('F76: off loopback a short message id is no key either', async () => {
    const byId = createAgent({ ...NAME, deduplicate: 'messageId', execute: async () => 'ok' });
    const [door] = endpointsOf(fetchInProcess(byId, { anonymousList: 'context' }));
    const send = async (messageId: string) => taskOf(await door.call('SendMessage', userMessage('order', { messageId }))).id;
    expect(isSame([await send(long), await send(long)])).toBe(true);
    expect(isSame([await send(short), await send(short)])).toBe(false);
  });

  test('F76: keys with different scopes never match, and those of named callers have no scope', async () => {
    const caller = callerOf(agent());
    const message = say('order');
    const send = async (keyScope: string, id = '') =>
      (await caller.send(message, undefined, { idempotencyKey: long, keyScope, caller: { id } })).task?.id;
    const [one, other, again] = [await send('address 192.0.2.1'), await send('address 192.0.2.2'), await send('address 192.0.2.1')];
    expect([one === again, one === other]).toEqual([true, false]);
    expect(await send('address 192.0.2.1', 'ann')).toBe(await send('address 192.0.2.2', 'ann'));
  });
});

describe('D58: the limit of bodies in the card', () => {
  test('D58: the log extension states maxBodyBytes', async () => {
    const card = (agent: ReturnType<typeof createAgent>) => agent.cardAt({ url: 'http://a.test', bindings: ['JSONRPC'] });
    const paramsOf = (agent: ReturnType<typeof createAgent>) => card(agent).capabilities.extensions?.[0]?.params;
    const execute = async () => 'ok';
    expect(paramsOf(createAgent({ ...NAME, execute }))).toMatchObject({ maxBodyBytes: 4 * MiB });
    expect(paramsOf(createAgent({ ...NAME, maxBodyBytes: 1_000, execute }))).toMatchObject({ maxBodyBytes: 1_000 });
  });

  test.each(['jsonrpc', 'rest'] as const)('D58: the client refuses a larger message before it sends it: %s', async (prefer) => {
    const knock = fetchInProcess(createAgent({ ...NAME, maxBodyBytes: 2_000, execute: async () => 'ok' }));
    const posts: number[] = [];
    const client = createClient('http://agent.test', {
      prefer,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        if (request.method === 'POST') posts.push((await request.clone().text()).length);
        const { pathname, search } = new URL(request.url);
        const body = request.method === 'POST' ? await request.text() : undefined;
        return knock(pathname + search, { method: request.method, headers: request.headers, body });
      },
    });
    await client.send('x');
    const around = (posts.pop() ?? 0) - 1;
    expect((await client.send('x'.repeat(2_000 - around))).kind).toBe('task');
    expect(posts).toEqual([2_000]);
    const tooLarge = {
      reason: 'CONTENT_TOO_LARGE',
      message: expect.stringMatching(/has 2001 bytes, and Bounded accepts 2000: send less, or files as url parts/),
    };
    expect(await refusal(client.send('x'.repeat(2_001 - around)))).toMatchObject(tooLarge);
    expect(await refusal(client.run('x'.repeat(5_000)).result)).toMatchObject({ reason: 'CONTENT_TOO_LARGE' });
    expect(posts, 'nothing was sent').toHaveLength(1);
  });
});
