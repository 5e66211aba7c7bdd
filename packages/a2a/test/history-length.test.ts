import { describe, expect, test } from 'vitest';
import { parseAs } from '../src/protocol/parse.js';
import type { Task } from '../src/protocol/types.js';
import { createAgent, memoryStore } from '../src/server/index.js';
import { type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { callerOf, say } from './harness.js';
import { refOf, refusal } from './looking.js';

const ALL = ['one', 'first?', 'two', 'second?', 'three'];
const ask = (text: string): readonly ScriptStep[] => [{ do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED', text) }];

const said = ({ history }: Pick<Task, 'history'>) => history?.map(({ parts }) => parts[0]?.text);

/** A task with two answered questions, whose last message is sent with this history length. */
async function talk(historyLength?: number) {
  const store = memoryStore();
  const executor = scriptedExecutor(ask('first?'), { turns: [ask('second?'), [{ do: 'complete' }]] });
  const caller = callerOf(createAgent({ name: 'Historian', store, executor }));
  const { id } = await caller.task('one');
  await caller.task(say('two', { taskId: id }));
  const configuration = historyLength === undefined ? {} : { historyLength };
  return {
    caller,
    id,
    store,
    last: () => caller.task(say('three', { taskId: id }), configuration),
    stream: () => caller.open('SendStreamingMessage', { message: say('three', { taskId: id }), configuration }),
  };
}

const TABLE = [
  ['absent gives all', undefined, ALL],
  ['0 omits the member', 0, undefined],
  ['1 gives the newest', 1, ['three']],
  ['3 gives the newest three, oldest first', 3, ['two', 'second?', 'three']],
  ['5 gives all of them', 5, ALL],
  ['a number above the total gives all', 1_000, ALL],
] as const;

describe('P46: historyLength', () => {
  test.each(TABLE)('P46: %s, in SendMessage', async (_name, historyLength, expected) => {
    const { last } = await talk(historyLength);
    const task = await last();
    expect(said(task)).toEqual(expected);
    expect('history' in task).toBe(expected !== undefined);
  });

  test.each(TABLE)('P46: %s, in the Task of a stream', async (_name, historyLength, expected) => {
    const { stream } = await talk(historyLength);
    const reader = await stream();
    const [first] = await reader.all();
    expect(first?.task && said(first.task)).toEqual(expected);
  });

  test.each(TABLE)('P46: %s, in GetTask', async (_name, historyLength, expected) => {
    const { caller, id, last } = await talk();
    await last();
    expect(said(await caller.get(id, historyLength))).toEqual(expected);
  });

  test.each(TABLE)('P46: %s, in each task of ListTasks', async (_name, historyLength, expected) => {
    const { caller, last } = await talk();
    await last();
    await last().catch(() => {});
    const { tasks } = await caller.list(historyLength === undefined ? {} : { historyLength });
    expect(tasks.map(said)).toEqual([expected]);
  });

  test('P46: the first Task in the stream of a new task is shortened as well', async () => {
    const caller = callerOf(createAgent({ name: 'Historian', executor: scriptedExecutor([{ do: 'complete' }]) }));
    const none = await caller.open('SendStreamingMessage', { message: say('hello'), configuration: { historyLength: 0 } });
    expect((await none.all())[0]?.task).not.toHaveProperty('history');
    const one = await caller.open('SendStreamingMessage', { message: say('hello'), configuration: { historyLength: 1 } });
    expect((await one.all())[0]?.task).toMatchObject({ history: [{ parts: [{ text: 'hello' }] }] });
  });

  test('P46: a running task is shortened like a stored one', async () => {
    const executor = scriptedExecutor([
      { do: 'working', text: 'a' },
      { do: 'working', text: 'b' },
      { do: 'flush' },
      { do: 'gate', name: 'end' },
      { do: 'complete' },
    ]);
    const caller = callerOf(createAgent({ name: 'Historian', executor }));
    const reader = await caller.stream('go');
    await reader.until(3);
    const id = reader.seen[0]?.task?.id ?? '';
    expect(said(await caller.get(id))).toEqual(['go', 'a']);
    expect(said(await caller.get(id, 1))).toEqual(['a']);
    expect(said(await caller.get(id, 0))).toBeUndefined();
    executor.open('end');
  });

  test('P46: a shortened response does not change the stored task', async () => {
    const { caller, id, last, store } = await talk(0);
    await last();
    const before = await store.load(refOf(id));
    await caller.get(id, 1);
    await caller.list({ historyLength: 0 });
    expect(await store.load(refOf(id))).toEqual(before);
    expect(said(await caller.get(id))).toEqual(ALL);
  });

  test.each([
    ['GetTaskRequest', { id: 'x', historyLength: -1 }, 'historyLength'],
    ['ListTasksRequest', { historyLength: -1 }, 'historyLength'],
    ['SendMessageRequest', { message: say('x'), configuration: { historyLength: -1 } }, 'configuration.historyLength'],
  ] as const)('P46: a negative value is InvalidParams in %s, and the error names the member', async (type, params, field) => {
    const parse = async () => parseAs(type, params);
    expect(await refusal(parse())).toMatchObject({ reason: 'INVALID_PARAMS', code: -32602, violations: [{ field }] });
  });
});
