/** F10: the information about the question that an executor gets with an answer. */
import { describe, expect, test } from 'vitest';
import { createAgent, type RequestContext, type TaskEvents } from '../src/server/index.js';
import { manualClock } from '../src/testing/index.js';
import { callerOf, say } from './harness.js';
import { quiet, untilIdle } from './looking.js';
import { cluster } from './nodes.js';

type Run = (context: RequestContext, events: TaskEvents) => Promise<void>;

/** Records for each run the state of `currentTask`, and the state and text of `resumedFrom`. */
function noting(run: Run) {
  const told: (string | undefined)[][] = [];
  const execute: Run = (context, events) => {
    const { currentTask, resumedFrom } = context;
    told.push([currentTask?.status.state, resumedFrom?.state, resumedFrom?.message?.parts[0]?.text].map(short));
    return run(context, events);
  };
  return { told, executor: { execute } };
}

const short = (text: string | undefined): string | undefined => text?.replace('TASK_STATE_', '');

/** As executors of other SDKs do: publishes the state and returns. */
const asksAndReturns: Run = async (context, events) => {
  if (context.resumedFrom?.state === 'TASK_STATE_INPUT_REQUIRED') return events.complete(`you chose ${context.text}`);
  await events.status('TASK_STATE_INPUT_REQUIRED', 'which?');
};

describe('F10: context.resumedFrom', () => {
  test('F10: for a message to a task that asked and returned, resumedFrom has the question, while currentTask is WORKING', async () => {
    const { told, executor } = noting(asksAndReturns);
    const caller = callerOf(createAgent({ name: 'Ported', executor }));
    const { id } = await caller.task('go');
    const done = await caller.task(say('this', { taskId: id }));
    expect(done.status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'you chose this' }] } });
    expect(told).toEqual([
      [undefined, undefined, undefined],
      ['WORKING', 'INPUT_REQUIRED', 'which?'],
    ]);
  });

  test.each(['requireInput', 'requireAuth'] as const)('F10: a run that restarts for the reply to %s gets the question', async (method) => {
    const { told, executor } = noting(async (context, events) => {
      await context[method]('which?');
      await events.complete();
    });
    const clock = manualClock();
    const { start } = cluster(undefined, clock);
    const { caller } = start({ clock, executor });
    const sent = caller.task('go');
    await clock.tick();
    const { id } = await sent;
    await clock.tick(600_000);
    const answered = caller.task(say('this', { taskId: id }));
    await clock.tick();
    await answered;
    expect(told[1]).toEqual(['WORKING', method === 'requireAuth' ? 'AUTH_REQUIRED' : 'INPUT_REQUIRED', 'which?']);
  });

  test('F10: of several questions it is the newest answered one, also after a crash during work', async () => {
    const { told, executor } = noting(async (context, events) => {
      await context.requireInput('a?');
      await context.requireInput('b?');
      if (context.attempt < 3) await new Promise(() => {});
      await events.complete();
    });
    const world = cluster();
    const first = world.start({ executor, recovery: 'restart' });
    const { id } = await first.caller.task('go');
    await first.caller.task(say('1', { taskId: id }));
    await world.crash(first);
    const second = world.start({ executor, recovery: 'restart' });
    void second.caller.task(say('2', { taskId: id })).catch(() => {});
    await quiet();
    await world.crash(second);
    const third = world.start({ executor, recovery: 'restart' });
    await quiet();
    await untilIdle(third.agent);
    expect((await third.caller.get(id)).status.state).toBe('TASK_STATE_COMPLETED');
    expect(told.map(([, state, text]) => [state, text])).toEqual([
      [undefined, undefined],
      ['INPUT_REQUIRED', 'b?'],
      ['INPUT_REQUIRED', 'b?'],
    ]);
  });

  test('F10: a turn that started with an answer keeps resumedFrom when it is handed over', async () => {
    const { told, executor } = noting(async (context, events) => {
      if (context.resumedFrom === undefined) return events.status('TASK_STATE_INPUT_REQUIRED', 'which?');
      if (context.attempt === 1) await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
      await events.complete();
    });
    const world = cluster();
    const first = world.start({ executor, recovery: 'restart' });
    const { id } = await first.caller.task('go');
    await untilIdle(first.agent);
    await first.caller.task(say('this', { taskId: id }), { returnImmediately: true });
    await first.agent.close({ drainMs: 0 });
    const second = world.start({ executor, recovery: 'restart' });
    await quiet();
    await untilIdle(second.agent);
    expect((await second.caller.get(id)).status.state).toBe('TASK_STATE_COMPLETED');
    expect(told.map(([, state, text]) => [state, text])).toEqual([
      [undefined, undefined],
      ['INPUT_REQUIRED', 'which?'],
      ['INPUT_REQUIRED', 'which?'],
    ]);
  });

  test('F10: it is absent on a new task and for a message to a WORKING task; the executor changes only its own copy', async () => {
    const { told, executor } = noting(async (context, events) => {
      const { resumedFrom } = context;
      if (context.text === 'on' && resumedFrom === undefined) return events.complete();
      if (resumedFrom === undefined) return events.working('for ever');
      Object.assign(resumedFrom, { state: 'TASK_STATE_FAILED' });
      await events.complete();
    });
    const agent = createAgent({ name: 'Keeper', onIncomplete: 'keep', executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    expect((await caller.task(say('on', { taskId: id }))).status.state).toBe('TASK_STATE_COMPLETED');
    expect(told.map(([, state]) => state)).toEqual([undefined, undefined]);
  });
});
