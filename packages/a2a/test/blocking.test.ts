import { describe, expect, test } from 'vitest';
import { createAgent, memoryStore } from '../src/server/index.js';
import { manualClock, type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { callerOf, say } from './harness.js';
import { follow, quiet, untilIdle } from './looking.js';

const NAME = { name: 'Waiter', taskAfterMs: Number.POSITIVE_INFINITY };
const status = (state: 'INPUT_REQUIRED' | 'AUTH_REQUIRED' | 'WORKING', text?: string): ScriptStep => ({
  do: 'call',
  run: (_, events) => events.status(`TASK_STATE_${state}`, text),
});

describe('P41: a blocking send', () => {
  test.each([
    ['complete', 'COMPLETED'],
    ['fail', 'FAILED'],
    ['reject', 'REJECTED'],
    ['canceled', 'CANCELED'],
  ] as const)('P41: returns when the task has ended (%s), with every artifact', async (end, state) => {
    const executor = scriptedExecutor([
      { do: 'working' },
      { do: 'append', artifactId: 'a', text: 'one ' },
      { do: 'append', artifactId: 'a', text: 'two' },
      { do: end, text: 'that is all' },
    ]);
    const task = await callerOf(createAgent({ ...NAME, executor })).task('go');
    expect(task.status).toMatchObject({ state: `TASK_STATE_${state}`, message: { parts: [{ text: 'that is all' }] } });
    expect(task.artifacts).toEqual([{ artifactId: 'a', parts: [{ text: 'one two' }] }]);
  });

  test.each(['INPUT_REQUIRED', 'AUTH_REQUIRED'] as const)(
    'P41: returns at the first interrupted state (%s), also while execute continues',
    async (state) => {
      const clock = manualClock();
      const executor = scriptedExecutor([{ do: 'working' }, status(state, 'well?'), { do: 'gate', name: 'end' }, { do: 'complete' }]);
      const agent = createAgent({ ...NAME, clock, store: memoryStore({ clock }), executor });
      const caller = callerOf(agent);
      const sent = follow(caller.task('go'));
      await clock.tick();
      expect(sent.isSettled).toBe(true);
      const task = await sent.outcome;
      expect(task.status).toMatchObject({ state: `TASK_STATE_${state}`, message: { parts: [{ text: 'well?' }] } });
      executor.open('end');
      await clock.tick();
      expect((await caller.get(task.id)).status.state).toBe('TASK_STATE_COMPLETED');
    },
  );

  test('P41: does not return at WORKING, however often the executor publishes it', async () => {
    const clock = manualClock();
    const executor = scriptedExecutor([
      { do: 'working' },
      { do: 'sleep', ms: 60_000 },
      { do: 'working' },
      { do: 'sleep', ms: 60_000 },
      { do: 'complete' },
    ]);
    const agent = createAgent({ ...NAME, clock, store: memoryStore({ clock }), executor });
    const sent = follow(callerOf(agent).task('go', { returnImmediately: false }));
    await clock.tick(119_999);
    expect(sent.isSettled).toBe(false);
    await clock.tick(1);
    expect((await sent.outcome).status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('P41: returns the Message if the agent replies with one', async () => {
    const answer = await callerOf(createAgent({ ...NAME, executor: scriptedExecutor([{ do: 'reply', text: 'hi' }]) })).send('hello');
    expect(Object.keys(answer)).toEqual(['message']);
    expect(answer.message).toMatchObject({ role: 'ROLE_AGENT', parts: [{ text: 'hi' }] });
    expect(answer.message?.taskId).toBeUndefined();
  });
});

describe('P42: a send that does not wait', () => {
  test('P42: still waits for the Task, returns it in its current state, and the run continues', async () => {
    const clock = manualClock();
    const task = (taskId: string, contextId: string) => ({ id: taskId, contextId, status: { state: 'TASK_STATE_WORKING' as const } });
    const executor = scriptedExecutor([
      { do: 'sleep', ms: 100 },
      { do: 'call', run: ({ taskId, contextId }, events) => events.publish(task(taskId, contextId)) },
      { do: 'sleep', ms: 100 },
      { do: 'complete' },
    ]);
    const agent = createAgent({ ...NAME, clock, store: memoryStore({ clock }), executor });
    const caller = callerOf(agent);
    const sent = follow(caller.task('go', { returnImmediately: true }));
    await clock.tick(99);
    expect(sent.isSettled).toBe(false);
    await clock.tick(1);
    expect(sent.isSettled).toBe(true);
    const { id, status: first } = await sent.outcome;
    expect(first.state).toBe('TASK_STATE_WORKING');
    await clock.tick(99);
    expect((await caller.get(id)).status.state).toBe('TASK_STATE_WORKING');
    await clock.tick(1);
    expect((await caller.get(id)).status.state).toBe('TASK_STATE_COMPLETED');
    expect(clock.pending).toBe(0);
  });

  test('P42: waits for the Message if the agent replies with one', async () => {
    const clock = manualClock();
    const executor = scriptedExecutor([
      { do: 'sleep', ms: 100 },
      { do: 'reply', text: 'hi' },
    ]);
    const agent = createAgent({ ...NAME, clock, store: memoryStore({ clock }), executor });
    const sent = follow(callerOf(agent).send('go', { returnImmediately: true }));
    await clock.tick(99);
    expect(sent.isSettled).toBe(false);
    await clock.tick(1);
    expect((await sent.outcome).message).toMatchObject({ parts: [{ text: 'hi' }] });
  });

  test('P42: is an ordinary stream if the caller asks for a stream', async () => {
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'append', artifactId: 'a', text: 'x' }, { do: 'complete' }]);
    const caller = callerOf(createAgent({ ...NAME, executor }));
    const reader = await caller.open('SendStreamingMessage', { message: say('go'), configuration: { returnImmediately: true } });
    await reader.all();
    expect(reader.states).toEqual(['SUBMITTED', 'WORKING', 'COMPLETED']);
    expect(reader.text).toBe('x');
  });
});

describe('D3: the event at which a unary send returns', () => {
  test('D3: a reply does not return at the question that it answers', async () => {
    const executor = scriptedExecutor([status('INPUT_REQUIRED', 'first?')], {
      turns: [[{ do: 'gate', name: 'second' }, status('INPUT_REQUIRED', 'second?')]],
    });
    const agent = createAgent({ ...NAME, executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    await untilIdle(agent);
    const sent = follow(caller.task(say('on', { taskId: id })));
    await quiet();
    expect(executor.runs).toHaveLength(2);
    expect(sent.isSettled).toBe(false);
    executor.open('second');
    expect((await sent.outcome).status.message?.parts).toEqual([{ text: 'second?' }]);
  });

  test('D3: a message that waits behind a turn does not return at the question of that turn', async () => {
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'first' }, status('INPUT_REQUIRED', 'asked by the first')], {
      turns: [[{ do: 'append', artifactId: 'a', text: 'by the second' }, { do: 'complete' }]],
    });
    const caller = callerOf(createAgent({ ...NAME, executor }));
    const { id } = await caller.task('one', { returnImmediately: true });
    const sent = caller.task(say('two', { taskId: id }));
    await quiet();
    executor.open('first');
    expect(await sent).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ parts: [{ text: 'by the second' }] }] });
  });

  test('D3: two callers each return at the stop of their own turn', async () => {
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'ask' }, status('INPUT_REQUIRED', 'well?')], {
      turns: [[{ do: 'gate', name: 'end' }, { do: 'complete' }]],
    });
    const caller = callerOf(createAgent({ ...NAME, executor }));
    const first = caller.task('one');
    await quiet();
    const id = (await caller.list()).tasks[0]?.id ?? '';
    const second = follow(caller.task(say('two', { taskId: id })));
    await quiet();
    executor.open('ask');
    const { history } = await first;
    expect(history?.[0]?.parts).toEqual([{ text: 'one' }]);
    await quiet();
    expect(second.isSettled).toBe(false);
    executor.open('end');
    expect((await second.outcome).status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('D3: every send returns when its turn ends, although the task is still WORKING', async () => {
    const agent = createAgent({ ...NAME, onIncomplete: 'keep', executor: scriptedExecutor([{ do: 'working', text: 'to be continued' }]) });
    const caller = callerOf(agent);
    const task = await caller.task('go');
    expect(task.status).toMatchObject({ state: 'TASK_STATE_WORKING', message: { parts: [{ text: 'to be continued' }] } });
    const again = await caller.stream(say('on', { taskId: task.id }));
    await again.all();
    expect(again.states.at(-1)).toBe('WORKING');
  });
});
