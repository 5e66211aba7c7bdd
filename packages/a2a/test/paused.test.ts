import { describe, expect, test } from 'vitest';
import { type AgentExecutor, memoryBus } from '../src/server/index.js';
import { type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { hearUnhandled } from './faults.js';
import { gate, type Reader, say } from './harness.js';
import { follow, logOf, refOf, storyOf } from './looking.js';
import { remote } from './nodes.js';

const LEASE_MS = 15_000;
const RESTART = { recovery: 'restart' } as const;

/** Publishes each time a gate is opened, and records the outcome. */
function talker(who: string) {
  const gates = { on: gate(), end: gate() };
  const outcomes: string[] = [];
  const signals: AbortSignal[] = [];
  const attempts: number[] = [];
  const executor: AgentExecutor = {
    async execute({ signal, attempt }, events) {
      signals.push(signal);
      attempts.push(attempt);
      await events.appendText('a', `${who} begins. `);
      await events.flush();
      await gates.on.passed;
      const note = async (saying: Promise<void>): Promise<void> => {
        await saying.then(
          () => outcomes.push('said'),
          ({ reason }) => outcomes.push(reason),
        );
      };
      await note(events.appendText('a', `${who} goes on. `).then(() => events.flush()));
      await gates.end.passed;
      await note(events.complete(`${who} is done`));
    },
  };
  return { executor, gates, outcomes, signals, attempts };
}

/** Each event once, in order, without gaps except for entries that are never sent. */
async function expectExact(reader: Reader, log: Awaited<ReturnType<typeof logOf>>): Promise<void> {
  const sendable = log.filter(({ kind }) => kind !== 'input' && kind !== 'note');
  const [first, ...rest] = reader.seen;
  const after = sendable.filter(({ seq }) => seq > (first?.seq ?? 0));
  expect(rest.map(({ seq }) => seq)).toEqual(after.map(({ seq }) => seq));
  expect(rest.map(({ seq: _, ...event }) => event)).toEqual(after.map(({ json }) => JSON.parse(json)));
}

/** Node A runs the task and is paused for longer than its lease, and node B takes over. */
async function overtaken({ hears, rereadMs = 5_000 }: { readonly hears: boolean; readonly rereadMs?: number }) {
  const world = remote();
  const { clock } = world;
  const bus = memoryBus();
  const [a, b] = [talker('A'), talker('B')];
  const options = (executor: AgentExecutor) => ({ ...RESTART, clock, executor, rereadMs, ...(hears && { bus }) });
  const A = world.start(options(a.executor));
  const sending = A.caller.task('go', { returnImmediately: true });
  await clock.tick();
  const { id } = await sending;
  const opening = A.caller.subscribe(id);
  await clock.tick();
  const reader = await opening;
  const B = world.start(options(b.executor));
  await clock.tick(1_000);
  A.pause();
  await clock.tick(LEASE_MS + 5_000);
  expect([b.attempts, a.signals[0]?.aborted]).toEqual([[2], false]);
  return { ...world, a, b, A, B, id, reader, log: () => logOf(world.truth, refOf(id)) };
}

describe('D12: a paused node that wakes up', () => {
  test.each([
    ['with a bus', true],
    ['without a bus', false],
  ])('D12: cannot write; its readers continue with the new owner and get each event once (%s)', async (_name, hears) => {
    using unhandled = hearUnhandled();
    const { clock, a, b, A, id, reader, log } = await overtaken({ hears });
    b.gates.on.open();
    await clock.tick(100);
    a.gates.on.open();
    await A.resume();
    await clock.tick(100);
    expect([a.signals[0]?.aborted, a.outcomes]).toEqual([true, ['AGENT_UNAVAILABLE']]);
    expect(A.agent.tasks.running).toEqual([]);
    a.gates.end.open();
    await clock.tick(100);
    b.gates.end.open();
    await clock.tick(5_000); // the slow re-read, if there is no bus
    expect(a.outcomes.filter((outcome) => outcome === 'said')).toEqual([]);
    await reader.all();
    await expectExact(reader, await log());
    expect(reader.text).toBe('B begins. B goes on. ');
    const texts = (await log()).map(({ json }) => json).filter((json) => json.includes('A goes on') || json.includes('A is done'));
    expect([texts, unhandled.heard]).toEqual([[], []]);
    const got = A.caller.get(id);
    await clock.tick();
    expect((await got).status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'B is done' }] } });
  });

  test('D12: learns from its first heartbeat that its run was taken over, even if it does not write', async () => {
    const { clock, a, A, B } = await overtaken({ hears: false, rereadMs: 1e9 });
    await A.resume();
    await clock.tick();
    expect([a.signals[0]?.aborted, A.agent.tasks.running, B.agent.tasks.running.length]).toEqual([true, [], 1]);
    expect(A.agent.readiness).toBe('ready');
  });

  test('D12: returns the state of the store, not its own copy, until it knows which tasks it still owns', async () => {
    const { clock, b, A, id } = await overtaken({ hears: false });
    b.gates.on.open();
    await clock.tick(100);
    const got = A.caller.get(id); // the first call after the pause
    await A.resume();
    await clock.tick();
    expect((await got).artifacts).toEqual([{ artifactId: 'a', parts: [{ text: 'B begins. B goes on. ' }] }]);
  });

  test('D12: accepts new tasks again, under its own name', async () => {
    const { clock, A, truth } = await overtaken({ hears: true });
    await A.resume();
    await clock.tick();
    const sending = follow(A.caller.task('another', { returnImmediately: true }));
    await clock.tick();
    const { id } = await sending.outcome;
    expect((await truth.load(refOf(id)))?.node).toBe(A.agent.settings.node);
    await clock.tick(60_000);
    expect(A.agent.tasks.running, 'and keeps them').toMatchObject([{ taskId: id, attempt: 1 }]);
  });

  test('D12: continues its task if no other node took it over', async () => {
    const { clock, start, truth } = remote();
    const a = talker('A');
    const A = start({ ...RESTART, clock, executor: a.executor });
    const sending = A.caller.task('go', { returnImmediately: true });
    await clock.tick();
    const { id } = await sending;
    A.pause();
    await clock.tick(600_000);
    a.gates.on.open();
    a.gates.end.open();
    await A.resume();
    await clock.tick(1_000);
    expect([a.outcomes, a.signals[0]?.aborted]).toEqual([['said', 'said'], false]);
    expect((await storyOf(truth, refOf(id))).at(-1)).toBe('status:COMPLETED');
  });

  test('D12, D2: a reply that was sent through it during the pause is taken once, by the new owner', async () => {
    const world = remote();
    const { clock } = world;
    const ask: ScriptStep[] = [{ do: 'requireInput', prompt: 'which?' }, { do: 'complete' }];
    const [one, other] = [scriptedExecutor(ask), scriptedExecutor(ask)];
    const bus = memoryBus();
    const A = world.start({ clock, executor: one, bus });
    const B = world.start({ clock, executor: other, bus });
    const sending = A.caller.task('go');
    await clock.tick();
    const { id } = await sending;
    A.pause();
    const sent = follow(A.caller.task(say('this', { taskId: id })));
    await clock.tick(LEASE_MS + 5_000);
    expect((await storyOf(world.truth, refOf(id))).at(-1), 'taken over and parked: the task waits').toBe('note:parked');
    await A.resume();
    await clock.tick(6_000);
    expect((await sent.outcome).status.state).toBe('TASK_STATE_COMPLETED');
    expect([...one.answers, ...other.answers]).toEqual(['this']);
    expect([A.agent.tasks.running, B.agent.tasks.running]).toEqual([[], []]);
  });

  test('D12: keeps all its tasks after a pause shorter than its lease', async () => {
    const { clock, start } = remote();
    const [a, b] = [talker('A'), talker('B')];
    const A = start({ ...RESTART, clock, executor: a.executor });
    start({ ...RESTART, clock, executor: b.executor });
    const sending = A.caller.task('go', { returnImmediately: true });
    await clock.tick();
    await sending;
    A.pause();
    await clock.tick(LEASE_MS - 1_000);
    await A.resume();
    await clock.tick(60_000);
    a.gates.on.open();
    a.gates.end.open();
    await clock.tick(1_000);
    expect([a.outcomes, b.attempts]).toEqual([['said', 'said'], []]);
  });
});
