import { describe, expect, test } from 'vitest';
import type { Clock } from '../src/protocol/clock.js';
import { type AgentOptions, memoryBus } from '../src/server/index.js';
import { type ManualClock, type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { say } from './harness.js';
import { follow, logOf, refOf } from './looking.js';
import { remote } from './nodes.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LEASE_MS = 15_000;
const RESTART = { recovery: 'restart' } as const;
const WORK: ScriptStep[] = [{ do: 'working' }, { do: 'flush' }, { do: 'gate', name: 'never' }];

/** The clock of a machine that differs from the manual clock by `ms`. The timers are the same. */
const wrongBy = (ms: number, hand: ManualClock): Clock => ({ now: () => hand.now() + ms, after: hand.after, soon: hand.soon });

/** Nodes on one store whose clocks are wrong by minutes, in both directions. */
function apart(offsets: readonly number[], options: readonly Partial<AgentOptions>[] = []) {
  const world = remote();
  const bus = memoryBus();
  const nodes = offsets.map((offset, index) => world.start({ bus, clock: wrongBy(offset, world.clock), ...options[index] }));
  const done = async <T>(call: Promise<T>): Promise<T> => {
    const answer = follow(call);
    for (let turn = 0; turn < 5 && !answer.isSettled; turn += 1) await world.clock.tick();
    return answer.outcome;
  };
  return { ...world, nodes, done };
}

const OFFSETS: [string, readonly number[]][] = [
  ['ahead and behind', [7 * MINUTE, -11 * MINUTE, 3 * HOUR]],
  ['behind and ahead', [-3 * HOUR, 20 * MINUTE, -1]],
];

describe('D11: nodes whose clocks disagree', () => {
  test.each(OFFSETS)('D11, D12: do not take over from a live node, and take over by the time of the store (%s)', async (_name, offsets) => {
    const executors = [scriptedExecutor(WORK), scriptedExecutor(WORK), scriptedExecutor(WORK)];
    const { clock, nodes, done } = apart(
      offsets,
      executors.map((executor) => ({ ...RESTART, executor })),
    );
    const [first, second, third] = nodes;
    for (const node of nodes) await done(node.caller.task('go', { returnImmediately: true }));
    await clock.tick(10 * MINUTE);
    expect(executors.map(({ runs }) => runs.length)).toEqual([1, 1, 1]);
    expect(nodes.map(({ agent, errors }) => [agent.readiness, errors])).toEqual(Array(3).fill(['ready', []]));
    first?.cutOff();
    await clock.tick(LEASE_MS - 4_000);
    expect(
      (second?.agent.tasks.running.length ?? 0) + (third?.agent.tasks.running.length ?? 0),
      'its last heartbeat may be three seconds old',
    ).toBe(2);
    await clock.tick(6_000);
    expect((second?.agent.tasks.running.length ?? 0) + (third?.agent.tasks.running.length ?? 0)).toBe(3);
  });

  test.each(OFFSETS)(
    'D11: the timestamps of a task increase across nodes and follow the time of the store (%s)',
    async (_name, offsets) => {
      const park: ScriptStep = { do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED', 'on?') };
      const { clock, nodes, done, truth } = apart(
        offsets,
        offsets.map(() => ({ executor: scriptedExecutor([park]) })),
      );
      await clock.tick();
      const [first] = nodes;
      const { id } = (await done(first?.caller.task('go') ?? Promise.reject())) ?? {};
      for (const node of [...nodes, ...nodes]) {
        await clock.tick(1_000);
        const { status } = await done(node.caller.task(say('on', { taskId: id })));
        expect(Math.abs(Date.parse(status.timestamp ?? '') - clock.now())).toBeLessThan(100);
      }
      const times = (await logOf(truth, refOf(id))).flatMap(({ json }) => {
        const { task, statusUpdate } = JSON.parse(json);
        const { timestamp } = (task ?? statusUpdate)?.status ?? {};
        return timestamp === undefined ? [] : [Date.parse(timestamp)];
      });
      expect(times.length).toBeGreaterThan(nodes.length * 2);
      for (const [index, time] of times.slice(1).entries()) expect(time).toBeGreaterThan(times[index] ?? 0);
    },
  );

  test.each(OFFSETS)('D10, D11: input timeout and retention follow the time of the store (%s)', async (_name, offsets) => {
    const ask: ScriptStep[] = [{ do: 'requireInput', prompt: 'which?' }];
    const limits = { inputTimeoutMs: 5 * MINUTE, deleteFinalAfterMs: HOUR };
    const { clock, nodes, done, truth } = apart(
      offsets,
      offsets.map(() => ({ ...limits, executor: scriptedExecutor(ask) })),
    );
    const [first] = nodes;
    const { id } = await done(first?.caller.task('go') ?? Promise.reject());
    await clock.tick(5 * MINUTE - 1_000);
    expect((await truth.load(refOf(id)))?.head.state).toBe('TASK_STATE_INPUT_REQUIRED');
    await clock.tick(5_000);
    expect((await truth.load(refOf(id)))?.head.state).toBe('TASK_STATE_FAILED');
    await clock.tick(HOUR - 10_000);
    expect(await truth.load(refOf(id)), 'not before its retention time').toBeDefined();
    await clock.tick(2 * MINUTE);
    expect(await truth.load(refOf(id))).toBeUndefined();
  });

  test('D11, D12: a node whose clock is set while it runs stays alive, and its timestamps follow the time of the store', async () => {
    const world = remote();
    let offset = 0;
    const clock: Clock = { ...wrongBy(0, world.clock), now: () => world.clock.now() + offset };
    const park: ScriptStep = { do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED', 'on?') };
    const executor = scriptedExecutor([park]);
    const node = world.start({ ...RESTART, clock, executor });
    const other = world.start({ ...RESTART, clock: world.clock, executor: scriptedExecutor([]) });
    const sending = node.caller.task('go');
    await world.clock.tick();
    const { id } = await sending;
    for (const jump of [HOUR, -2 * HOUR, 30_000]) {
      offset += jump;
      await world.clock.tick(MINUTE);
      const answering = node.caller.task(say('on', { taskId: id }));
      await world.clock.tick();
      const { status } = await answering;
      expect(Math.abs(Date.parse(status.timestamp ?? '') - world.clock.now())).toBeLessThan(100);
      expect([node.agent.readiness, node.errors, other.agent.tasks.running]).toEqual(['ready', [], []]);
    }
  });
});
