import { describe, expect, test } from 'vitest';
import type { JsonObject, Task } from '../src/protocol/types.js';
import {
  type AgentExecutor,
  type ContextRequest,
  contextBuilder,
  createAgent,
  createRequestContext,
  memoryStore,
  type RequestContext,
  type TaskStore,
} from '../src/server/index.js';
import { manualClock, scriptedExecutor, sequentialIds } from '../src/testing/index.js';
import { callerOf, gate, say } from './harness.js';
import { refusal, told, until, untilIdle } from './looking.js';

const NAME = { name: 'Reader of requests' };
const ASK = {
  do: 'call',
  run: (_: unknown, events: Parameters<AgentExecutor['execute']>[1]) => events.status('TASK_STATE_INPUT_REQUIRED'),
} as const;

function requestOf(fields: Partial<ContextRequest> = {}): ContextRequest {
  const ignore = () => {};
  const never = async () => {
    throw new Error('not asked for');
  };
  return {
    abilities: {
      attempt: 1,
      signal: new AbortController().signal,
      clock: manualClock(),
      logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      conversation: never,
      requireInput: never,
      requireAuth: never,
    },
    caller: { id: '' },
    tenant: '',
    requestedExtensions: [],
    ids: sequentialIds(),
    ...fields,
  };
}

const taskOf = (id: string, contextId?: string): Task => ({ id, ...(contextId && { contextId }), status: { state: 'TASK_STATE_WORKING' } });

describe('P8: the ids of a request', () => {
  const GIVEN: [string, Partial<ContextRequest>, { taskId: string; contextId: string }][] = [
    ['none: both are generated', {}, { taskId: 'task-1', contextId: 'context-1' }],
    ['both', { taskId: 't', contextId: 'c' }, { taskId: 't', contextId: 'c' }],
    ['only a task id', { taskId: 't' }, { taskId: 't', contextId: 'context-1' }],
    ['only a context id', { contextId: 'c' }, { taskId: 'task-1', contextId: 'c' }],
    ['the ids of the message', { message: say('x', { taskId: 't', contextId: 'c' }) }, { taskId: 't', contextId: 'c' }],
    ['the ids of the task', { task: taskOf('t', 'c') }, { taskId: 't', contextId: 'c' }],
    ['the same ids as those of the task', { taskId: 't', contextId: 'c', task: taskOf('t', 'c') }, { taskId: 't', contextId: 'c' }],
    ['a task without a context', { contextId: 'c', task: taskOf('t') }, { taskId: 't', contextId: 'c' }],
  ];
  test.each(GIVEN)('P8: given %s', (_, given, ids) => {
    const context = createRequestContext(requestOf({ message: say('hello'), ...given }));
    expect(context).toMatchObject(ids);
    expect(context.message, 'the message gets the ids').toMatchObject(ids);
  });

  test('P8: the original message is not changed', () => {
    const message = Object.freeze(say('hello'));
    createRequestContext(requestOf({ message, taskId: 't', contextId: 'c' }));
    expect(message).not.toHaveProperty('taskId');
  });

  test.each([
    ['bad task id', { taskId: 'other', task: taskOf('t', 'c') }],
    ['bad task id', { message: say('x', { taskId: 'other' }), task: taskOf('t', 'c') }],
    ['bad context id', { contextId: 'other', task: taskOf('t', 'c') }],
    ['bad context id', { message: say('x', { contextId: 'other' }), task: taskOf('t', 'c') }],
  ])('P8: ids that differ from those of the task are refused (%s)', async (words, given) => {
    const error = await refusal(contextBuilder()(requestOf(given)));
    expect(error).toMatchObject({ reason: 'INVALID_PARAMS', message: expect.stringContaining(words) });
  });

  test('P8: without generators, ids are random UUIDs', () => {
    const [first, second] = [1, 2].map(() => createRequestContext(requestOf({ ids: {} })));
    const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
    expect(first?.taskId).toMatch(uuid);
    expect(first?.contextId).toMatch(uuid);
    expect(new Set([first?.taskId, first?.contextId, second?.taskId, second?.contextId]).size).toBe(4);
  });

  test('P8: a generator gets the other id', async () => {
    const ids = { taskId: ({ contextId }: { contextId?: string }) => `task of ${contextId}`, contextId: () => 'made up' };
    const caller = callerOf(createAgent({ ...NAME, ids, execute: () => 'x' }));
    expect(await caller.task('hello')).toMatchObject({ id: 'task of made up', contextId: 'made up' });
    expect(await caller.task(say('hello', { contextId: 'mine' }))).toMatchObject({ id: 'task of mine', contextId: 'mine' });
    const told = createRequestContext(requestOf({ taskId: 't', ids: { contextId: ({ taskId }) => `context of ${taskId}` } }));
    expect(told.contextId).toBe('context of t');
  });
});

describe('P9: the content of a context', () => {
  const metadata: JsonObject = { deep: { list: [1, { last: null }], text: 'x' } };

  test('P9: it has all fields of a full request', async () => {
    const executor = scriptedExecutor([ASK], { turns: [[{ do: 'complete' }]] });
    const agent = createAgent({ ...NAME, executor });
    const known = { id: 'ada', scopes: ['read'], claims: { team: 'blue' } };
    const caller = callerOf(agent, known);
    const message = say([{ text: 'hello' }, { data: { n: 1 } }], { contextId: 'c-1', metadata: { of: 'message' } });
    const configuration = { acceptedOutputModes: ['text/plain'], historyLength: 5 };
    await caller.value('SendMessage', { message, configuration, metadata, tenant: 'acme' }, { extensions: ['urn:a', 'urn:b'] });
    const [context] = executor.runs;
    const { taskId } = context ?? {};
    expect(context).toMatchObject({
      contextId: 'c-1',
      tenant: 'acme',
      caller: known,
      message: { ...message, taskId },
      parts: message.parts,
      text: 'hello',
      relatedTasks: [],
      configuration,
      metadata,
      requestedExtensions: ['urn:a', 'urn:b'],
      attempt: 1,
    });
    expect(context).not.toHaveProperty('currentTask');
    expect(context?.signal.aborted).toBe(false);
  });

  test('P9: metadata is plain JSON at every depth', async () => {
    const executor = scriptedExecutor([ASK], { turns: [[{ do: 'complete' }]] });
    const caller = callerOf(createAgent({ ...NAME, executor }));
    const { task } = await caller.value('SendMessage', { message: say('hello'), metadata });
    await caller.value('SendMessage', { message: say('on', { taskId: task?.id ?? '' }), metadata });
    for (const context of executor.runs) {
      expect(context.metadata).toStrictEqual(metadata);
      expect(JSON.parse(JSON.stringify(context.metadata))).toStrictEqual(context.metadata);
    }
    expect(executor.runs).toHaveLength(2);
  });

  test('P9: on a continued task it has the task and the request of that turn', async () => {
    const executor = scriptedExecutor([ASK], { turns: [[{ do: 'complete' }]] });
    const caller = callerOf(createAgent({ ...NAME, executor }));
    const first = await caller.value('SendMessage', { message: say('one'), metadata: { turn: 1 }, configuration: { historyLength: 1 } });
    const { id = '', contextId = '' } = first.task ?? {};
    await caller.value('SendMessage', { message: say('two', { taskId: id }), metadata: { turn: 2 } });
    const [, second] = executor.runs;
    expect(second).toMatchObject({ taskId: id, contextId, text: 'two', metadata: { turn: 2 }, currentTask: { id, contextId } });
    expect(second).not.toHaveProperty('configuration');
  });

  test('P9: the context of a cancel has no message and has the metadata of the cancel', async () => {
    const working = gate();
    const executor = scriptedExecutor(
      [{ do: 'working' }, { do: 'flush' }, { do: 'call', run: () => working.open() }, { do: 'gate', name: 'never' }],
      { cancel: [{ do: 'canceled' }] },
    );
    const caller = callerOf(createAgent({ ...NAME, executor }), { id: 'ada' });
    const message = say('hello');
    const configuration = { returnImmediately: true };
    const sent = await caller.value('SendMessage', { message, metadata: { of: 'send' }, configuration, tenant: 'acme' });
    const id = sent.task?.id ?? '';
    await working.passed;
    await caller.value('CancelTask', { id, metadata: { why: 'bored' }, tenant: 'acme' });
    const [context] = executor.cancels;
    expect(context).toMatchObject({
      taskId: id,
      contextId: sent.task?.contextId,
      tenant: 'acme',
      caller: { id: 'ada' },
      currentTask: { id, status: { state: 'TASK_STATE_WORKING' } },
      parts: [],
      text: '',
      relatedTasks: [],
    });
    expect(context?.metadata).toEqual({ why: 'bored' });
    expect(context?.getUserInput()).toBe('');
    expect(context).not.toHaveProperty('message');
    expect(context).not.toHaveProperty('configuration');
  });

  test('P9: a cancel without metadata does not have the metadata of the send', async () => {
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'never' }], { cancel: [{ do: 'canceled' }] });
    const caller = callerOf(createAgent({ ...NAME, executor }));
    const configuration = { returnImmediately: true };
    const { task } = await caller.value('SendMessage', { message: say('hello'), metadata: { of: 'send' }, configuration });
    await caller.cancel(task?.id ?? '');
    expect(executor.cancels[0]?.metadata).toEqual({});
  });
});

describe('P10: the message of the user as text', () => {
  test.each([
    ['one text', [{ text: 'a' }], undefined, 'a'],
    ['texts are joined by newlines', [{ text: 'a' }, { text: 'b' }], undefined, 'a\nb'],
    ['another separator is used', [{ text: 'a' }, { text: 'b' }], ' | ', 'a | b'],
    ['an empty separator is used', [{ text: 'a' }, { text: 'b' }], '', 'ab'],
    [
      'only text parts count',
      [{ data: { text: 'no' } }, { text: 'a' }, { url: 'https://example.com' }, { raw: 'AA==' }, { text: 'b' }],
      '+',
      'a+b',
    ],
    ['an empty text is a text', [{ text: '' }, { text: 'b' }], '+', '+b'],
    ['no text at all', [{ data: 1 }], undefined, ''],
  ])('P10: %s', (_, parts, delimiter, expected) => {
    const context = createRequestContext(requestOf({ message: say(parts) }));
    expect(context.getUserInput(delimiter)).toBe(expected);
    if (delimiter === undefined) expect(context.text).toBe(expected);
  });

  test('P10: without a message it is empty', () => {
    expect(createRequestContext(requestOf()).getUserInput()).toBe('');
  });
});

describe('P11, P12: related tasks', () => {
  /** Three finished tasks of one caller and one of another. */
  async function library(store: TaskStore, options: { readonly populateRelatedTasks?: boolean } = {}) {
    const contexts: RequestContext[] = [];
    const agent = createAgent({
      ...NAME,
      ...options,
      store,
      execute: (context) => {
        contexts.push(context);
        return context.text;
      },
    });
    const [ada, bob] = [callerOf(agent, { id: 'ada' }), callerOf(agent, { id: 'bob' })];
    const tasks = [await ada.task('one'), await ada.task('two'), await ada.task('three')];
    return { ada, tasks, foreign: await bob.task('bob’s'), contexts };
  }

  test('P12: the tasks that a message refers to are fetched in its order, without missing ones and those of other callers', async () => {
    const { ada, tasks, foreign, contexts } = await library(memoryStore(), { populateRelatedTasks: true });
    const [one, two, three] = tasks.map(({ id }) => id);
    await ada.task(say('hello', { referenceTaskIds: [three ?? '', 'missing', foreign.id, one ?? ''] }));
    expect(contexts.at(-1)?.relatedTasks).toEqual([tasks[2], tasks[0]]);
    expect(two).toBeDefined();
  });

  test('P12: without populateRelatedTasks nothing is fetched', async () => {
    const { ada, tasks, contexts } = await library(memoryStore());
    await ada.task(say('hello', { referenceTaskIds: tasks.map(({ id }) => id) }));
    expect(contexts.at(-1)?.relatedTasks).toEqual([]);
  });

  test('P12: they are fetched concurrently', async () => {
    const inner = memoryStore();
    const answers = gate();
    let asked = 0;
    let holding = false;
    const load: TaskStore['load'] = async (ref) => {
      asked += 1;
      if (holding) await answers.passed;
      return inner.load(ref);
    };
    const { ada, tasks, contexts } = await library({ ...inner, load }, { populateRelatedTasks: true });
    holding = true;
    asked = 0;
    const sent = ada.task(say('hello', { referenceTaskIds: tasks.map(({ id }) => id) }));
    await until(() => asked === 3);
    answers.open();
    await sent;
    expect(contexts.at(-1)?.relatedTasks).toEqual(tasks);
  });

  test('P11: an attached task comes after the fetched ones', async () => {
    const { ada, tasks, contexts } = await library(memoryStore(), { populateRelatedTasks: true });
    await ada.task(say('hello', { referenceTaskIds: tasks.slice(0, 2).map(({ id }) => id) }));
    const context = contexts.at(-1);
    context?.attachRelatedTask(taskOf('mine'));
    expect(context?.relatedTasks.map(({ id }) => id)).toEqual([tasks[0]?.id, tasks[1]?.id, 'mine']);
  });

  test('P11: a task is attached to one context only', async () => {
    const relatedTasks: Task[] = [];
    const [first, second] = [1, 2].map(() => createRequestContext(requestOf({ relatedTasks })));
    first?.attachRelatedTask(taskOf('mine'));
    expect(second?.relatedTasks).toEqual([]);
    expect(relatedTasks).toEqual([]);
  });
});

describe('P13: the task is read when its turn starts', () => {
  test('P13: the second of two queued messages gets the task as the turn of the first left it', async () => {
    const busy = gate();
    const seen: (Task | undefined)[] = [];
    const agent = createAgent({
      ...NAME,
      executor: {
        async execute({ currentTask, text }, events) {
          seen.push(currentTask);
          if (text === 'one') await busy.passed;
          await events.appendText(text, `${text} done`);
          await events.status(text === 'three' ? 'TASK_STATE_COMPLETED' : 'TASK_STATE_INPUT_REQUIRED');
        },
      },
    });
    const caller = callerOf(agent);
    const { id } = await caller.task('zero');
    const turns = ['one', 'two', 'three'].map((text) => caller.task(say(text, { taskId: id })));
    await until(() => seen.length === 2);
    busy.open();
    await Promise.all(turns);
    expect(seen.map((task) => task?.artifacts?.map(({ artifactId }) => artifactId))).toEqual([
      undefined,
      ['zero'],
      ['zero', 'one'],
      ['zero', 'one', 'two'],
    ]);
    expect(seen[3]?.history?.map(({ parts }) => parts[0]?.text)).toEqual(['zero', 'one', 'two', 'three']);
  });

  test('P13: changes of an executor to its copy have no effect', async () => {
    const agent = createAgent({
      ...NAME,
      executor: {
        async execute({ currentTask }, events) {
          if (currentTask === undefined) return events.status('TASK_STATE_INPUT_REQUIRED', 'original');
          Object.assign(currentTask, { metadata: { hacked: true }, history: [] });
          await events.complete();
        },
      },
    });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    const task = await caller.task(say('on', { taskId: id }));
    expect(task.history?.map(({ parts }) => parts[0]?.text)).toEqual(['go', 'original', 'on']);
    expect(task).not.toHaveProperty('metadata');
  });
});

describe('P14: the caller', () => {
  test('P14: a call without credentials has the anonymous caller and no tenant', async () => {
    const executor = scriptedExecutor([{ do: 'complete' }]);
    await callerOf(createAgent({ ...NAME, executor })).task('hello');
    expect(executor.runs[0]).toMatchObject({ caller: { id: '' }, tenant: '', requestedExtensions: [] });
  });

  const STRANGERS: [string, { id: string; tenants?: readonly string[] }, string | undefined][] = [
    ['another caller', { id: 'bob' }, 'acme'],
    ['the anonymous caller', { id: '' }, 'acme'],
    ['the same caller in another tenant', { id: 'ada' }, 'other'],
    ['the same caller without a tenant', { id: 'ada' }, undefined],
    ['a caller without access to the tenant', { id: 'ada', tenants: ['other'] }, 'acme'],
  ];
  test.each(STRANGERS)('P14: %s gets exactly the error of an unknown task', async (_, stranger, tenant) => {
    const executor = scriptedExecutor([ASK]);
    const agent = createAgent({ ...NAME, executor });
    const { task } = await callerOf(agent, { id: 'ada' }).value('SendMessage', { message: say('mine'), tenant: 'acme' });
    await untilIdle(agent);
    const id = task?.id ?? '';
    const caller = callerOf(agent, stranger);
    const scope = tenant === undefined ? {} : { tenant };
    const askAll = async (taskId: string) => {
      const calls = [
        () => caller.value('GetTask', { id: taskId, ...scope }),
        () => caller.value('CancelTask', { id: taskId, ...scope }),
        () => caller.handle('SubscribeToTask', { id: taskId, ...scope }),
        () => caller.handle('SendMessage', { message: say('hello', { taskId }), ...scope }),
        () => caller.handle('SendStreamingMessage', { message: say('hello', { taskId }), ...scope }),
      ];
      return Promise.all(calls.map(async (call) => told(await refusal(call())).replaceAll(taskId, 'ID')));
    };
    const answers = await askAll(id);
    expect(answers).toEqual(await askAll('00000000-0000-4000-8000-000000000000'));
    expect(answers.every((answer) => answer.includes('"TASK_NOT_FOUND"'))).toBe(true);
    expect(executor.runs).toHaveLength(1);
    const mine = await callerOf(agent, { id: 'ada' }).value('ListTasks', { tenant: 'acme' });
    expect(mine.tasks.map((found) => found.id)).toEqual([id]);
  });
});

describe('P62: the context builder is replaceable', () => {
  test('P62: it is called for every request, and the executor gets its context', async () => {
    const executor = scriptedExecutor([ASK], {
      turns: [[{ do: 'working' }, { do: 'gate', name: 'never' }]],
      cancel: [{ do: 'canceled' }],
    });
    const requests: ContextRequest[] = [];
    const agent = createAgent({
      ...NAME,
      executor,
      async buildContext(request, build) {
        requests.push(request);
        const context = await build(request);
        context.attachRelatedTask(taskOf(`related ${requests.length}`));
        return context;
      },
    });
    const caller = callerOf(agent);
    const { id } = await caller.task('one');
    const reader = await caller.stream(say('two', { taskId: id }));
    await until(() => executor.runs.length === 2);
    await caller.cancel(id);
    await reader.all();
    const built = [...executor.runs, ...executor.cancels];
    expect(built.map(({ relatedTasks }) => relatedTasks.map((task) => task.id))).toEqual([['related 1'], ['related 2'], ['related 3']]);
    expect(requests.map(({ message, task }) => [message?.parts[0]?.text, task?.id])).toEqual([
      ['one', undefined],
      ['two', id],
      [undefined, id],
    ]);
  });

  test('P62: it may return a context of its own', async () => {
    const agent = createAgent({
      ...NAME,
      execute: ({ text }) => text,
      buildContext: (request) => ({ ...createRequestContext(request), text: 'in its own words' }),
    });
    expect((await callerOf(agent).task('hello')).artifacts?.[0]?.parts).toEqual([{ text: 'in its own words' }]);
  });

  test.each(['throws', 'rejects'])('P62: a builder that %s fails only its own request, without internal text', async (how) => {
    const reported: unknown[] = [];
    const executor = scriptedExecutor([{ do: 'complete' }]);
    const agent = createAgent({
      ...NAME,
      executor,
      onError: ({ cause }) => reported.push(cause),
      buildContext(request, build) {
        const secret = new Error('postgres://user:secret@db');
        if (request.message?.parts[0]?.text !== 'bad') return build(request);
        if (how === 'throws') throw secret;
        return Promise.reject(secret);
      },
    });
    const caller = callerOf(agent);
    const error = await refusal(caller.send('bad'));
    expect(error).toMatchObject({ reason: 'INTERNAL_ERROR', code: -32603 });
    expect(told(error)).not.toContain('secret');
    expect(reported).toEqual([expect.objectContaining({ message: 'postgres://user:secret@db' })]);
    await untilIdle(agent);
    expect(executor.runs).toHaveLength(0);
    expect((await caller.task('good')).status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('P62: a builder that throws on a continued task fails that task', async () => {
    const agent = createAgent({
      ...NAME,
      executor: scriptedExecutor([ASK]),
      buildContext(request, build) {
        if (request.task) throw new Error('secret');
        return build(request);
      },
    });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    const task = await caller.task(say('on', { taskId: id }));
    expect(task.status.state).toBe('TASK_STATE_FAILED');
    expect(JSON.stringify(task)).not.toContain('secret');
  });
});
