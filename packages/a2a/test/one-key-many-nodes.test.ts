import { describe, expect, test } from 'vitest';
import { type AgentExecutor, memoryBus, type TaskStore } from '../src/server/index.js';
import { type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { hearUnhandled } from './faults.js';
import { gate, say } from './harness.js';
import { follow, hashed, refOf, refusal, storyOf } from './looking.js';
import { type Node, remote } from './nodes.js';

const KEY = { idempotencyKey: 'order-1' };
const LEASE_MS = 15_000;
const RESTART = { recovery: 'restart' } as const;
const HANG: ScriptStep = { do: 'gate', name: 'never' };

function world() {
  const { clock, start, store, truth } = remote();
  const bus = memoryBus();
  const node = (executor: AgentExecutor, changed: Partial<TaskStore> = {}): Node =>
    start({ ...RESTART, clock, bus, executor, store: { ...store, ...changed }, taskAfterMs: Number.POSITIVE_INFINITY });
  const pass = async (ms = 0): Promise<void> => {
    await hashed();
    await clock.tick();
    await hashed();
    await clock.tick(ms);
  };
  const total = async (): Promise<number | undefined> =>
    (await truth.list({ agent: '', tenant: '', owner: '', limit: 1, count: true })).total;
  return { clock, store, truth, node, pass, total };
}

describe('D17: one key on two nodes', () => {
  test.each<[string, ScriptStep]>([
    ['Task', { do: 'complete', text: 'done' }],
    ['Message', { do: 'reply', text: 'hello' }],
  ])('D17: concurrent sends are one run, and both callers get the same %s', async (_name, step) => {
    const { node, pass, total } = world();
    const executor = scriptedExecutor([{ do: 'gate', name: 'on' }, step]);
    const [a, b] = [node(executor), node(executor)];
    const message = say('go');
    const sent = [a, b].map(({ caller }) => follow(caller.send(message, undefined, KEY)));
    await pass(1_000);
    expect(executor.runs).toMatchObject([{ attempt: 1 }]);
    executor.open('on');
    await pass(1_000);
    const [first, second] = await Promise.all(sent.map(({ outcome }) => outcome));
    expect(second).toEqual(first);
    expect([executor.runs.length, await total()]).toEqual([1, step.do === 'reply' ? 0 : 1]);
  });

  test('D17: if the node dies before the Task exists, the waiting node runs the request as attempt 2', async () => {
    const { node, pass, total } = world();
    const [one, other] = [scriptedExecutor([HANG]), scriptedExecutor([{ do: 'complete' }])];
    const [a, b] = [node(one), node(other)];
    const message = say('go');
    void a.caller.send(message, undefined, KEY);
    await pass();
    const waits = follow(b.caller.send(message, undefined, KEY));
    await pass(1_000);
    a.cutOff();
    await pass(LEASE_MS - 4_000);
    expect([other.runs, waits.isSettled]).toEqual([[], false]);
    await pass(5_000);
    expect((await waits.outcome).task?.status.state).toBe('TASK_STATE_COMPLETED');
    expect([one.runs.map(({ attempt }) => attempt), other.runs.map(({ attempt }) => attempt), await total()]).toEqual([[1], [2], 1]);
  });

  test('D17, D12: if the node dies after the Task exists, the other send attaches to it, and the run is taken over', async () => {
    const { node, pass, total, truth } = world();
    const [one, other] = [scriptedExecutor([{ do: 'working' }, HANG]), scriptedExecutor([{ do: 'complete' }])];
    const [a, b] = [node(one), node(other)];
    const message = say('go');
    void a.caller.send(message, undefined, KEY);
    await pass();
    const waits = follow(b.caller.send(message, undefined, KEY));
    const streaming = follow(b.caller.stream(message, KEY));
    await pass(1_000);
    a.cutOff();
    await pass(LEASE_MS + 2_000);
    const { task } = await waits.outcome;
    expect([task?.status.state, other.runs.map(({ attempt }) => attempt), await total()]).toEqual(['TASK_STATE_COMPLETED', [2], 1]);
    const reader = await streaming.outcome;
    await reader.all();
    expect(reader.states).toEqual(['SUBMITTED', 'WORKING', 'COMPLETED']);
    expect((await storyOf(truth, refOf(task?.id ?? ''))).filter((line) => line.startsWith('input'))).toHaveLength(1);
  });

  test('D17, D12: if the lease expires while the Task is being created, a repeated send finds that Task', async () => {
    const { store, node, pass, total } = world();
    const [created, executor] = [gate(), scriptedExecutor([{ do: 'complete' }])];
    let isDown = false;
    const a = node(executor, {
      now: () => (isDown ? Promise.reject(new Error('connect ECONNREFUSED')) : store.now()),
      commit: (writes) => created.passed.then(() => store.commit(writes)),
    });
    const message = say('go');
    const first = follow(a.caller.send(message, undefined, KEY));
    await pass();
    isDown = true;
    await pass(LEASE_MS + 5_000);
    expect(first.isSettled, 'the outcome is not known yet').toBe(false);
    isDown = false;
    created.open();
    await pass(5_000);
    const again = follow(a.caller.send(message, undefined, KEY));
    await pass(10_000);
    expect((await again.outcome).task?.status.state).toBe('TASK_STATE_COMPLETED');
    expect([await first.outcome, await total()]).toEqual([await again.outcome, 1]);
  });

  test('D17, D12: if the node is paused before the Task exists, its later events are refused, and there is one task', async () => {
    using unhandled = hearUnhandled();
    const { node, pass, total } = world();
    const on = gate();
    const signals: AbortSignal[] = [];
    const late: string[] = [];
    const a = node({
      async execute({ signal }, events) {
        signals.push(signal);
        await on.passed;
        await events.complete('late').catch(({ reason }) => late.push(reason));
      },
    });
    const quick = scriptedExecutor([{ do: 'complete', text: 'quick' }]);
    const b = node(quick);
    const message = say('go');
    const first = follow(a.caller.send(message, undefined, KEY));
    first.outcome.catch(() => {});
    await pass(1_000);
    a.pause();
    const second = follow(b.caller.send(message, undefined, KEY));
    await pass(LEASE_MS + 1_000);
    expect(quick.runs).toMatchObject([{ attempt: 2 }]);
    on.open();
    await a.resume();
    await pass(1_000);
    expect(await refusal(first.outcome)).toMatchObject({ reason: 'AGENT_UNAVAILABLE', retryable: true });
    const { task } = await second.outcome;
    const again = follow(a.caller.send(message, undefined, KEY));
    await pass(1_000);
    expect((await again.outcome).task).toEqual(task);
    expect([late, await total(), unhandled.heard]).toEqual([['AGENT_UNAVAILABLE'], 1, []]);
  });
});
