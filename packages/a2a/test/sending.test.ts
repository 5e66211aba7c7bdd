import { describe, expect, test } from 'vitest';
import { createAgent, memoryStore } from '../src/server/index.js';
import { scriptedExecutor } from '../src/testing/index.js';
import { callerOf, say } from './harness.js';
import { follow, inboxOf, quiet, refOf, refusal } from './looking.js';

/** The first event creates the Task, however long it takes. */
const NAME = { taskAfterMs: Number.POSITIVE_INFINITY, name: 'Clerk' };
const ENDS = ['complete', 'fail', 'reject', 'canceled'] as const;
const QUESTION = {
  do: 'call',
  run: (_: unknown, events: { status(state: 'TASK_STATE_INPUT_REQUIRED'): Promise<void> }) => events.status('TASK_STATE_INPUT_REQUIRED'),
} as const;

describe.each(['SendMessage', 'SendStreamingMessage'] as const)('P44: the valid targets of %s', (method) => {
  test('P44: an unknown task id is TaskNotFound, and no task is created', async () => {
    const executor = scriptedExecutor([{ do: 'complete' }]);
    const caller = callerOf(createAgent({ ...NAME, executor }));
    const error = await refusal(caller.handle(method, { message: say('hello', { taskId: 'my-own' }) }));
    expect(error).toMatchObject({ reason: 'TASK_NOT_FOUND', code: -32001 });
    expect(executor.runs).toEqual([]);
    expect((await caller.list()).totalSize).toBe(0);
  });

  test.each(ENDS)('P44: a task that has ended (%s) is UnsupportedOperation, and it is unchanged', async (end) => {
    const store = memoryStore();
    const executor = scriptedExecutor([{ do: end, text: 'over' }]);
    const caller = callerOf(createAgent({ ...NAME, store, executor }));
    const before = await caller.task('go');
    const error = await refusal(caller.handle(method, { message: say('more', { taskId: before.id }) }));
    expect(error).toMatchObject({ reason: 'UNSUPPORTED_OPERATION', code: -32004 });
    expect(await caller.get(before.id)).toEqual(before);
    expect(executor.runs).toHaveLength(1);
    expect(await inboxOf(store, refOf(before.id))).toEqual([]);
  });
});

describe('P45: a message names a task, its context, or both', () => {
  test('P45: with only a task id, the context is that of the task, in the executor, the events and the history', async () => {
    const executor = scriptedExecutor([QUESTION], { turns: [[{ do: 'append', artifactId: 'a', text: 'x' }, { do: 'complete' }]] });
    const caller = callerOf(createAgent({ ...NAME, executor }));
    const { id, contextId } = await caller.task('go');
    const reader = await caller.stream(say('on', { taskId: id }));
    const seen = await reader.all();
    expect(executor.runs[1]).toMatchObject({ taskId: id, contextId, message: { taskId: id, contextId } });
    expect(seen.map(({ task, statusUpdate, artifactUpdate }) => (task ?? statusUpdate ?? artifactUpdate)?.contextId)).toEqual(
      seen.map(() => contextId),
    );
    expect((await caller.get(id)).history?.at(-1)).toMatchObject({ parts: [{ text: 'on' }], taskId: id, contextId });
  });

  test('P45: the right pair continues the task', async () => {
    const executor = scriptedExecutor([QUESTION], { turns: [[{ do: 'complete' }]] });
    const caller = callerOf(createAgent({ ...NAME, executor }));
    const { id, contextId = '' } = await caller.task('go');
    expect(await caller.task(say('on', { taskId: id, contextId }))).toMatchObject({
      id,
      contextId,
      status: { state: 'TASK_STATE_COMPLETED' },
    });
  });

  test.each(['SendMessage', 'SendStreamingMessage'] as const)(
    'P45: the wrong pair is InvalidParams in %s, the error names the field, and execute is not called',
    async (method) => {
      const store = memoryStore();
      const executor = scriptedExecutor([QUESTION]);
      const caller = callerOf(createAgent({ ...NAME, store, executor }));
      const { id } = await caller.task('go');
      const other = await caller.task('elsewhere');
      const message = say('on', { taskId: id, contextId: other.contextId ?? '' });
      const error = await refusal(caller.handle(method, { message }));
      expect(error).toMatchObject({ reason: 'INVALID_PARAMS', code: -32602, violations: [{ field: 'message.contextId' }] });
      expect(executor.runs).toHaveLength(2);
      expect(await inboxOf(store, refOf(id))).toEqual([]);
    },
  );
});

describe('P43: a Message is an answer only if no event follows it', () => {
  test.each([
    ['a status', { do: 'working' }],
    ['an artifact', { do: 'append', artifactId: 'a', text: 'x' }],
    ['another Message', { do: 'reply', text: 'and another' }],
  ] as const)(
    'P43: %s after it is InvalidAgentResponse, in a blocking send and in a stream, and nothing is stored',
    async (_name, step) => {
      const caller = callerOf(createAgent({ ...NAME, executor: scriptedExecutor([{ do: 'reply', text: 'hi' }, step]) }));
      expect(await refusal(caller.send('hello'))).toMatchObject({ reason: 'INVALID_AGENT_RESPONSE', code: -32006 });
      expect(await refusal(caller.stream('hello'))).toMatchObject({ reason: 'INVALID_AGENT_RESPONSE', code: -32006 });
      expect((await caller.list()).totalSize).toBe(0);
    },
  );

  test('P43: the call fails even if the executor catches the error', async () => {
    const executor = scriptedExecutor([
      { do: 'reply', text: 'hi' },
      { do: 'call', run: (_, events) => events.working().catch(() => {}) },
    ]);
    const caller = callerOf(createAgent({ ...NAME, executor }));
    expect((await refusal(caller.send('hello'))).code).toBe(-32006);
  });

  test('P43: the Message is sent when execute has returned, not before', async () => {
    const executor = scriptedExecutor([
      { do: 'reply', text: 'hi' },
      { do: 'gate', name: 'end' },
    ]);
    const caller = callerOf(createAgent({ ...NAME, executor }));
    const sent = follow(caller.send('hello'));
    await quiet();
    expect(executor.runs).toHaveLength(1);
    expect(sent.isSettled).toBe(false);
    executor.open('end');
    expect((await sent.outcome).message).toMatchObject({ role: 'ROLE_AGENT', parts: [{ text: 'hi' }] });
  });
});
