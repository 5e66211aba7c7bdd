import { describe, expect, test } from 'vitest';
import { createAgent, memoryStore, type TaskStore } from '../src/server/index.js';
import { type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { callerOf, gate, say } from './harness.js';
import { follow, refOf, storyOf, untilIdle } from './looking.js';

const NAME = { name: 'Asker' };

/** Publishes the state with this text and continues with the script. */
const status = (state: 'TASK_STATE_INPUT_REQUIRED' | 'TASK_STATE_AUTH_REQUIRED', words: string): ScriptStep => ({
  do: 'call',
  run: (_, events) => events.status(state, words),
});

describe('P4: INPUT_REQUIRED', () => {
  test('P4: publish and return; execute is called again with the next message, and gets the task', async () => {
    const executor = scriptedExecutor([status('TASK_STATE_INPUT_REQUIRED', 'Which city?')], {
      turns: [[{ do: 'complete', text: 'Booked' }]],
    });
    const agent = createAgent({ ...NAME, executor });
    const caller = callerOf(agent);
    const asked = await caller.task('Book a trip');
    expect(asked.status).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED', message: { parts: [{ text: 'Which city?' }] } });
    expect(executor.runs).toHaveLength(1);
    const { id, contextId = '' } = asked;
    const done = await caller.task(say('Rome', { taskId: id, contextId }));
    expect(done).toMatchObject({ id, contextId, status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'Booked' }] } } });
    expect(executor.runs.map(({ text }) => text)).toEqual(['Book a trip', 'Rome']);
    expect(executor.runs[0]?.currentTask).toBeUndefined();
    expect(executor.runs[1]?.currentTask).toMatchObject({ id, contextId });
    expect(done.history?.map(({ role, parts }) => [role, parts[0]?.text])).toEqual([
      ['ROLE_USER', 'Book a trip'],
      ['ROLE_AGENT', 'Which city?'],
      ['ROLE_USER', 'Rome'],
    ]);
  });

  test('P4: while the task waits no run is active, and there is no time limit', async () => {
    const store = memoryStore();
    const executor = scriptedExecutor([status('TASK_STATE_INPUT_REQUIRED', 'Which city?')], { turns: [[{ do: 'complete' }]] });
    const agent = createAgent({ ...NAME, store, executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('Book a trip');
    await untilIdle(agent);
    expect(agent.tasks.running).toEqual([]);
    expect(await storyOf(store, refOf(id))).toEqual(['input:turn', 'task:SUBMITTED', 'status:INPUT_REQUIRED', 'note:turn-ended']);
    expect((await caller.get(id)).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect((await caller.task(say('Rome', { taskId: id }))).status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('P4: a stream closes at the question, and the next stream starts at the answer', async () => {
    const executor = scriptedExecutor([status('TASK_STATE_INPUT_REQUIRED', 'Which city?')], {
      turns: [[{ do: 'gate', name: 'plan' }, { do: 'append', artifactId: 'a', text: 'Rome it is' }, { do: 'complete' }]],
    });
    const caller = callerOf(createAgent({ ...NAME, executor }));
    const first = await caller.stream('Book a trip');
    await first.all();
    expect(first.states).toEqual(['SUBMITTED', 'INPUT_REQUIRED']);
    const second = await caller.stream(say('Rome', { taskId: first.seen[0]?.task?.id ?? '' }));
    executor.open('plan');
    await second.all();
    expect(second.states.at(-1)).toBe('COMPLETED');
    expect(second.states, 'the old question is not sent again').not.toContain('INPUT_REQUIRED');
    expect(second.seen[0]?.task?.history?.at(-1)?.parts).toEqual([{ text: 'Rome' }]);
    expect(second.text).toBe('Rome it is');
  });

  test('P4: a task can ask any number of times', async () => {
    const ask = [status('TASK_STATE_INPUT_REQUIRED', 'And?')];
    const executor = scriptedExecutor(ask, { turns: [ask, ask, [{ do: 'complete' }]] });
    const caller = callerOf(createAgent({ ...NAME, executor }));
    let task = await caller.task('0');
    for (const text of ['1', '2', '3']) task = await caller.task(say(text, { taskId: task.id }));
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(executor.runs.map(({ text }) => text)).toEqual(['0', '1', '2', '3']);
  });

  test('P4: another agent on the same store continues the task', async () => {
    const inner = memoryStore();
    const store: TaskStore = { ...inner, close: async () => {} };
    const before = createAgent({
      ...NAME,
      store,
      node: 'a',
      executor: scriptedExecutor([status('TASK_STATE_INPUT_REQUIRED', 'Which city?')]),
    });
    const { id, contextId } = await callerOf(before).task('Book a trip');
    await before.close();
    const executor = scriptedExecutor([{ do: 'complete', text: 'Booked' }]);
    const after = createAgent({ ...NAME, store, node: 'b', executor });
    const done = await callerOf(after).task(say('Rome', { taskId: id }));
    expect(done).toMatchObject({ id, contextId, status: { state: 'TASK_STATE_COMPLETED' } });
    expect(executor.runs[0]).toMatchObject({ text: 'Rome', currentTask: { id, history: [{}, {}, {}] } });
  });
});

describe('P5: AUTH_REQUIRED, in band', () => {
  const script = () =>
    scriptedExecutor([status('TASK_STATE_AUTH_REQUIRED', 'Log in first')], {
      turns: [[{ do: 'working' }, { do: 'complete', text: 'Welcome' }]],
    });

  test('P5: publish and return; the credentials are the next message for the same task', async () => {
    const executor = script();
    const caller = callerOf(createAgent({ ...NAME, executor }));
    const asked = await caller.task('Read my mail');
    expect(asked.status).toMatchObject({ state: 'TASK_STATE_AUTH_REQUIRED', message: { parts: [{ text: 'Log in first' }] } });
    const done = await caller.task(say('credentials', { taskId: asked.id }));
    expect(done).toMatchObject({ id: asked.id, status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'Welcome' }] } } });
    expect(executor.runs.map(({ text }) => text)).toEqual(['Read my mail', 'credentials']);
  });

  test('P5: a stream closes once execute has returned', async () => {
    const agent = createAgent({ ...NAME, executor: script() });
    const reader = await callerOf(agent).stream('Read my mail');
    await reader.all();
    expect(reader.states).toEqual(['SUBMITTED', 'AUTH_REQUIRED']);
    await untilIdle(agent);
  });
});

describe('P6: AUTH_REQUIRED, out of band', () => {
  const script = () =>
    scriptedExecutor([
      status('TASK_STATE_AUTH_REQUIRED', 'Confirm on your phone'),
      { do: 'gate', name: 'confirmed' },
      { do: 'working' },
      { do: 'complete', text: 'Paid' },
    ]);

  test('P6: a blocking send returns the AUTH_REQUIRED task at once, while execute continues to the end', async () => {
    const executor = script();
    const agent = createAgent({ ...NAME, executor });
    const caller = callerOf(agent);
    const { id, status: asked } = await caller.task('Pay');
    expect(asked.state).toBe('TASK_STATE_AUTH_REQUIRED');
    expect(agent.tasks.running.map(({ taskId }) => taskId)).toEqual([id]);
    executor.open('confirmed');
    await untilIdle(agent);
    expect((await caller.get(id)).status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'Paid' }] } });
    expect(executor.runs).toHaveLength(1);
  });

  test('P6: a stream stays open during the authorization and gets the end', async () => {
    const executor = script();
    const reader = await callerOf(createAgent({ ...NAME, executor })).stream('Pay');
    await reader.when(() => reader.states.includes('AUTH_REQUIRED'));
    const ended = follow(reader.all());
    expect(ended.isSettled).toBe(false);
    executor.open('confirmed');
    await ended.outcome;
    expect(reader.states).toEqual(['SUBMITTED', 'AUTH_REQUIRED', 'WORKING', 'COMPLETED']);
  });

  test('P6: a subscriber that joins during the wait gets the end as well', async () => {
    const executor = script();
    const caller = callerOf(createAgent({ ...NAME, executor }));
    const { id } = await caller.task('Pay');
    const reader = await caller.subscribe(id);
    await reader.until(1);
    executor.open('confirmed');
    await reader.all();
    expect(reader.states).toEqual(['AUTH_REQUIRED', 'WORKING', 'COMPLETED']);
  });

  test('P6: a message that is sent meanwhile waits for the turn and does not start a second one in parallel', async () => {
    const confirmed = gate();
    const order: string[] = [];
    const agent = createAgent({
      ...NAME,
      executor: {
        async execute({ text }, events) {
          order.push(`${text} in`);
          if (text === 'Pay') {
            await events.status('TASK_STATE_AUTH_REQUIRED');
            await confirmed.passed;
            await events.status('TASK_STATE_INPUT_REQUIRED');
          } else await events.complete();
          order.push(`${text} out`);
        },
      },
    });
    const caller = callerOf(agent);
    const { id } = await caller.task('Pay');
    const second = caller.task(say('more', { taskId: id }));
    confirmed.open();
    expect((await second).status.state).toBe('TASK_STATE_COMPLETED');
    await untilIdle(agent);
    expect(order).toEqual(['Pay in', 'Pay out', 'more in', 'more out']);
  });
});
