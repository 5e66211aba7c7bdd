import { describe, expect, test } from 'vitest';
import { A2AError } from '../src/index.js';
import type { JsonObject } from '../src/protocol/types.js';
import { createAgent, type Limits, type TaskEvents } from '../src/server/index.js';
import { type ManualClock, manualClock, scriptedExecutor } from '../src/testing/index.js';
import { scanJson } from '../src/wire/scan-json.js';
import { endpointsOf, fetchInProcess, restErrorOf, userMessage, V1 } from './endpoints.js';
import { callerOf, gate, say } from './harness.js';
import { follow, quiet, refusal, storyOf, untilIdle } from './looking.js';

const NAME = { name: 'Bounded' };
const MiB = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe('D58: maxMetadataBytes', () => {
  const about = (bytes: number) => ({ note: 'y'.repeat(bytes - sizeOf({ note: '' })) });
  const places: [string, (metadata: JsonObject) => object, string][] = [
    ['a message', (metadata) => userMessage('x', { metadata }), 'message.metadata'],
    ['a request', (metadata) => ({ ...userMessage('x'), metadata }), 'metadata'],
    ['a part', (metadata) => ({ message: say([{ text: 'first' }, { text: 'x', metadata }]) }), 'message.parts[1].metadata'],
  ];
  const knock = fetchInProcess(createAgent({ ...NAME, auth: 'none', execute: async () => 'ok' }));
  for (const door of endpointsOf(knock)) {
    test.each(places)(`D58: ${door.name}: the metadata of %s may have 64 KiB, and not one byte more`, async (_name, params, field) => {
      expect((await door.call('SendMessage', params(about(64 * 1024)))).result).toBeDefined();
      const { error } = await door.call('SendMessage', params(about(64 * 1024 + 1)));
      expect(error).toMatchObject({
        reason: 'CONTENT_TOO_LARGE',
        message: `${field} has 65537 bytes, the limit is 65536 (maxMetadataBytes): send the data as a part`,
      });
    });
  }

  test('D58: the limit counts bytes, is an option, and applies to the metadata of a cancel', async () => {
    const caller = callerOf(
      createAgent({
        ...NAME,
        maxMetadataBytes: 100,
        executor: { execute: (_context, events) => events.status('TASK_STATE_INPUT_REQUIRED') },
      }),
    );
    const { id } = await caller.task('go');
    const metadata = { note: 'ü'.repeat(45) };
    expect(sizeOf(metadata)).toBe(101);
    expect(await refusal(caller.cancel(id, metadata))).toMatchObject({ reason: 'CONTENT_TOO_LARGE', httpStatus: 413 });
    expect((await caller.cancel(id, { note: 'ü'.repeat(44) })).status.state).toBe('TASK_STATE_CANCELED');
  });
});

describe('D21: maxEventBytes', () => {
  const events: [string, string, (events: TaskEvents) => Promise<void>][] = [
    ['a chunk', '"artifactUpdate"', (events) => events.appendText('a', 'x'.repeat(900))],
    ['a chunk of two-byte characters', '"artifactUpdate"', (events) => events.appendText('a', 'ü'.repeat(450))],
    ['data', '"artifactUpdate"', (events) => events.data({ rows: ['x'.repeat(900)] }, { id: 'd' })],
    ['a status', '"statusUpdate"', (events) => events.working('x'.repeat(900))],
  ];
  test.each(events)('D21: an event of exactly the limit is published, one byte more fails the task: %s', async (_name, kind, publish) => {
    const run = async (limits: Limits) => {
      const clock = manualClock(); // so that every run writes the same bytes
      const ids = { taskId: () => 't', contextId: () => 'c', messageId: () => 'm' };
      const agent = createAgent({
        ...NAME,
        ...limits,
        clock,
        ids,
        executor: {
          async execute(_context, events) {
            await events.task();
            await publish(events);
            await events.complete();
          },
        },
      });
      const caller = callerOf(agent);
      const task = await caller.task('go');
      const { store } = agent.settings;
      const log = await store.readAfter({ agent: '', tenant: '', owner: '', id: task.id }, 0, Number.POSITIVE_INFINITY);
      if (typeof log === 'string') throw new Error(log);
      return { state: task.status.state, bytes: Buffer.byteLength(log.find(({ json }) => json.includes(kind))?.json ?? '') };
    };
    const { bytes } = await run({});
    expect(bytes).toBeGreaterThan(900);
    expect((await run({ maxEventBytes: bytes })).state).toBe('TASK_STATE_COMPLETED');
    expect((await run({ maxEventBytes: bytes - 1 })).state).toBe('TASK_STATE_FAILED');
  });
});

describe('D21: maxEventBytes by default', () => {
  test('D21: an event of 3 MiB is published, one byte more fails the task with an error that names the alternatives', async () => {
    const ids = { taskId: () => 't', contextId: () => 'c' };
    const around = sizeOf({ artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text: '' }] } } });
    const run = async (bytes: number) => {
      const causes: unknown[] = [];
      const execute = (_: unknown, events: TaskEvents) => events.appendText('a', 'x'.repeat(bytes - around));
      const agent = createAgent({ ...NAME, ids, execute, onError: ({ cause }) => causes.push(cause) });
      return { status: (await callerOf(agent).task('go')).status, causes };
    };
    expect((await run(3 * MiB)).status.state).toBe('TASK_STATE_COMPLETED');
    const { status, causes } = await run(3 * MiB + 1);
    expect(status.state).toBe('TASK_STATE_FAILED');
    expect(status.message?.metadata).toMatchObject({ 'urn:parley:a2a:error': { reason: 'CONTENT_TOO_LARGE' } });
    expect(String(causes[0])).toContain('3145729 bytes exceeds the limit of 3145728: send a url part, or append smaller parts');
  });
});

describe('D21: limits on the wire', () => {
  const agent = createAgent({ ...NAME, auth: 'none', execute: async () => 'ok' });
  const knock = fetchInProcess(agent);
  const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`);
  const limits: [string, (n: number) => object, number, string][] = [
    ['parts of a message', (n) => ({ message: say(Array.from({ length: n }, () => ({ text: 'x' }))) }), 100, 'message.parts'],
    ['levels of data', (n) => ({ message: say([{ data: nested(n) }]) }), 64, 'message.parts[0].data'],
    ['levels of metadata', (n) => ({ ...userMessage('x'), metadata: { a: nested(n - 1) } }), 64, 'metadata'],
    ['characters of a message id', (n) => userMessage('x', { messageId: 'm'.repeat(n) }), 256, 'message.messageId'],
    ['characters of a context id', (n) => userMessage('x', { contextId: 'c'.repeat(n) }), 256, 'message.contextId'],
    [
      'characters of a referenced task id',
      (n) => userMessage('x', { referenceTaskIds: ['t'.repeat(n)] }),
      256,
      'message.referenceTaskIds[0]',
    ],
  ];
  for (const door of endpointsOf(knock)) {
    test.each(limits)(
      `D21: ${door.name}: as many %s as the limit are accepted, one more is refused with the name of the field`,
      async (_name, params, limit, field) => {
        expect((await door.call('SendMessage', params(limit))).result).toMatchObject({
          task: { status: { state: 'TASK_STATE_COMPLETED' } },
        });
        const { error } = await door.call('SendMessage', params(limit + 1));
        expect(error?.details.flatMap(({ fieldViolations }) => fieldViolations ?? [])).toMatchObject([{ field }]);
      },
    );

    test(`D21: ${door.name}: a task id of 256 characters is unknown, one of 257 is invalid`, async () => {
      for (const method of ['GetTask', 'CancelTask'] as const) {
        expect((await door.call(method, { id: 't'.repeat(256) })).error?.reason).toBe('TASK_NOT_FOUND');
        expect((await door.call(method, { id: 't'.repeat(257) })).error?.details.some(({ fieldViolations }) => fieldViolations)).toBe(true);
      }
    });
  }

  test('D21, D58: the default limit of a body is 4 MiB, and one part may use all of it', async () => {
    const body = (size: number): string => {
      const envelope = (text: string) => JSON.stringify({ message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text }] } });
      return envelope('x'.repeat(size - envelope('').length));
    };
    const post = (size: number) => knock('/message:send', { method: 'POST', headers: { ...V1, ...JSON_TYPE }, body: body(size) });
    expect((await post(4 * MiB)).status).toBe(200);
    const refused = await post(4 * MiB + 1);
    expect([refused.status, (await restErrorOf(refused))?.message]).toEqual([
      413,
      'The body exceeds the limit of 4194304 bytes (maxBodyBytes): send less, or files as url parts',
    ]);
  });

  const withValues = (count: number) => ({ message: say([{ data: Array.from({ length: count }, () => 0) }]) });
  for (const door of endpointsOf(knock)) {
    test(`D58: ${door.name}: a body may have 20,000 JSON values, and not one more`, async () => {
      const envelope = door.name === 'JSON-RPC' ? { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: withValues(0) } : withValues(0);
      const around = scanJson(JSON.stringify(envelope), 100).values;
      expect((await door.call('SendMessage', withValues(20_000 - around))).result).toBeDefined();
      const { status, error } = await door.call('SendMessage', withValues(20_001 - around));
      expect([status, error?.reason]).toEqual([413, 'CONTENT_TOO_LARGE']);
      expect(error?.message).toContain('has 20001 JSON values, the limit is 20000 (maxBodyValues)');
    });
  }

  test('D25, D58: a JSON-RPC body with too many values is refused before its envelope is read, so its id is null', async () => {
    const few = fetchInProcess(createAgent({ ...NAME, auth: 'none', maxBodyValues: 10, execute: async () => 'ok' }));
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'SendMessage', params: withValues(20) });
    const refused = await few('/', { method: 'POST', headers: { ...V1, ...JSON_TYPE }, body });
    expect([refused.status, await refused.json()]).toMatchObject([413, { id: null, error: { code: -31007 } }]);
  });
});

describe('D19, D21: cancelGraceMs', () => {
  test.each([
    ['by default 3 s', {}, 3_000],
    ['as configured', { cancelGraceMs: 70 }, 70],
  ])(
    'D19, D21: a run that ignores its signal is ended at the end of its grace period, not earlier: %s',
    async (_name, options, graceMs) => {
      const clock = manualClock();
      const executor = scriptedExecutor([{ do: 'working' }, { do: 'call', run: () => new Promise<void>(() => {}) }]);
      const agent = createAgent({ ...NAME, ...options, executor, clock });
      const caller = callerOf(agent);
      const { id } = await ticked(clock, caller.task('go', { returnImmediately: true }));
      const canceled = follow(caller.cancel(id));
      await clock.tick(graceMs - 1);
      expect(canceled.isSettled).toBe(false);
      await clock.tick(1);
      expect((await canceled.outcome).status.state).toBe('TASK_STATE_CANCELED');
      await untilIdle(agent);
    },
  );
});

describe('D21: maxWaitingMessages', () => {
  test('D21: at the limit one more message is refused, and it is accepted after one was taken', async () => {
    const turn = [gate(), gate()];
    const heard: string[] = [];
    const agent = createAgent({
      ...NAME,
      maxWaitingMessages: 3,
      executor: {
        async execute({ text }, events) {
          heard.push(text);
          await events.working();
          await events.flush();
          await turn[heard.length - 1]?.passed;
          await events.status('TASK_STATE_INPUT_REQUIRED');
        },
      },
    });
    const caller = callerOf(agent);
    const { id } = await caller.task('go', { returnImmediately: true });
    const post = async (text: string): Promise<void> => {
      await caller.send(say(text, { taskId: id }), { returnImmediately: true });
      await quiet();
    };
    for (const text of ['1', '2', '3']) await post(text);
    expect(await refusal(post('4'))).toMatchObject({ reason: 'RATE_LIMITED', retryable: true, retryAfterMs: 1_000 });
    turn[0]?.open();
    while (heard.length < 2) await quiet();
    await post('4');
    expect(await refusal(post('5'))).toBeInstanceOf(A2AError);
    turn[1]?.open();
    await untilIdle(agent);
    expect(heard).toEqual(['go', '1', '2', '3', '4']);
    const story = await storyOf(agent.settings.store, { agent: '', tenant: '', owner: '', id });
    expect(story.filter((entry) => entry === 'input:turn')).toHaveLength(5);
  });
});

describe('D21: maxReadersPerTask', () => {
  test('D21: streams count, and callers that wait for a response do not', async () => {
    const end = gate();
    const agent = createAgent({
      ...NAME,
      maxReadersPerTask: 2,
      executor: {
        async execute({ text }, events) {
          if (text !== 'go') return events.complete();
          await events.working();
          await events.flush();
          await end.passed;
          await events.status('TASK_STATE_INPUT_REQUIRED');
        },
      },
    });
    const caller = callerOf(agent);
    const { id } = await caller.task('go', { returnImmediately: true });
    const blocked = [1, 2, 3, 4].map(() => follow(caller.task(say('more', { taskId: id })).catch((error: A2AError) => error.reason)));
    await quiet();
    const streams = [await caller.subscribe(id), await caller.subscribe(id)];
    expect(await refusal(caller.subscribe(id))).toMatchObject({ reason: 'RATE_LIMITED' });
    expect(blocked.map(({ isSettled }) => isSettled)).toEqual([false, false, false, false]);
    streams[0]?.close();
    streams[0] = await caller.subscribe(id);
    end.open();
    expect(await blocked[0]?.outcome).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
    for (const { outcome } of blocked.slice(1)) expect(await outcome, 'the task ended before this message').toBe('UNSUPPORTED_OPERATION');
    for (const stream of streams) await stream.all();
  });
});

async function ticked<T>(clock: ManualClock, call: Promise<T>): Promise<T> {
  await clock.tick();
  return call;
}
