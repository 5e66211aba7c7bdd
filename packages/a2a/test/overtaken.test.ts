import { describe, expect, test } from 'vitest';
import { type Agent, createAgent, memoryBus, memoryStore, type TaskStore } from '../src/server/index.js';
import { type FaultPlan, failingStore, manualClock, scriptedExecutor } from '../src/testing/index.js';
import { altered } from './faults.js';
import { callerOf, say } from './harness.js';
import { quiet, refOf, storyOf } from './looking.js';

interface Weather {
  readonly plan?: FaultPlan;
  readonly alter?: (store: TaskStore) => Partial<TaskStore>;
  /** Whether the paused node and the other one share a bus. */
  readonly hears?: boolean;
}

/** Two nodes on a store that got no heartbeat from either for an hour, so that each may take over tasks of the other. */
async function twoNodes({ plan = {}, alter = () => ({}), hears = true }: Weather = {}) {
  const [asleep, clock, storeClock] = [manualClock(), manualClock(), manualClock()];
  const store = memoryStore({ clock: storeClock });
  const bus = memoryBus();
  const executor = scriptedExecutor([{ do: 'append', artifactId: 'a', text: 'x' }, { do: 'gate', name: 'end' }, { do: 'complete' }]);
  const lossy = altered(alter, failingStore(store, plan));
  const sleeper = createAgent({ name: 'Sleeper', node: 'sleeper', clock: asleep, store: lossy, bus, executor });
  const started = callerOf(sleeper).task('go', { returnImmediately: true });
  await asleep.tick();
  const { id } = await started;
  const other: Agent = createAgent({
    name: 'Other',
    node: 'other',
    clock,
    store,
    bus: hears ? bus : memoryBus(),
    recovery: 'restart',
    executor: scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'never' }]),
  });
  await clock.tick();
  await storeClock.tick(3_600_000);
  return { asleep, clock, executor, id, other: callerOf(other), sleeper: callerOf(sleeper), store };
}

describe('D12: a paused node whose task was taken over', () => {
  test('D12: returns the state of the store, not its own copy', async () => {
    const { clock, id, other, sleeper } = await twoNodes();
    const canceled = other.cancel(id);
    await clock.tick();
    const task = await canceled;
    expect(task.status.state).toBe('TASK_STATE_CANCELED');
    expect(await sleeper.get(id)).toEqual(task);
    expect(await sleeper.cancel(id), 'a second cancel is legal on any node').toEqual(task);
    expect((await sleeper.list()).tasks).toMatchObject([{ id, status: task.status }]);
  });

  test('D4, D12: resumes after a Last-Event-ID that it does not know, without a snapshot', async () => {
    const { clock, id, other, sleeper, store } = await twoNodes({ hears: false });
    const taken = other.task(say('take over', { taskId: id }), { returnImmediately: true });
    await clock.tick();
    await taken;
    const { seq = 0 } = (await store.load(refOf(id))) ?? {};
    const canceled = other.cancel(id);
    await clock.tick(3_000);
    await canceled;
    const reader = await sleeper.subscribe(id, String(seq));
    await reader.all();
    expect(reader.states).toEqual(['CANCELED']);
    expect(reader.seen[0]?.task).toBeUndefined();
    const beyond = await sleeper.subscribe(id, String(seq + 100));
    await beyond.until(1);
    expect(beyond.seen[0]?.task, 'an id that the store does not have is ignored').toBeDefined();
  });

  test('D12: a final commit whose response was lost reaches the readers of other nodes', async () => {
    let away = false;
    const plan: FaultPlan = (_, writes) => {
      away = writes.some(({ entries }) => entries.some(({ json }) => json.includes('TASK_STATE_COMPLETED')));
      return away ? 'after' : undefined;
    };
    const { asleep, executor, id, other, sleeper, store } = await twoNodes({
      plan,
      alter: (inner) => ({
        async entryAt(ref, seq) {
          if (away) throw new Error('connection reset');
          return inner.entryAt(ref, seq);
        },
      }),
    });
    const [here, elsewhere] = [await sleeper.subscribe(id), await other.subscribe(id)];
    await quiet();
    executor.open('end');
    await asleep.tick();
    await quiet();
    expect(await storyOf(store, refOf(id))).toContain('status:COMPLETED');
    expect(await here.ended, 'the outcome is unknown here, so the stream ends with an error').toMatchObject({
      kind: 'error',
      error: { reason: 'AGENT_UNAVAILABLE' },
    });
    await elsewhere.all();
    expect(elsewhere.states.at(-1)).toBe('COMPLETED');
  });
});
