import { describe, expect, test } from 'vitest';
import type { AgentOptions, RequestContext, StandardSchema, TaskEvents, TaskStore } from '../src/server/index.js';
import { manualClock, type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { hearUnhandled } from './faults.js';
import { say } from './harness.js';
import { follow, inboxOf, quiet, refOf, storyOf, until, untilIdle } from './looking.js';
import { cluster, type Node } from './nodes.js';

type Run = (context: RequestContext, events: TaskEvents) => Promise<void>;

const TEN_MINUTES = 600_000;

async function moments(count: number): Promise<void> {
  for (let moment = 0; moment < count; moment += 1) await Promise.resolve();
}

/** Sends the answers in order, each to a new node after the previous node was killed. */
async function acrossCrashes(execute: Run, answers: readonly string[], options: Partial<AgentOptions> = {}) {
  const world = cluster();
  const attempts: number[] = [];
  const executor = {
    execute: (context: RequestContext, events: TaskEvents) => {
      attempts.push(context.attempt);
      return execute(context, events);
    },
  };
  let node: Node = world.start({ ...options, executor });
  const prompts: string[] = [];
  const note = ({ status }: Awaited<ReturnType<Node['caller']['task']>>) => {
    if (status.state.endsWith('_REQUIRED')) prompts.push(status.message?.parts.map(({ text }) => text).join('') ?? '');
  };
  let task = await node.caller.task('go');
  note(task);
  for (const answer of answers) {
    await quiet();
    await world.crash(node);
    node = world.start({ ...options, executor });
    task = await node.caller.task(say(answer, { taskId: task.id }));
    note(task);
  }
  return { task, attempts, prompts, node, world, story: await storyOf(world.store, refOf(task.id)) };
}

/** Accepts numbers. Validates asynchronously, as a schema may. */
const NUMBER: StandardSchema<number> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: async (value) => (Number.isNaN(Number(value)) ? { issues: [{ message: 'no number' }] } : { value: Number(value) }),
  },
};

describe('D14: the k-th question gets the k-th answer, also across crashes', () => {
  test('D14: with three questions and three crashes, each is asked once, and the code between them runs again', async () => {
    let between = 0;
    const { task, attempts, prompts, story } = await acrossCrashes(
      async (context, events) => {
        const answers: string[] = [];
        for (const prompt of ['a?', 'b?', 'c?']) {
          between += 1;
          answers.push(await context.requireInput(prompt));
        }
        await events.complete(answers.join(' '));
      },
      ['1', '2', '3'],
    );
    expect(task.status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: '1 2 3' }] } });
    expect([attempts, prompts, between]).toEqual([[1, 2, 3, 4], ['a?', 'b?', 'c?'], 1 + 2 + 3 + 3]);
    expect(story.filter((line) => line === 'status:INPUT_REQUIRED')).toHaveLength(3);
    expect(story.filter((line) => line === 'input:reply')).toHaveLength(3);
    expect(task.history?.map(({ parts }) => parts[0]?.text)).toEqual(['go', 'a?', '1', 'b?', '2', 'c?', '3']);
  });

  test('D14: an answer that does not match the schema is recorded as well: the question is not asked a third time', async () => {
    const { task, prompts } = await acrossCrashes(
      async (context, events) => {
        const number = await context.requireInput('how many?', { schema: NUMBER });
        await events.complete(`${number + 1} ${await context.requireInput('of what?')}`);
      },
      ['many', '41', 'apples'],
    );
    expect(task.status.message?.parts).toEqual([{ text: '42 apples' }]);
    expect(prompts).toEqual(['how many?', 'That does not fit: no number. how many?', 'of what?']);
  });

  test('D14: requireAuth and requireInput count together', async () => {
    const { task, prompts } = await acrossCrashes(
      async (context, events) => {
        const name = await context.requireInput('name?');
        const { parts } = await context.requireAuth('password?');
        await events.complete(`${name} ${parts[0]?.text} ${await context.requireInput('what?')}`);
      },
      ['ann', 'secret', 'mail'],
    );
    expect(task.status.message?.parts).toEqual([{ text: 'ann secret mail' }]);
    expect(prompts).toEqual(['name?', 'password?', 'what?']);
  });

  test('D14: two concurrent questions are asked one after the other, and only the first unanswered one interrupts', async () => {
    const { task, prompts, attempts } = await acrossCrashes(
      async (context, events) => {
        const [first, number, last] = await Promise.all([
          context.requireInput('first?'),
          context.requireInput('number?', { schema: NUMBER }),
          context.requireInput('last?'),
        ]);
        await events.complete(`${first} ${number} ${last}`);
      },
      ['one', 'two', 'three', '2'],
    );
    expect(task.status.message?.parts).toEqual([{ text: 'one 2 three' }]);
    expect(prompts).toEqual(['first?', 'number?', 'last?', 'That does not fit: no number. number?']);
    expect(attempts).toEqual([1, 2, 3, 4, 5]);
  });

  test('D14: questions of a later turn get only the answers of that turn', async () => {
    const { task, prompts } = await acrossCrashes(
      async (context, events) => {
        const answer = await context.requireInput(`${context.text}?`);
        if (context.text === 'go') return events.status('TASK_STATE_INPUT_REQUIRED', `${answer}. next?`);
        await events.complete(`${context.text} ${answer}`);
      },
      ['one', 'on', 'two'],
    );
    expect(prompts).toEqual(['go?', 'one. next?', 'on?']);
    expect(task.status.message?.parts).toEqual([{ text: 'on two' }]);
  });

  test('D14: after a crash that follows the answer, the run restarts with the answer and does not ask again', async () => {
    const world = cluster();
    const ask: ScriptStep[] = [{ do: 'requireInput', prompt: 'which?' }];
    const first = world.start({ recovery: 'restart', executor: scriptedExecutor([...ask, { do: 'gate', name: 'never' }]) });
    const { id } = await first.caller.task('go');
    await first.caller.task(say('this', { taskId: id }), { returnImmediately: true });
    await quiet();
    await world.crash(first);
    const executor = scriptedExecutor([...ask, { do: 'complete' }]);
    const next = world.start({ recovery: 'restart', executor });
    await until(() => executor.runs.length === 1);
    await untilIdle(next.agent);
    expect([executor.answers, executor.runs[0]?.attempt]).toEqual([['this'], 2]);
    const story = await storyOf(world.store, refOf(id));
    expect(story.filter((line) => line === 'status:INPUT_REQUIRED')).toHaveLength(1);
    expect(story.at(-1)).toBe('status:COMPLETED');
  });

  test('D14: an artifact from before the question is replaced, not duplicated', async () => {
    const { task } = await acrossCrashes(
      async (context, events) => {
        await events.appendText('log', 'begun. ');
        const answer = await context.requireInput('which?');
        await events.appendText('log', `${answer}. `);
        await events.complete();
      },
      ['this'],
    );
    expect(task.artifacts?.map(({ parts }) => parts.map(({ text }) => text).join(''))).toEqual(['begun. this. ']);
  });

  test('D14: a caller that answers the first of two concurrent questions gets the second, also without a crash', async () => {
    const { start } = cluster();
    const node = start({
      executor: {
        async execute(context, events) {
          const answers = await Promise.all([context.requireInput('first?'), context.requireInput('second?')]);
          await events.complete(answers.join(' '));
        },
      },
    });
    const first = await node.caller.task('go');
    const second = await node.caller.task(say('one', { taskId: first.id }));
    expect(second.status).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED', message: { parts: [{ text: 'second?' }] } });
    const done = await node.caller.task(say('two', { taskId: first.id }));
    expect(done.status.message?.parts).toEqual([{ text: 'one two' }]);
  });

  test('D14: two concurrent questions that are not awaited do not outlive the run', async () => {
    using unhandled = hearUnhandled();
    const { start, store } = cluster();
    const node = start({
      executor: {
        async execute(context, events) {
          void context.requireInput('first?');
          void context.requireInput('second?');
          await events.complete();
        },
      },
    });
    const { id } = await node.caller.task('go');
    await untilIdle(node.agent);
    await quiet();
    expect((await storyOf(store, refOf(id))).at(-1)).toBe('status:COMPLETED');
    expect(unhandled.heard).toEqual([]);
    expect(node.errors, 'the question came after the end').toEqual([`task ${id} has ended; no more events can be published`]);
  });
});

describe('D14: a run that waits for a long time', () => {
  /** A task that waits at its question, on a manual clock. */
  async function asked(execute: Run, options: Partial<AgentOptions> = {}) {
    const clock = manualClock();
    const world = cluster(undefined, clock);
    const runs: RequestContext[] = [];
    const cancels: RequestContext[] = [];
    const executor = {
      execute: (context: RequestContext, events: TaskEvents) => {
        runs.push(context);
        return execute(context, events);
      },
      cancel: async (context: RequestContext) => void cancels.push(context),
    };
    const node = world.start({ clock, executor, ...options });
    const sent = node.caller.task('go');
    await clock.tick();
    const { id } = await sent;
    const story = () => storyOf(world.store, refOf(id));
    return { ...world, ...node, node, clock, runs, cancels, id, story };
  }

  const simple: Run = async (context, events) => {
    await events.complete(await context.requireInput('which?'));
  };

  test('D14: is parked after ten minutes, and restarts with the answer', async () => {
    const { agent, caller, clock, runs, id, story } = await asked(simple);
    await clock.tick(TEN_MINUTES - 1);
    expect([agent.tasks.running.length, runs[0]?.signal.aborted]).toEqual([1, false]);
    await clock.tick(1);
    await clock.tick();
    expect([agent.tasks.running.length, runs[0]?.signal.aborted]).toEqual([0, true]);
    expect((await story()).slice(-2)).toEqual(['status:INPUT_REQUIRED', 'note:parked']);
    expect((await caller.get(id)).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    await clock.tick(3_600_000);
    const answered = caller.task(say('this', { taskId: id }));
    await clock.tick();
    const task = await answered;
    expect(task.status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'this' }] } });
    expect(runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(await story()).toEqual([
      'input:turn',
      'task:SUBMITTED',
      'note:asked',
      'status:INPUT_REQUIRED',
      'note:parked',
      'input:reply',
      'note:attempt',
      'status:WORKING',
      'status:COMPLETED',
    ]);
    expect(clock.pending).toBe(0);
  });

  test('D14: is parked several times in one turn', async () => {
    const { caller, clock, runs, id } = await asked(async (context, events) => {
      await events.complete(`${await context.requireInput('a?')} ${await context.requireInput('b?')}`);
    });
    for (const answer of ['1', '2']) {
      await clock.tick(TEN_MINUTES);
      const answered = caller.task(say(answer, { taskId: id }));
      await clock.tick();
      await answered;
    }
    expect((await caller.get(id)).status.message?.parts).toEqual([{ text: '1 2' }]);
    expect(runs.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  });

  test('D14: is parked at the second of two concurrent questions, which is asked after the first answer', async () => {
    const { agent, caller, clock, id } = await asked(async (context, events) => {
      const answers = await Promise.all([context.requireInput('a?'), context.requireInput('b?')]);
      await events.complete(answers.join(' '));
    });
    for (const answer of ['1', '2']) {
      const answered = follow(caller.task(say(answer, { taskId: id })));
      await clock.tick();
      expect(answered.isSettled).toBe(true);
      await clock.tick(TEN_MINUTES);
      expect(agent.tasks.running).toEqual([]);
    }
    expect((await caller.get(id)).status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: '1 2' }] } });
  });

  test('D3, D14: a stream that stays open for an authorization closes when the run is parked; a subscription stays open', async () => {
    const clock = manualClock();
    const { start } = cluster(undefined, clock);
    const node = start({ clock, executor: scriptedExecutor([{ do: 'requireAuth', prompt: 'log in' }, { do: 'complete' }]) });
    const opening = node.caller.stream('go');
    await clock.tick();
    const sent = await opening;
    await sent.until(2);
    const id = sent.seen[0]?.task?.id ?? '';
    const watcher = await node.caller.subscribe(id);
    const [sentEnd, watcherEnd] = [follow(sent.ended), follow(watcher.ended)];
    await clock.tick(TEN_MINUTES - 1);
    expect(sentEnd.isSettled).toBe(false);
    await clock.tick(1);
    await clock.tick();
    expect([sentEnd.isSettled, watcherEnd.isSettled]).toEqual([true, false]);
    const answered = node.caller.task(say('secret', { taskId: id }));
    await clock.tick();
    await answered;
    await watcher.all();
    expect(watcher.states).toEqual(['AUTH_REQUIRED', 'WORKING', 'COMPLETED']);
  });

  test('D14: a message at the moment of parking is not lost, and answers once', async () => {
    for (let moment = -40; moment <= 40; moment += 1) {
      const { agent, caller, clock, id, runs, errors, store } = await asked(simple, { parkAfterMs: 1_000 });
      await clock.tick(999);
      const send = () => follow(caller.task(say('this', { taskId: id })));
      let sent: ReturnType<typeof send> | undefined;
      if (moment <= 0) {
        sent = send();
        await moments(-moment);
      }
      const parked = clock.tick(1); // waits one event loop iteration before it fires its timers
      if (moment > 0) clock.after(0, () => void moments(moment).then(() => (sent = send())));
      await parked;
      await clock.tick();
      await clock.tick();
      const task = await sent?.outcome;
      expect(task?.status, `${moment} microtasks`).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'this' }] } });
      expect(runs.length).toBeLessThanOrEqual(2);
      expect((await inboxOf(store, refOf(id))).map(({ state }) => state)).toEqual(['taken']);
      expect([agent.tasks.running, errors]).toEqual([[], []]);
    }
  });

  test.each(['commit', 'inbox', 'post', 'claim'] as const)(
    'D14: a message at the moment of parking is not lost if the store is slow in %s',
    async (slow) => {
      for (const late of [3, 12, 30]) {
        for (let moment = 0; moment <= 60; moment += 4) {
          let slowed = false;
          const inner = cluster(undefined, manualClock(0)).store;
          const call = inner[slow] as (...call: unknown[]) => Promise<unknown>;
          const slowly = async (...args: unknown[]): Promise<unknown> => {
            const answer = await call(...args);
            if (slowed) await moments(late);
            return answer;
          };
          const store = { ...inner, now: async () => 0, [slow]: slowly } as TaskStore;
          const { agent, caller, clock, id, errors } = await asked(simple, { parkAfterMs: 1_000, store });
          await clock.tick(999);
          slowed = true;
          let sent: Promise<unknown> | undefined;
          clock.after(1, () => void moments(moment).then(() => (sent = caller.task(say('this', { taskId: id })))));
          await clock.tick(1);
          for (let turn = 0; turn < 5; turn += 1) await clock.tick();
          expect(await sent, `${slow} ${late} microtasks late, message after ${moment}`).toMatchObject({
            status: { state: 'TASK_STATE_COMPLETED' },
          });
          expect([agent.tasks.running, errors, (await inboxOf(store, refOf(id))).length]).toEqual([[], [], 1]);
        }
      }
    },
  );

  test('D14: of two messages at the moment of parking, one answers and the other is refused at the end', async () => {
    for (let moment = 0; moment <= 40; moment += 1) {
      const { caller, clock, id, runs } = await asked(simple, { parkAfterMs: 1_000 });
      await clock.tick(999);
      const send = (text: string) => follow(caller.task(say(text, { taskId: id })).catch(({ reason }) => reason));
      let sent: ReturnType<typeof send>[] = [];
      clock.after(1, () => void moments(moment).then(() => (sent = [send('this'), send('that')])));
      await clock.tick(1);
      for (let turn = 0; turn < 5; turn += 1) await clock.tick();
      const [one, other] = await Promise.all(sent.map(({ outcome }) => outcome));
      expect(one).toMatchObject({ status: { message: { parts: [{ text: 'this' }] } } });
      expect(other).toBe('UNSUPPORTED_OPERATION');
      expect(runs.map(({ attempt }) => attempt).slice(0, 2)).toEqual(runs.length === 1 ? [1] : [1, 2]);
    }
  });

  test('D19, D14: a cancel of a parked run calls cancel(), then the task is CANCELED', async () => {
    const { caller, clock, id, cancels, runs } = await asked(simple);
    await clock.tick(TEN_MINUTES);
    const canceled = follow(caller.cancel(id));
    await clock.tick();
    expect((await canceled.outcome).status.state).toBe('TASK_STATE_CANCELED');
    expect([cancels.map(({ taskId, signal }) => [taskId, signal.aborted]), runs.length]).toEqual([[[id, true]], 1]);
  });

  test('D19, D14: a cancel at the moment of parking ends the task once, within the grace period', async () => {
    for (let moment = 0; moment <= 40; moment += 1) {
      const { agent, caller, clock, id, story, errors } = await asked(simple, { parkAfterMs: 1_000 });
      await clock.tick(999);
      let canceled: Promise<unknown> | undefined;
      clock.after(1, () => void moments(moment).then(() => (canceled = caller.cancel(id))));
      await clock.tick(1);
      for (let turn = 0; turn < 5; turn += 1) await clock.tick();
      expect(await canceled, `${moment} microtasks`).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
      expect((await story()).filter((line) => line === 'status:CANCELED')).toHaveLength(1);
      expect([agent.tasks.running, errors]).toEqual([[], []]);
    }
  });

  test('D14: a run that ignores the abort and continues to publish changes nothing, before and after the answer', async () => {
    using unhandled = hearUnhandled();
    const refused: string[] = [];
    const zombies: (() => Promise<void>)[] = [];
    const { caller, clock, id, story, errors } = await asked(async (context, events) => {
      const answer = await context.requireInput('which?').catch(() => 'swallowed');
      const goOn = async (): Promise<void> => {
        const says = [events.working('still here'), events.appendText('a', answer), events.complete(answer), events.flush()];
        for (const said of says) await said.catch(({ message }: Error) => refused.push(message));
        await context.requireInput('again?').catch(() => refused.push('not asked'));
      };
      if (answer === 'swallowed') zombies.push(goOn);
      await goOn();
    });
    await clock.tick(TEN_MINUTES);
    await clock.tick();
    const parked = await story();
    expect(parked.slice(-2)).toEqual(['status:INPUT_REQUIRED', 'note:parked']);
    expect(refused).toHaveLength(4);
    const answered = caller.task(say('this', { taskId: id }));
    await clock.tick();
    await zombies[0]?.();
    const task = await answered;
    expect([task.status.message?.parts, task.artifacts?.[0]?.parts]).toEqual([[{ text: 'this' }], [{ text: 'this' }]]);
    expect((await story()).at(-1)).toBe('status:COMPLETED');
    expect(unhandled.heard).toEqual([]);
    expect(errors, 'it asked after its own end').toEqual([`task ${id} has ended; no more events can be published`]);
  });

  test('D14: a run that publishes while its question is open is not parked', async () => {
    for (const recovery of ['fail', 'restart'] as const) {
      const { agent, caller, clock, id, runs, story } = await asked(
        async (context, events) => {
          const answer = context.requireInput('which?');
          context.clock.after(1_000, () => void events.working('meanwhile'));
          await events.complete(await answer);
        },
        { recovery },
      );
      await clock.tick(3 * TEN_MINUTES);
      expect([agent.tasks.running.length, runs[0]?.signal.aborted]).toEqual([1, false]);
      const answered = caller.task(say('this', { taskId: id }));
      await clock.tick();
      expect((await answered).status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'this' }] } });
      expect(await story()).not.toContain('note:parked');
    }
  });

  test('D20, D14: close during such work follows the recovery policy: no WORKING task is left without a run', async () => {
    for (const recovery of ['fail', 'restart'] as const) {
      const { agent, clock, story, store, id } = await asked(
        async (context, events) => {
          const answer = context.requireInput('which?');
          context.clock.after(1_000, () => void events.working('meanwhile'));
          await events.complete(await answer);
        },
        { recovery },
      );
      await clock.tick(2_000);
      const closed = follow(agent.close({ drainMs: 50 }));
      await clock.tick(50);
      await clock.tick();
      await closed.outcome;
      expect((await story()).at(-1)).toBe(recovery === 'fail' ? 'status:FAILED' : 'note:handed-over');
      expect(await store.orphans('', 10)).toEqual(recovery === 'fail' ? [] : [refOf(id)]);
    }
  });

  test('D21, D14: a waiting run does not count as running, before and after it is parked', async () => {
    const { agent, caller, clock, id } = await asked(simple, { maxRunningTasks: 1 });
    const second = caller.task('go');
    await clock.tick();
    await second;
    expect(agent.tasks.running).toHaveLength(2);
    await clock.tick(TEN_MINUTES);
    const third = caller.task('go');
    await clock.tick();
    expect((await third).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const answered = caller.task(say('this', { taskId: id }));
    await clock.tick();
    expect((await answered).status.state).toBe('TASK_STATE_COMPLETED');
  });
});
