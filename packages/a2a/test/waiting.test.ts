import { describe, expect, test } from 'vitest';
import { createAgent, memoryStore } from '../src/server/index.js';
import { manualClock } from '../src/testing/index.js';
import { callerOf, gate, say } from './harness.js';

const asks = {
  async execute(context: { requireInput(prompt: string): Promise<string> }, events: { complete(text?: string): Promise<void> }) {
    await events.complete(`You said ${await context.requireInput('Well?')}`);
  },
};

describe('P4: a turn that waits for its caller', () => {
  test('P4: time spent waiting does not count as run time', async () => {
    const clock = manualClock();
    const agent = createAgent({ name: 'Patient', executor: asks, maxRunMs: 1_000, clock });
    const caller = callerOf(agent);
    const asked = caller.task('go');
    await clock.tick(10);
    const { id } = await asked;
    await clock.tick(86_400_000);
    expect((await caller.get(id)).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const answered = caller.task(say('yes', { taskId: id }));
    await clock.tick(10);
    expect((await answered).status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'You said yes' }] } });
    await clock.tick(2_000);
    expect(clock.pending).toBe(0);
  });

  test('P4: the run time before and after the question is added up', async () => {
    const clock = manualClock();
    const slow = { wait: () => new Promise<void>((resolve) => void clock.after(600, resolve)) };
    const agent = createAgent({
      name: 'Slow',
      maxRunMs: 1_000,
      clock,
      executor: {
        async execute(context, events) {
          await events.working();
          await slow.wait();
          await context.requireInput('Well?');
          await slow.wait();
          await events.complete();
        },
      },
    });
    const caller = callerOf(agent);
    const asked = caller.task('go');
    await clock.tick(700);
    const { id } = await asked;
    await clock.tick(50_000);
    const answered = caller.task(say('yes', { taskId: id }));
    await clock.tick(700);
    expect((await answered).status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { parts: [{ text: expect.stringContaining('1000 ms') }] },
    });
  });

  test('P4: waiting tasks do not count as running', async () => {
    const running = gate();
    const agent = createAgent({
      name: 'Roomy',
      maxRunningTasks: 1,
      executor: {
        async execute(context, events) {
          if (context.text === 'ask') await context.requireInput('Well?');
          else await Promise.all([events.working(), running.passed]);
          await events.complete();
        },
      },
    });
    const caller = callerOf(agent);
    for (const _ of [1, 2, 3]) expect((await caller.task('ask')).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    await caller.task('work', { returnImmediately: true });
    await expect(caller.task('work')).rejects.toMatchObject({ reason: 'AGENT_UNAVAILABLE' });
    running.open();
  });

  test('P4: close does not wait for an answer, and the question stays open for the next process', async () => {
    const clock = manualClock();
    const inner = memoryStore();
    const agent = createAgent({ name: 'Closing', executor: asks, clock, store: { ...inner, close: async () => {} } });
    const asked = callerOf(agent).task('go');
    await clock.tick(10);
    const { id } = await asked;
    const before = clock.now();
    await Promise.all([agent.close(), clock.tick(10)]);
    expect(clock.now() - before).toBe(10);
    expect(agent.tasks.running).toEqual([]);
    const stored = await inner.load({ agent: '', tenant: '', owner: '', id });
    expect(stored).toMatchObject({ head: { state: 'TASK_STATE_INPUT_REQUIRED' } });
    expect(stored?.node, 'no node owns it').toBeUndefined();
  });
});
