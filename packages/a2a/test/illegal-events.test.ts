import { describe, expect, test } from 'vitest';
import type { Message, Part, Task, TaskArtifactUpdateEvent, TaskState, TaskStatusUpdateEvent } from '../src/protocol/types.js';
import {
  type AgentExecutor,
  type AgentOptions,
  createAgent,
  type LogFields,
  memoryStore,
  type RequestContext,
  type TaskEvents,
} from '../src/server/index.js';
import { callerOf, say } from './harness.js';
import { refOf, refusal, storyOf, untilIdle } from './looking.js';

type Speak = (events: TaskEvents, context: RequestContext) => Promise<void>;

const agentThat = (execute: AgentExecutor['execute'], options: Partial<AgentOptions> = {}) =>
  createAgent({ name: 'Offender', taskAfterMs: Number.POSITIVE_INFINITY, executor: { execute }, ...options });

const MESSAGE: Message = { messageId: 'a-1', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] };
const FAILED = { reason: 'INVALID_AGENT_RESPONSE', code: -32006, retryable: false };

const rawTask = ({ taskId, contextId }: RequestContext, state: TaskState = 'TASK_STATE_WORKING'): Task => ({
  id: taskId,
  contextId,
  status: { state },
});
const rawStatus = ({ taskId, contextId }: RequestContext, state: TaskState): TaskStatusUpdateEvent => ({
  taskId,
  contextId,
  status: { state },
});
const rawArtifact = ({ taskId, contextId }: RequestContext, artifactId = 'a'): TaskArtifactUpdateEvent => ({
  taskId,
  contextId,
  artifact: { artifactId, parts: [{ text: 'x' }] },
});

/** Continues after the illegal event. That must not save the run. */
const goOn: Speak = async (events) => {
  await events.appendText('later', 'x').catch(() => {});
  await events.complete('all is well').catch(() => {});
};

/** In a turn with a Task this makes the task FAILED: in the response, in the stream, and in later reads. */
async function failsTheTask(offend: Speak): Promise<void> {
  const refusals: unknown[] = [];
  const execute: AgentExecutor['execute'] = async (context, events) => {
    await events.working('at first');
    await offend(events, context).catch((error: unknown) => refusals.push(error));
    await goOn(events, context);
  };
  const agent = agentThat(execute);
  const caller = callerOf(agent);
  const { id, status, artifacts } = await caller.task('go');
  expect(status.state).toBe('TASK_STATE_FAILED');
  expect(status.message?.metadata).toEqual({ 'urn:parley:a2a:error': FAILED });
  expect(artifacts).toBeUndefined();
  expect((await caller.get(id)).status).toEqual(status);
  const reader = await caller.stream('go');
  await reader.all();
  expect(reader.states).toEqual(['SUBMITTED', 'WORKING', 'FAILED']);
  expect(refusals, 'the illegal call itself rejects').toEqual([expect.objectContaining(FAILED), expect.objectContaining(FAILED)]);
  expect((await caller.list()).totalSize, 'no additional task exists').toBe(2);
}

/** In a turn without a Task this makes send and stream fail with −32006, and nothing is stored. */
async function failsTheCall(offend: Speak): Promise<void> {
  const agent = agentThat(async (context, events) => {
    await offend(events, context).catch(() => {});
    await goOn(events, context);
  });
  const caller = callerOf(agent);
  expect(await refusal(caller.send('go'))).toMatchObject(FAILED);
  expect(await refusal(caller.stream('go'))).toMatchObject(FAILED);
  expect((await caller.list()).totalSize).toBe(0);
}

describe('P18: a Message in a turn that has a Task', () => {
  test('P18: a Message after a Task fails the task with INVALID_AGENT_RESPONSE', () => failsTheTask((events) => events.publish(MESSAGE)));
  test('P18: a reply after a Task fails the task as well', () => failsTheTask((events) => events.reply('hi')));
});

describe('P19: a second Message', () => {
  const twice: Record<string, Speak> = {
    'two raw Messages': async (events) => {
      await events.publish(MESSAGE);
      await events.publish({ ...MESSAGE, messageId: 'a-2' });
    },
    'the same Message twice': async (events) => {
      await events.publish(MESSAGE);
      await events.publish(MESSAGE);
    },
    'two replies': async (events) => {
      await events.reply('one');
      await events.reply('two');
    },
  };
  test.each(Object.entries(twice))('P19: %s fail the call, in send and stream', (_, speak) => failsTheCall(speak));
});

describe('P20: a Task after a Message', () => {
  const after: Record<string, Speak> = {
    'a status update': (events, context) => events.publish(rawStatus(context, 'TASK_STATE_WORKING')),
    'an artifact update': (events, context) => events.publish(rawArtifact(context)),
    'a Task': (events, context) => events.publish(rawTask(context)),
    'a helper': (events) => events.complete(),
    'a chunk': (events) => events.appendText('a', 'x'),
    'task()': (events) => events.task(),
  };
  test.each(Object.entries(after))('P20: %s after a Message is refused', (_, speak) =>
    failsTheCall(async (events, context) => {
      await events.reply('hi');
      await speak(events, context);
    }),
  );

  test('P20: the caller never gets the Message, also if the illegal event is not awaited', async () => {
    const agent = agentThat(async (_, events) => {
      void events.reply('hi');
      void events.working();
    });
    expect(await refusal(callerOf(agent).send('go'))).toMatchObject(FAILED);
  });
});

describe('P21: events before the Task', () => {
  test('P21: a raw status update is illegal', () =>
    failsTheCall((events, context) => events.publish(rawStatus(context, 'TASK_STATE_WORKING'))));
  test('P21: a raw final status is illegal as well', () =>
    failsTheCall((events, context) => events.publish(rawStatus(context, 'TASK_STATE_COMPLETED'))));

  test('P21: a raw artifact update creates the Task: SUBMITTED, with the user’s message in its history, then the artifact', async () => {
    const agent = agentThat((context, events) => events.publish(rawArtifact(context)), { onIncomplete: 'keep' });
    const caller = callerOf(agent);
    const message = say('go');
    const seen = await (await caller.stream(message)).all();
    expect(seen.map((event) => Object.keys(event)[1])).toEqual(['task', 'artifactUpdate']);
    const task = await caller.get(seen[0]?.task?.id ?? '');
    expect(task).toMatchObject({
      status: { state: 'TASK_STATE_SUBMITTED' },
      history: [message],
      artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }],
    });
  });

  test('P21: on a continued task a raw status update needs no Task before it', async () => {
    const agent = agentThat((context, events) =>
      context.currentTask
        ? events.publish(rawStatus(context, 'TASK_STATE_COMPLETED'))
        : events.publish(rawTask(context, 'TASK_STATE_INPUT_REQUIRED')),
    );
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    expect((await caller.task(say('on', { taskId: id }))).status.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe('P22: a second Task', () => {
  test('P22: the first one is kept, one line is logged, and the run continues', async () => {
    const errors: [LogFields, string][] = [];
    const ignore = () => {};
    const logger = {
      debug: ignore,
      info: ignore,
      warn: ignore,
      error: (fields: LogFields, text: string) => void errors.push([fields, text]),
    };
    const agent = agentThat(
      async (context, events) => {
        const said = (text: string) => ({ ...MESSAGE, messageId: text, parts: [{ text }] });
        await events.publish({ ...rawTask(context), history: [said('first')], metadata: { from: 'first' } });
        await events.publish({ ...rawTask(context, 'TASK_STATE_FAILED'), history: [said('second')], metadata: { from: 'second' } });
        await events.complete();
      },
      { logger },
    );
    const caller = callerOf(agent);
    const reader = await caller.stream(say('go'));
    await reader.all();
    expect(reader.states).toEqual(['WORKING', 'COMPLETED']);
    const task = await caller.get(reader.seen[0]?.task?.id ?? '');
    expect(task.history?.map(({ parts }) => parts[0]?.text)).toEqual(['first', 'go']);
    expect(task.metadata).toEqual({ from: 'first' });
    expect(errors).toEqual([[expect.objectContaining({ taskId: task.id }), expect.stringContaining('second Task')]]);
  });

  test('P22: task() after a Task is a no-op', async () => {
    const agent = agentThat(async (_, events) => {
      await events.task({ metadata: { n: 1 } });
      await events.task({ metadata: { n: 2 } });
      await events.complete();
    });
    const reader = await callerOf(agent).stream('go');
    await reader.all();
    expect(reader.states).toEqual(['SUBMITTED', 'COMPLETED']);
    expect(reader.seen[0]?.task?.metadata).toEqual({ n: 1 });
  });
});

describe('P23: events of another task or context', () => {
  const foreign: Record<string, (context: RequestContext, id: string) => Parameters<TaskEvents['publish']>[0]> = {
    'a status of another task': (context, id) => ({ ...rawStatus(context, 'TASK_STATE_COMPLETED'), taskId: id }),
    'a status of another context': (context, id) => ({ ...rawStatus(context, 'TASK_STATE_COMPLETED'), contextId: id }),
    'an artifact of another task': (context, id) => ({ ...rawArtifact(context), taskId: id }),
    'an artifact of another context': (context, id) => ({ ...rawArtifact(context), contextId: id }),
    'another Task': (context, id) => ({ ...rawTask(context), id }),
    'a Task of another context': (context, id) => ({ ...rawTask(context), contextId: id }),
    'a Message of another task': (_, id) => ({ ...MESSAGE, taskId: id }),
    'a Message of another context': (_, id) => ({ ...MESSAGE, contextId: id }),
    'a status whose message has another task id': (context, id) => ({
      ...rawStatus(context, 'TASK_STATE_WORKING'),
      status: { state: 'TASK_STATE_WORKING', message: { ...MESSAGE, taskId: id } },
    }),
    'a status whose message has another context id': (context, id) => ({
      ...rawStatus(context, 'TASK_STATE_WORKING'),
      status: { state: 'TASK_STATE_WORKING', message: { ...MESSAGE, contextId: id } },
    }),
  };

  test.each(Object.entries(foreign))('P23: %s fails the task', (_, make) =>
    failsTheTask((events, context) => events.publish(make(context, 'foreign'))),
  );
  test.each(Object.entries(foreign))('P23: %s before any Task fails the call', (_, make) =>
    failsTheCall((events, context) => events.publish(make(context, 'foreign'))),
  );

  test('P23: the other task is not changed', async () => {
    const store = memoryStore();
    const agent = agentThat(
      async (context, events) => {
        if (context.text === 'wait') return events.status('TASK_STATE_INPUT_REQUIRED');
        await events.working();
        await events.publish({ ...rawStatus(context, 'TASK_STATE_COMPLETED'), taskId: context.text });
      },
      { store },
    );
    const caller = callerOf(agent);
    const neighbour = await caller.task('wait');
    await untilIdle(agent);
    const before = await storyOf(store, refOf(neighbour.id));
    expect((await caller.task(neighbour.id)).status.state).toBe('TASK_STATE_FAILED');
    expect(await caller.get(neighbour.id)).toEqual(neighbour);
    expect(await storyOf(store, refOf(neighbour.id))).toEqual(before);
  });

  test('P23: the helpers accept a message of another agent and replace its ids', async () => {
    const theirs = { ...MESSAGE, taskId: 'theirs', contextId: 'theirs' };
    const replying = agentThat((_, events) => events.reply(theirs));
    expect((await callerOf(replying).send(say('go', { contextId: 'ours' }))).message).toEqual({ ...MESSAGE, contextId: 'ours' });
    const working = agentThat((_, events) => events.status('TASK_STATE_COMPLETED', theirs));
    const { id, status } = await callerOf(working).task(say('go', { contextId: 'ours' }));
    expect(status.message).toEqual({ ...MESSAGE, taskId: id, contextId: 'ours' });
  });
});

describe('P23: malformed events', () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const bad =
    (event: unknown): Speak =>
    (events) =>
      events.publish(event as Task);
  const part =
    (content: unknown): Speak =>
    (events) =>
      events.artifact({ parts: [content as Part] });
  const status =
    (make: (context: RequestContext) => unknown): Speak =>
    (events, context) =>
      events.publish(make(context) as Task);

  const malformed: Record<string, Speak> = {
    nothing: bad(undefined),
    null: bad(null),
    'a number': bad(42),
    'a text': bad('completed'),
    'an empty object': bad({}),
    'a list': bad([]),
    'a Task without a status': status(({ taskId }) => ({ id: taskId })),
    'a Task with an unknown state': status(({ taskId }) => ({ id: taskId, status: { state: 'TASK_STATE_ERROR' } })),
    'a status without a state': status(({ taskId, contextId }) => ({ taskId, contextId, status: {} })),
    'a status with a state name of 0.3': status(({ taskId, contextId }) => ({ taskId, contextId, status: { state: 'completed' } })),
    'an artifact without parts': status(({ taskId, contextId }) => ({ taskId, contextId, artifact: { artifactId: 'a', parts: [] } })),
    'an artifact without an id': status(({ taskId, contextId }) => ({ taskId, contextId, artifact: { parts: [{ text: 'x' }] } })),
    'a Message without a role': bad({ messageId: 'm', parts: [{ text: 'x' }] }),
    'metadata that is not JSON': status((context) => ({ ...rawStatus(context, 'TASK_STATE_WORKING'), metadata: { n: 1n } })),
    'circular metadata': status((context) => ({ ...rawStatus(context, 'TASK_STATE_WORKING'), metadata: circular })),
    'an append to a missing artifact': status((context) => ({ ...rawArtifact(context, 'unknown'), append: true })),
    'status() with a state name of 0.3': (events) => events.status('completed' as TaskState),
    'status() with a message without parts': (events) => events.status('TASK_STATE_WORKING', []),
    'status() with an invalid message': (events) => events.status('TASK_STATE_WORKING', { messageId: 'm' } as Message),
    'working() with a number': (events) => events.working(42 as unknown as string),
    'appendText() without a text': (events) => events.appendText('a', undefined as unknown as string),
    'appendText() without an id': (events) => events.appendText('', 'x'),
    'artifact() with undefined': (events) => events.artifact(undefined as never),
    'artifact() without parts': (events) => events.artifact({ parts: [] }),
    'artifact() appended to a missing artifact': (events) =>
      events.artifact({ artifactId: 'unknown', parts: [{ text: 'x' }] }, { append: true }),
    'a part without content': part({}),
    'a part with two contents': part({ text: 'x', data: 1 }),
    'a part of the wrong type': part({ text: 1 }),
    'a part with bytes that are not base64': part({ raw: '%%%' }),
    'data() with a value that is not JSON': (events) => events.data(1n as never),
    'file() with neither bytes nor a url': (events) => events.file({ filename: 'x' }),
    'file() with both': (events) => events.file({ filename: 'x', base64: 'AA==', url: 'https://example.com' }),
    'file() with bytes that are text': (events) => events.file({ filename: 'x', bytes: 'AA==' as never }),
    'progress() with 7': (events) => events.progress(7),
  };

  const crashes = new Set(['artifact() with undefined']);
  test.each(Object.entries(malformed).filter(([name]) => !crashes.has(name)))('P23: %s fails the task', (_, offend) =>
    failsTheTask(offend),
  );

  test.each(Object.entries(malformed))('P23: %s sends no illegal event to a reader, and the agent still works', async (_, offend) => {
    const agent = agentThat(async (context, events) => {
      if (context.text === 'offend')
        void offend(events, context); // not awaited: the error must be thrown at the end
      else await events.complete();
    });
    const caller = callerOf(agent);
    const outcome = await caller.send('offend').catch((error: unknown) => error);
    const { task } = outcome as { task?: Task };
    if (task) expect(task.status.state).toBe('TASK_STATE_FAILED');
    else expect(outcome).toBeInstanceOf(Error);
    await untilIdle(agent);
    expect((await caller.task('behave')).status.state).toBe('TASK_STATE_COMPLETED');
  });

  const replies: Record<string, Speak> = {
    'a reply without parts': (events) => events.reply([]),
    'a reply with two contents in a part': (events) => events.reply([{ text: 'x', url: 'https://example.com' }]),
    'a reply of the wrong type': (events) => events.reply({ messageId: 'm', role: 'ROLE_AGENT', parts: 'x' } as unknown as Message),
    'a raw Message without parts': (events) => events.publish({ ...MESSAGE, parts: [] }),
  };
  test.each(Object.entries(replies))('P23: %s fails the call', (_, speak) => failsTheCall(speak));

  test.each([
    ['a number', 42],
    ['an object', { hello: 1 }],
    ['an invalid part', [{}]],
  ])('P23: a function that returns %s fails its task', async (_, answer) => {
    const agent = createAgent({ name: 'Offender', execute: () => answer as never });
    const { status } = await callerOf(agent).task('go');
    expect(status.message?.metadata).toEqual({ 'urn:parley:a2a:error': FAILED });
  });
});

describe('P18: publishing after the end', () => {
  const ENDS = ['complete', 'fail', 'reject', 'canceled'] as const;

  test.each(ENDS)('P18: after %s() the task does not change: the first final status stays', async (end) => {
    const store = memoryStore();
    const refusals: unknown[] = [];
    const keep = (error: unknown) => refusals.push(error);
    const agent = agentThat(
      async (context, events) => {
        await events[end]('the end');
        await events.working('again').catch(keep);
        await events.appendText('a', 'x').catch(keep);
        await events.publish(rawStatus(context, 'TASK_STATE_FAILED')).catch(keep);
        await events.publish(MESSAGE).catch(keep);
        await events.complete('no, well').catch(keep);
        await events.fail('no, badly').catch(keep);
      },
      { store },
    );
    const caller = callerOf(agent);
    const task = await caller.task('go');
    await untilIdle(agent);
    expect(task.status.message?.parts).toEqual([{ text: 'the end' }]);
    expect(await caller.get(task.id)).toEqual(task);
    expect(await storyOf(store, refOf(task.id))).toHaveLength(3);
    expect(refusals).toHaveLength(6);
    for (const error of refusals) expect(error).toMatchObject({ reason: 'INVALID_AGENT_RESPONSE' });
  });

  test('P18: these calls need not be awaited', async () => {
    const agent = agentThat(async (_, events) => {
      void events.complete('the end');
      void events.complete('again');
      void events.fail('no');
      void events.reject();
      void events.canceled();
      void events.task();
      void events.flush();
      void events.working();
    });
    const { status } = await callerOf(agent).task('go');
    expect(status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'the end' }] } });
    await untilIdle(agent);
  });
});
