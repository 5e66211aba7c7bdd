import { describe, expect, test } from 'vitest';
import type { AgentOptions, RequestContext, TaskEvents, TaskStore } from '../src/server/index.js';
import { manualClock, type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { hearUnhandled } from './faults.js';
import { gate, say } from './harness.js';
import { follow, inboxOf, quiet, refOf, refusal, storyOf, until, untilIdle } from './looking.js';
import { cluster, type Node } from './nodes.js';

const RESTART = { recovery: 'restart' } as const;
const PARK: ScriptStep = { do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED', 'well?') };

/** A node that runs its first task, on a manual clock. */
async function atWork(steps: readonly ScriptStep[], options: Partial<AgentOptions> = {}) {
  const clock = manualClock();
  const world = cluster(undefined, clock);
  const executor = scriptedExecutor(steps);
  const node = world.start({ clock, executor, ...options });
  const sending = node.caller.task('go', { returnImmediately: true });
  await clock.tick();
  const { id } = await sending;
  const story = () => storyOf(world.store, refOf(id));
  /** The node that starts later. It has a real clock, so that it acts without ticks from the test. */
  const successor = (steps: readonly ScriptStep[], more: Partial<AgentOptions> = options) => {
    const next = scriptedExecutor(steps);
    return { executor: next, ...world.start({ ...more, executor: next }) };
  };
  return { ...world, clock, executor, node, id, story, successor };
}

const close = ({ agent }: Node, options?: { drainMs: number }) => follow(agent.close(options));

describe('D20: draining', () => {
  test('D20: a running task has drainMs to end, and close waits no longer than that', async () => {
    const { node, clock, executor, story } = await atWork([{ do: 'working' }, { do: 'gate', name: 'on' }, { do: 'complete' }]);
    const closed = close(node);
    await clock.tick(29_999);
    expect([closed.isSettled, executor.runs[0]?.signal.aborted]).toEqual([false, false]);
    executor.open('on');
    await clock.tick();
    await closed.outcome;
    expect((await story()).at(-1)).toBe('status:COMPLETED');
  });

  test('D20: a task that runs longer is FAILED with the reason shutdown', async () => {
    const { node, clock, executor, id, story, successor } = await atWork([{ do: 'working' }, { do: 'gate', name: 'never' }]);
    const closed = close(node);
    await clock.tick(30_000);
    await clock.tick();
    await closed.outcome;
    expect(executor.runs[0]?.signal.aborted).toBe(true);
    expect((await story()).at(-1)).toBe('status:FAILED');
    const { status } = await successor([]).caller.get(id);
    expect(status.message?.metadata?.['urn:parley:a2a:error']).toMatchObject({ reason: 'AGENT_UNAVAILABLE', why: 'shutdown' });
  });

  test('D20: during lameDuckMs no task ends and new tasks are accepted; drainMs starts after it', async () => {
    const { node, clock, executor } = await atWork([{ do: 'working' }, { do: 'gate', name: 'never' }]);
    const closed = follow(node.agent.close({ lameDuckMs: 5_000, drainMs: 1_000 }));
    const reader = node.caller.subscribe(executor.runs[0]?.taskId ?? '');
    await clock.tick(4_999);
    const second = node.caller.task('another', { returnImmediately: true });
    await clock.tick(0);
    expect((await second).status.state).toBe('TASK_STATE_SUBMITTED');
    expect([closed.isSettled, node.agent.readiness, node.agent.tasks.running.length]).toEqual([false, 'closing', 2]);
    await clock.tick(1);
    expect(await (await reader).ended).toEqual({ kind: 'shutdown' });
    expect(await refusal(node.caller.task('too late'))).toMatchObject({ reason: 'AGENT_UNAVAILABLE', retryable: true });
    await clock.tick(999);
    expect([closed.isSettled, executor.runs[1]?.signal.aborted]).toEqual([false, false]);
    await clock.tick(1);
    await clock.tick();
    await closed.outcome;
    expect(executor.runs.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  });

  test('D20: with restart the task stays open in the log, and the next node restarts it at once', async () => {
    const steps: ScriptStep[] = [
      { do: 'append', artifactId: 'a', text: 'half' },
      { do: 'gate', name: 'never' },
    ];
    const { node, clock, executor, id, story, store, successor } = await atWork(steps, RESTART);
    const closed = close(node, { drainMs: 50 });
    await clock.tick(50);
    await clock.tick();
    await closed.outcome;
    expect(executor.runs[0]?.signal.aborted).toBe(true);
    expect(await story()).toEqual(['input:turn', 'task:SUBMITTED', 'artifact', 'note:handed-over']);
    expect(await store.orphans('', 10), 'without waiting for a lease to expire').toEqual([refOf(id)]);
    const next = successor([{ do: 'append', artifactId: 'a', text: 'whole' }, { do: 'complete' }]);
    await until(() => next.executor.runs.length === 1);
    await untilIdle(next.agent);
    expect(await next.caller.get(id)).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ parts: [{ text: 'whole' }] }],
    });
    expect(next.executor.runs[0]?.attempt).toBe(2);
  });

  const REACTIONS: [string, (context: RequestContext, events: TaskEvents) => Promise<void>][] = [
    ['publishes FAILED', (_, events) => events.fail('interrupted')],
    ['publishes COMPLETED', (_, events) => events.complete('as far as I got')],
    ['throws', async () => Promise.reject(new Error('interrupted'))],
    [
      'continues to publish',
      async (_, events) => {
        for (let k = 0; k < 50; k += 1) await events.appendText('a', 'more').catch(() => {});
      },
    ],
  ];

  test.each(REACTIONS)('D20: a run that is handed over and then %s changes nothing: the next node restarts it', async (_name, react) => {
    using unhandled = hearUnhandled();
    const told: ScriptStep = {
      do: 'call',
      async run(context, events) {
        await new Promise<void>((resolve) => context.signal.addEventListener('abort', () => resolve()));
        await react(context, events);
      },
    };
    const { node, clock, id, story, successor } = await atWork([{ do: 'working' }, told], RESTART);
    const closed = close(node, { drainMs: 50 });
    await clock.tick(50);
    for (let turn = 0; turn < 3; turn += 1) await clock.tick();
    await closed.outcome;
    expect(await story()).toEqual(['input:turn', 'task:SUBMITTED', 'status:WORKING', 'note:handed-over']);
    const next = successor([{ do: 'complete', text: 'all of it' }]);
    await until(() => next.executor.runs.length === 1);
    await untilIdle(next.agent);
    expect((await next.caller.get(id)).status.message?.parts).toEqual([{ text: 'all of it' }]);
    expect(unhandled.heard).toEqual([]);
  });

  test.each(['fail', 'restart'] as const)(
    'D20, D14: a run that waits for its caller is parked at once, with its question (%s)',
    async (recovery) => {
      const ask: ScriptStep[] = [{ do: 'requireInput', prompt: 'which?' }, { do: 'complete' }];
      const { node, clock, id, story, successor } = await atWork(ask, { recovery });
      const closed = close(node);
      await clock.tick();
      await closed.outcome;
      expect((await story()).slice(-2)).toEqual(['status:INPUT_REQUIRED', 'note:parked']);
      const next = successor(ask);
      expect((await next.caller.task(say('this', { taskId: id }))).status.state).toBe('TASK_STATE_COMPLETED');
      expect(next.executor.answers).toEqual(['this']);
    },
  );

  test.each(['fail', 'restart'] as const)(
    'D20, D14: a run that waits for its caller keeps its question, even with a slow store and a short drainMs (%s)',
    async (recovery) => {
      const ask: ScriptStep[] = [{ do: 'requireInput', prompt: 'which?' }, { do: 'complete' }];
      const world = cluster();
      const commits = gate();
      let isSlow = false;
      const commit: TaskStore['commit'] = async (writes) => {
        if (isSlow) await commits.passed;
        return world.store.commit(writes);
      };
      const { agent, caller } = world.start({ recovery, executor: scriptedExecutor(ask), store: { ...world.store, commit } });
      const { id } = await caller.task('go');
      isSlow = true;
      const closed = follow(agent.close({ drainMs: 0 }));
      await new Promise((resolve) => setTimeout(resolve, 20)); // drainMs has passed
      commits.open();
      await closed.outcome;
      expect((await storyOf(world.store, refOf(id))).slice(-2)).toEqual(['status:INPUT_REQUIRED', 'note:parked']);
    },
  );

  test.each(['fail', 'restart'] as const)(
    'D20, D14: a run that asks during the drain is parked with its question (%s)',
    async (recovery) => {
      const steps: ScriptStep[] = [
        { do: 'working' },
        { do: 'gate', name: 'on' },
        { do: 'requireInput', prompt: 'which?' },
        { do: 'complete' },
      ];
      const { node, clock, executor, id, story, successor } = await atWork(steps, { recovery });
      const closed = close(node);
      await clock.tick();
      executor.open('on');
      await clock.tick();
      await closed.outcome;
      expect((await story()).slice(-2)).toEqual(['status:INPUT_REQUIRED', 'note:parked']);
      const next = successor(steps.slice(2));
      expect((await next.caller.task(say('this', { taskId: id }))).status.state).toBe('TASK_STATE_COMPLETED');
    },
  );

  test('D20, D2: an earlier message stays in the inbox for the next node, also if the run asks during the drain', async () => {
    const ask: ScriptStep[] = [{ do: 'requireInput', prompt: 'which?', early: true }, { do: 'complete' }];
    const { node, clock, executor, id, story, store, successor } = await atWork([{ do: 'working' }, { do: 'gate', name: 'on' }, ...ask]);
    const early = follow(node.caller.task(say('early', { taskId: id })));
    early.outcome.catch(() => {});
    await clock.tick();
    const closed = close(node);
    await clock.tick();
    executor.open('on');
    await clock.tick();
    await closed.outcome;
    expect((await story()).slice(-2)).toEqual(['status:INPUT_REQUIRED', 'note:parked']);
    expect(await inboxOf(store, refOf(id))).toMatchObject([{ state: 'pending' }]);
    expect((await early.outcome).status.state, 'accepted, with the task as of the close').toBe('TASK_STATE_WORKING');
    const next = successor(ask);
    await until(() => next.executor.answers.length === 1);
    expect(next.executor.answers).toEqual(['early']);
  });

  test('D20, D2: no turn starts during the drain: a waiting message is left to the next node', async () => {
    const { node, clock, executor, id, story, successor } = await atWork([{ do: 'working' }, { do: 'gate', name: 'on' }, PARK]);
    const later = node.caller.task(say('later', { taskId: id }), { returnImmediately: true });
    await clock.tick();
    await later;
    const closed = close(node);
    await clock.tick();
    executor.open('on');
    await clock.tick();
    await closed.outcome;
    expect(executor.runs).toHaveLength(1);
    expect((await story()).at(-1)).toBe('note:turn-ended');
    const next = successor([{ do: 'complete' }]);
    await until(() => next.executor.runs.length === 1);
    expect(next.executor.runs).toMatchObject([{ text: 'later', attempt: 1 }]);
  });

  test('D20: streams end with shutdown, and blocking sends return the current task', async () => {
    const { node, clock, id } = await atWork([{ do: 'working' }, { do: 'gate', name: 'never' }]);
    const reader = await node.caller.subscribe(id);
    const sent = follow(node.caller.task('another'));
    await clock.tick();
    const closed = close(node, { drainMs: 50 });
    await clock.tick();
    expect(await reader.ended).toEqual({ kind: 'shutdown' });
    expect((await sent.outcome).status.state).toBe('TASK_STATE_WORKING');
    expect(await refusal(node.caller.task('too late'))).toMatchObject({ reason: 'AGENT_UNAVAILABLE' });
    await clock.tick(50);
    await clock.tick();
    await closed.outcome;
  });

  test('D20: a second close waits for the same end', async () => {
    const { node, clock, executor } = await atWork([{ do: 'working' }, { do: 'gate', name: 'on' }, { do: 'complete' }]);
    const [first, second] = [close(node), close(node)];
    await clock.tick();
    expect([first.isSettled, second.isSettled]).toEqual([false, false]);
    executor.open('on');
    await clock.tick();
    expect([first.isSettled, second.isSettled]).toEqual([true, true]);
  });

  test('D20: a task that is being claimed when the node closes does not start there, and the next node can claim it', async () => {
    const world = cluster();
    const first = world.start({ ...RESTART, executor: scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'never' }]) });
    const { id } = await first.caller.task('go', { returnImmediately: true });
    await quiet();
    await world.crash(first);
    const claims = gate();
    const claim: TaskStore['claim'] = async (ref, node) => {
      const claimed = await world.store.claim(ref, node);
      await claims.passed;
      return claimed;
    };
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'never' }]);
    const closing = world.start({ ...RESTART, executor, store: { ...world.store, claim } });
    await quiet();
    const closed = follow(closing.agent.close({ drainMs: 10 }));
    await quiet();
    claims.open();
    await closed.outcome;
    await quiet();
    expect([executor.runs.length, closing.agent.tasks.running]).toEqual([0, []]);
    const next = scriptedExecutor([{ do: 'complete' }]);
    const { caller } = world.start({ ...RESTART, executor: next });
    await until(() => next.runs.length === 1);
    await quiet();
    expect((await caller.get(id)).status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('D20: a task that is being read when the node closes does not restart there', async () => {
    const world = cluster();
    const first = world.start({ ...RESTART, executor: scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'never' }]) });
    await first.caller.task('go', { returnImmediately: true });
    await quiet();
    await world.crash(first);
    const reads = gate();
    const readAfter: TaskStore['readAfter'] = async (...call) => reads.passed.then(() => world.store.readAfter(...call));
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'never' }]);
    const closing = world.start({ ...RESTART, executor, store: { ...world.store, readAfter } });
    await until(() => closing.agent.tasks.running.length === 1);
    const closed = follow(closing.agent.close());
    reads.open();
    await closed.outcome;
    expect(executor.runs).toEqual([]);
    const next = scriptedExecutor([{ do: 'complete' }]);
    world.start({ ...RESTART, executor: next });
    await until(() => next.runs.length === 1);
    expect(next.runs[0]?.attempt, 'no other attempt in between').toBe(2);
  });

  test('D20: a call after the end does not restart the node', async () => {
    const { node, clock, id, store, successor } = await atWork([{ do: 'working' }, { do: 'gate', name: 'never' }], RESTART);
    const closed = close(node, { drainMs: 1 });
    await clock.tick(1);
    await clock.tick();
    await closed.outcome;
    expect(await refusal(node.caller.task('too late'))).toMatchObject({ reason: 'AGENT_UNAVAILABLE' });
    const options = { idempotencyKey: 'k' };
    expect(await refusal(node.caller.send('too late', undefined, options))).toMatchObject({ reason: 'AGENT_UNAVAILABLE' });
    expect(await store.orphans('', 10)).toEqual([refOf(id)]);
    const next = successor([{ do: 'complete' }]);
    await until(() => next.executor.runs.length === 1);
  });
});
