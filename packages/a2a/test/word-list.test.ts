import { describe, expect, test } from 'vitest';
import { A2AError } from '../src/index.js';
import type { StreamResponse } from '../src/protocol/types.js';
import { createAgent, memoryStore, type RequestContext, type TaskEvents } from '../src/server/index.js';
import { manualClock, sequentialIds } from '../src/testing/index.js';
import { callerOf, say } from './harness.js';
import { until } from './looking.js';

const AT = Date.UTC(2026, 0, 1);
const time = (ms: number): string => new Date(AT + ms).toISOString();
const about = { taskId: 'task-1', contextId: 'context-1' };

type Say = (events: TaskEvents, context: RequestContext) => Promise<void>;

/** The events of a turn that calls `say` and then completes, without the first Task and the final COMPLETED. */
async function said(say: Say): Promise<readonly StreamResponse[]> {
  const clock = manualClock(AT);
  const agent = createAgent({
    name: 'Speaker',
    clock,
    store: memoryStore({ clock }),
    ids: sequentialIds(),
    executor: {
      async execute(context, events) {
        await events.task();
        await say(events, context);
        if (!events.isFinal) await events.complete();
      },
    },
  });
  const reader = await callerOf(agent).stream('go');
  const [task, ...rest] = (await reader.all()).map(({ seq: _, ...event }) => event);
  expect(task?.task).toMatchObject({ id: 'task-1', contextId: 'context-1', status: { state: 'TASK_STATE_SUBMITTED', timestamp: time(0) } });
  const last = rest.at(-1)?.statusUpdate;
  const isOurs = last?.status.state === 'TASK_STATE_COMPLETED' && last.status.message === undefined;
  return isOurs ? rest.slice(0, -1) : rest;
}

const status = (state: string, text?: string, more: object = {}): object => ({
  statusUpdate: {
    ...about,
    status: {
      state: `TASK_STATE_${state}`,
      ...(text !== undefined && { message: { messageId: 'message-1', role: 'ROLE_AGENT', parts: [{ text }], ...about } }),
      timestamp: time(1),
    },
    ...more,
  },
});

const artifact = (content: object, more: object = {}): object => ({ artifactUpdate: { ...about, artifact: content, ...more } });

/** Each function once, and the one event that it publishes. */
const WORDS: readonly [name: string, say: Say, event: object][] = [
  ['working()', (events) => events.working(), status('WORKING')],
  ['working(text)', (events) => events.working('on it'), status('WORKING', 'on it')],
  [
    'progress(fraction): WORKING without a message, the fraction in the metadata',
    (events) => events.progress(0.5),
    status('WORKING', undefined, { metadata: { progress: 0.5 } }),
  ],
  [
    'progress(fraction, text)',
    (events) => events.progress(1, 'nearly'),
    status('WORKING', undefined, { metadata: { progress: 1, progressText: 'nearly' } }),
  ],
  ['status(state, text)', (events) => events.status('TASK_STATE_WORKING', 'hm'), status('WORKING', 'hm')],
  [
    'status(state, parts)',
    (events) => events.status('TASK_STATE_WORKING', [{ data: { a: 1 } }]),
    {
      statusUpdate: {
        ...about,
        status: {
          state: 'TASK_STATE_WORKING',
          message: { messageId: 'message-1', role: 'ROLE_AGENT', parts: [{ data: { a: 1 } }], ...about },
          timestamp: time(1),
        },
      },
    },
  ],
  [
    'status(state, Message)',
    (events) => events.status('TASK_STATE_WORKING', { messageId: 'mine', role: 'ROLE_AGENT', parts: [{ text: 'x' }] }),
    {
      statusUpdate: {
        ...about,
        status: {
          state: 'TASK_STATE_WORKING',
          message: { ...about, messageId: 'mine', role: 'ROLE_AGENT', parts: [{ text: 'x' }] },
          timestamp: time(1),
        },
      },
    },
  ],
  ['appendText(id, text)', (events) => events.appendText('a', 'x'), artifact({ artifactId: 'a', parts: [{ text: 'x' }] })],
  [
    'appendText(id, text, { name, last })',
    (events) => events.appendText('a', 'x', { name: 'A', last: true }),
    artifact({ artifactId: 'a', name: 'A', parts: [{ text: 'x' }] }, { lastChunk: true }),
  ],
  [
    'artifact with an id',
    (events) => events.artifact({ artifactId: 'a', parts: [{ text: 'x' }] }),
    artifact({ artifactId: 'a', parts: [{ text: 'x' }] }),
  ],
  [
    'artifact without an id gets one',
    (events) => events.artifact({ name: 'A', parts: [{ text: 'x' }] }, { last: true }),
    artifact({ artifactId: 'artifact-1-1', name: 'A', parts: [{ text: 'x' }] }, { lastChunk: true }),
  ],
  [
    'file with bytes',
    (events) => events.file({ id: 'f', filename: 'a.txt', mediaType: 'text/plain', bytes: new TextEncoder().encode('hi') }),
    artifact({ artifactId: 'f', name: 'a.txt', parts: [{ raw: 'aGk=', filename: 'a.txt', mediaType: 'text/plain' }] }),
  ],
  [
    'file with a url',
    (events) => events.file({ id: 'f', name: 'A', filename: 'a.txt', url: 'https://example.com/a.txt' }),
    artifact({ artifactId: 'f', name: 'A', parts: [{ url: 'https://example.com/a.txt', filename: 'a.txt' }] }),
  ],
  [
    'data',
    (events) => events.data({ n: [1, null] }, { id: 'd', description: 'D', metadata: { m: 1 } }),
    artifact({ artifactId: 'd', description: 'D', metadata: { m: 1 }, parts: [{ data: { n: [1, null] }, mediaType: 'application/json' }] }),
  ],
  [
    'data that is null',
    (events) => events.data(null, { id: 'd' }),
    artifact({ artifactId: 'd', parts: [{ data: null, mediaType: 'application/json' }] }),
  ],
  ['complete(text)', (events) => events.complete('done'), status('COMPLETED', 'done')],
  ['fail(text)', (events) => events.fail('no'), status('FAILED', 'no')],
  [
    'fail(error)',
    (events) => events.fail(new A2AError('RATE_LIMITED', 'slow down', { retryAfterMs: 2_000 })),
    {
      statusUpdate: {
        ...about,
        status: {
          state: 'TASK_STATE_FAILED',
          message: {
            messageId: 'message-1',
            role: 'ROLE_AGENT',
            parts: [{ text: 'slow down' }],
            metadata: { 'urn:parley:a2a:error': { reason: 'RATE_LIMITED', code: -31004, retryable: true, retryAfterMs: 2_000 } },
            ...about,
          },
          timestamp: time(1),
        },
      },
    },
  ],
  ['reject(text)', (events) => events.reject('not mine'), status('REJECTED', 'not mine')],
  ['canceled(text)', (events) => events.canceled('stopped'), status('CANCELED', 'stopped')],
  [
    'publish a status',
    (events) => events.publish({ ...about, status: { state: 'TASK_STATE_WORKING' }, metadata: { m: 1 } }),
    status('WORKING', undefined, { metadata: { m: 1 } }),
  ],
  [
    'publish an artifact',
    (events) => events.publish({ ...about, artifact: { artifactId: 'a', parts: [{ text: 'x' }] }, lastChunk: true }),
    artifact({ artifactId: 'a', parts: [{ text: 'x' }] }, { lastChunk: true }),
  ],
];

describe('P54: the functions of an executor', () => {
  test.each(WORDS)('P54: %s', async (_name, say, event) => {
    expect(await said(say)).toEqual([event]);
  });

  test('P54: task() creates the Task once; a second call and flush() publish nothing', async () => {
    expect(
      await said(async (events) => {
        await events.task({ metadata: { late: true } });
        await events.flush();
      }),
    ).toEqual([]);
  });

  test('P54: reply() is a Message of the agent, with its id and context, and without a task', async () => {
    const agent = createAgent({
      name: 'Speaker',
      ids: sequentialIds(),
      executor: { execute: (_context, events) => events.reply([{ text: 'hi' }]) },
    });
    expect(await callerOf(agent).send('go')).toEqual({
      message: { messageId: 'message-1', role: 'ROLE_AGENT', parts: [{ text: 'hi' }], contextId: 'context-1' },
    });
  });

  test('P54: appendText appends after its first chunk, artifact replaces unless it appends, and lastChunk is set only by `last`', async () => {
    const events = await said(async (speak) => {
      await speak.appendText('a', '1');
      await speak.appendText('a', '2');
      await speak.appendText('a', '3', { last: true });
      await speak.artifact({ artifactId: 'a', parts: [{ text: 'anew' }] });
      await speak.artifact({ artifactId: 'a', parts: [{ text: ' and on' }] }, { append: true });
    });
    expect(events.map(({ artifactUpdate }) => [artifactUpdate?.append, artifactUpdate?.lastChunk])).toEqual([
      [undefined, undefined],
      [true, undefined],
      [true, true],
      [undefined, undefined],
      [true, undefined],
    ]);
  });

  test.each(['complete', 'fail', 'reject', 'canceled'] as const)(
    'P54: after %s every function rejects, and the task is unchanged',
    async (end) => {
      const refused: string[] = [];
      const spoken: string[] = [];
      const agent = createAgent({
        name: 'Speaker',
        executor: {
          async execute(_context, events) {
            await events[end]('the end');
            const words = {
              working: () => events.working(),
              progress: () => events.progress(0),
              appendText: () => events.appendText('a', 'x'),
              artifact: () => events.artifact({ parts: [{ text: 'x' }] }),
              data: () => events.data(1),
              complete: () => events.complete(),
              fail: () => events.fail('x'),
              reject: () => events.reject(),
              canceled: () => events.canceled(),
              status: () => events.status('TASK_STATE_WORKING'),
            };
            for (const [word, speak] of Object.entries(words))
              await speak().catch((error: A2AError) => refused.push(`${word} ${error.reason}`));
            spoken.push(...Object.keys(words));
          },
        },
      });
      const caller = callerOf(agent);
      const task = await caller.task('go');
      await until(() => spoken.length > 0);
      expect(refused).toEqual(spoken.map((word) => `${word} INVALID_AGENT_RESPONSE`));
      expect(task.status.message?.parts).toEqual([{ text: 'the end' }]);
      expect(task.artifacts).toBeUndefined();
      expect(await caller.get(task.id)).toEqual(task);
    },
  );

  test('P54: timestamps are ISO with milliseconds and increase with every status, also within one instant', async () => {
    const events = await said(async (speak) => {
      for (let index = 0; index < 5; index += 1) await speak.working(`${index}`);
    });
    expect(events.map(({ statusUpdate }) => statusUpdate?.status.timestamp)).toEqual([1, 2, 3, 4, 5].map(time));
    expect(time(1)).toBe('2026-01-01T00:00:00.001Z');
  });

  test('P54: state and isFinal reflect the events published so far', async () => {
    const seen: unknown[] = [];
    const agent = createAgent({
      name: 'Speaker',
      executor: {
        async execute(_context, events) {
          seen.push([events.state, events.isFinal]);
          void events.working();
          seen.push([events.state, events.isFinal]);
          void events.complete();
          seen.push([events.state, events.isFinal]);
        },
      },
    });
    await callerOf(agent).task('go');
    expect(seen).toEqual([
      [undefined, false],
      ['TASK_STATE_WORKING', false],
      ['TASK_STATE_COMPLETED', true],
    ]);
  });

  test.each([
    ['requireInput', 'INPUT_REQUIRED'],
    ['requireAuth', 'AUTH_REQUIRED'],
  ] as const)('P54: %s asks with a message, and the answer continues the run with WORKING', async (question, state) => {
    const answers: unknown[] = [];
    const agent = createAgent({
      name: 'Speaker',
      executor: {
        async execute(context, events) {
          answers.push(await context[question]([{ text: 'well?' }]));
          await events.complete();
        },
      },
    });
    const caller = callerOf(agent);
    const { id, status: asked } = await caller.task('go');
    expect(asked).toMatchObject({ state: `TASK_STATE_${state}`, message: { role: 'ROLE_AGENT', parts: [{ text: 'well?' }], taskId: id } });
    const reader = await caller.subscribe(id);
    await caller.task(say([{ text: 'so' }, { data: 1 }, { text: 'and so' }], { taskId: id }));
    await reader.all();
    expect(reader.states).toEqual([state, 'WORKING', 'COMPLETED']);
    if (question === 'requireInput') expect(answers).toEqual(['so\nand so']);
    else expect(answers).toMatchObject([{ role: 'ROLE_USER', parts: [{ text: 'so' }, { data: 1 }, { text: 'and so' }], taskId: id }]);
  });
});
