import { describe, expect, test } from 'vitest';
import type { Message } from '../src/protocol/types.js';
import { createAgent, memoryStore, type RequestContext } from '../src/server/index.js';
import { manualClock, scriptedExecutor, sequentialIds } from '../src/testing/index.js';
import { callerOf, say } from './harness.js';
import { follow, quiet, refusal, until, untilIdle } from './looking.js';

const NAME = { name: 'Talker' };

const said = (messages: readonly Message[]): readonly (string | undefined)[] => messages.map(({ parts }) => parts[0]?.text);

/** Completes each task with an echo and records the result of conversation(), by the text of the message. */
function rememberer(options: { readonly limit?: number } = {}) {
  const heard = new Map<string, readonly (string | undefined)[]>();
  const agent = createAgent({
    ...NAME,
    executor: {
      async execute(context, events) {
        heard.set(context.text, said(await context.conversation(options)));
        await events.complete(`echo ${context.text}`);
      },
    },
  });
  return { agent, heard };
}

describe('D22: context ids', () => {
  test('D22: a missing context id is generated and returned, and the id of a client is kept', async () => {
    const executor = scriptedExecutor([{ do: 'complete' }]);
    const caller = callerOf(createAgent({ ...NAME, ids: sequentialIds(), executor }));
    expect(await caller.task('hello')).toMatchObject({ id: 'task-1', contextId: 'context-1' });
    expect(await caller.task(say('hello', { contextId: 'my own' }))).toMatchObject({ id: 'task-2', contextId: 'my own' });
    expect(executor.runs.map(({ contextId, message }) => [contextId, message?.contextId])).toEqual([
      ['context-1', 'context-1'],
      ['my own', 'my own'],
    ]);
  });

  test('D22: a Message reply carries the context id as well', async () => {
    const caller = callerOf(createAgent({ ...NAME, executor: scriptedExecutor([{ do: 'reply', text: 'hi' }]) }));
    expect((await caller.send(say('hello', { contextId: 'c' }))).message?.contextId).toBe('c');
    expect((await caller.send('hello')).message?.contextId).toMatch(/.+/);
  });

  test('D22: sends without a task id on one context are separate tasks that run concurrently', async () => {
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'end' }, { do: 'complete' }]);
    const agent = createAgent({ ...NAME, executor });
    const caller = callerOf(agent);
    const sent = Promise.all(Array.from({ length: 20 }, (_, index) => caller.task(say(`${index}`, { contextId: 'c' }))));
    await until(() => executor.runs.length === 20);
    await quiet();
    expect(agent.tasks.running).toHaveLength(20);
    executor.open('end');
    const tasks = await sent;
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(20);
    expect(new Set(tasks.map(({ contextId }) => contextId))).toEqual(new Set(['c']));
    for (const [index, { history }] of tasks.entries()) expect(said(history ?? [])).toEqual([`${index}`]);
  });
});

describe("D22: serialize: 'context'", () => {
  function serializing() {
    const running: string[] = [];
    const order: string[] = [];
    let most = 0;
    const executor = scriptedExecutor([
      {
        do: 'call',
        async run({ text }: RequestContext, events) {
          running.push(text);
          most = Math.max(most, running.length);
          order.push(text);
          await events.working();
          await events.flush();
          await quiet();
          running.splice(running.indexOf(text), 1);
          if (text === 'throw') throw new Error('no');
          await events.complete(text);
        },
      },
    ]);
    const agent = createAgent({ ...NAME, serialize: 'context', executor });
    return { agent, caller: callerOf(agent), order, most: () => most };
  }

  test('D22: new tasks of one context run one after the other, in the order of arrival', async () => {
    const { agent, caller, most, order } = serializing();
    const texts = Array.from({ length: 10 }, (_, index) => `${index}`);
    const tasks = await Promise.all(texts.map((text) => caller.task(say(text, { contextId: 'c' }))));
    expect(most()).toBe(1);
    expect(order).toEqual(texts);
    expect(tasks.map(({ status }) => status.message?.parts[0]?.text)).toEqual(texts);
    await untilIdle(agent);
  });

  test('D22: a task that fails lets the next one run', async () => {
    const { caller, order } = serializing();
    const sent = ['throw', 'next'].map((text) => caller.task(say(text, { contextId: 'c' })));
    expect((await Promise.all(sent)).map(({ status }) => status.state)).toEqual(['TASK_STATE_FAILED', 'TASK_STATE_COMPLETED']);
    expect(order).toEqual(['throw', 'next']);
  });

  test('D22: tasks of other contexts, owners and tenants do not wait', async () => {
    const { agent, caller, most } = serializing();
    const ann = callerOf(agent, { id: 'ann' });
    await Promise.all([
      caller.task(say('one', { contextId: 'c' })),
      caller.task(say('two', { contextId: 'd' })),
      ann.task(say('three', { contextId: 'c' })),
      ann.value('SendMessage', { tenant: 't', message: say('four', { contextId: 'c' }) }),
    ]);
    expect(most()).toBe(4);
  });

  test('D22: the next task sees the messages of the previous one', async () => {
    const heard: (readonly (string | undefined)[])[] = [];
    const agent = createAgent({
      ...NAME,
      serialize: 'context',
      execute: async (context) => {
        heard.push(said(await context.conversation()));
        return `echo ${context.text}`;
      },
    });
    const caller = callerOf(agent);
    await Promise.all(['one', 'two', 'three'].map((text) => caller.task(say(text, { contextId: 'c' }))));
    expect(heard).toEqual([[], ['one', 'echo one'], ['one', 'echo one', 'two', 'echo two']]);
  });

  test('D22: a message to a task that waits for input does not wait for the context', async () => {
    const clock = manualClock();
    const executor = scriptedExecutor([{ do: 'requireInput', prompt: 'which?' }, { do: 'complete' }]);
    const agent = createAgent({ ...NAME, clock, store: memoryStore({ clock }), serialize: 'context', executor });
    const caller = callerOf(agent);
    const first = caller.task(say('one', { contextId: 'c' }));
    await clock.tick();
    const { id } = await first;
    const second = follow(caller.task(say('two', { contextId: 'c' })));
    await clock.tick();
    expect(second.isSettled).toBe(false);
    expect((await caller.task(say('this', { taskId: id }))).status.state).toBe('TASK_STATE_COMPLETED');
    await clock.tick();
    expect((await second.outcome).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  });
});

describe('D22: conversation()', () => {
  test('D22: returns the earlier messages of the context, oldest first, across its tasks, without the current one', async () => {
    const { agent, heard } = rememberer();
    const caller = callerOf(agent);
    for (const text of ['one', 'two', 'three']) await caller.task(say(text, { contextId: 'c' }));
    await caller.task(say('elsewhere', { contextId: 'd' }));
    expect(heard.get('one')).toEqual([]);
    expect(heard.get('two')).toEqual(['one', 'echo one']);
    expect(heard.get('three')).toEqual(['one', 'echo one', 'two', 'echo two']);
    expect(heard.get('elsewhere')).toEqual([]);
  });

  test('D22: the limit applies to the newest of the earlier messages', async () => {
    for (const [limit, expected] of [
      [3, ['echo one', 'two', 'echo two']],
      [1, ['echo two']],
      [0, []],
      [100, ['one', 'echo one', 'two', 'echo two']],
    ] as const) {
      const { agent, heard } = rememberer({ limit });
      const caller = callerOf(agent);
      for (const text of ['one', 'two', 'three']) await caller.task(say(text, { contextId: 'c' }));
      expect(heard.get('three'), `limit ${limit}`).toEqual(expected);
    }
  });

  test('D22: in a later turn it includes the earlier turns of the task and their questions', async () => {
    const heard: (readonly (string | undefined)[])[] = [];
    const executor = scriptedExecutor([{ do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED', 'which?') }], {
      turns: [
        [
          {
            do: 'call',
            run: async (context) => void heard.push(said(await context.conversation()), said(await context.conversation({ limit: 1 }))),
          },
          { do: 'complete' },
        ],
      ],
    });
    const caller = callerOf(createAgent({ ...NAME, executor }));
    const { id } = await caller.task('go');
    await caller.task(say('this', { taskId: id }));
    expect(heard).toEqual([['go', 'which?'], ['which?']]);
  });

  test('D22: a client that reuses one message id loses no message', async () => {
    const { agent, heard } = rememberer();
    const caller = callerOf(agent);
    for (const text of ['one', 'two', 'three']) await caller.task(say(text, { contextId: 'c', messageId: 'always the same' }));
    expect(heard.get('three')).toEqual(['one', 'echo one', 'two', 'echo two']);
  });

  test('D22: a context belongs to a tenant and an owner: the same id elsewhere is another conversation', async () => {
    const { agent, heard } = rememberer();
    const [ann, bob] = [callerOf(agent, { id: 'ann' }), callerOf(agent, { id: 'bob' })];
    await ann.task(say('a secret', { contextId: 'c' }));
    await bob.task(say('from bob', { contextId: 'c' }));
    await ann.value('SendMessage', { tenant: 't', message: say('from the tenant', { contextId: 'c' }) });
    await ann.task(say('from ann', { contextId: 'c' }));
    expect(heard.get('from bob')).toEqual([]);
    expect(heard.get('from the tenant')).toEqual([]);
    expect(heard.get('from ann')).toEqual(['a secret', 'echo a secret']);
    expect((await bob.list({ contextId: 'c' })).totalSize).toBe(1);
    expect((await refusal(bob.get((await ann.list({ contextId: 'c' })).tasks[0]?.id ?? ''))).reason).toBe('TASK_NOT_FOUND');
  });
});
