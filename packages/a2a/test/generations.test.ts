import { describe, expect, test } from 'vitest';
import type { StoredEntry } from '../src/server/advanced.js';
import { memoryStore } from '../src/server/index.js';
import { manualClock, scriptedExecutor } from '../src/testing/index.js';
import { say } from './harness.js';
import { logOf, quiet, refOf, until, untilIdle } from './looking.js';
import { cluster } from './nodes.js';

const isSent = ({ kind }: StoredEntry): boolean => kind !== 'input' && kind !== 'note';

/** Entries that readers get are numbered 1, 2, 3, …; every other entry has the number of the last one before it. */
function expectCounted(entries: readonly StoredEntry[]): void {
  let generation = 0;
  for (const entry of entries) {
    if (isSent(entry)) generation += 1;
    expect(entry.generation, `seq ${entry.seq}, ${entry.kind}`).toBe(generation);
  }
}

/** The node that each input and attempt entry names. */
const nodesOf = (entries: readonly StoredEntry[]): readonly unknown[] =>
  entries.flatMap(({ json }) => {
    const { input, note } = JSON.parse(json);
    if (input) return [`input on ${input.node}`];
    return note?.kind === 'attempt' ? [`attempt ${note.attempt} on ${note.node}`] : [];
  });

describe('D46: the writer numbers the entries that readers get', () => {
  test('D46: the first Task is 1, each event adds 1, and inputs and notes have the last value', async () => {
    const world = cluster();
    const node = world.start({
      executor: {
        async execute(context, events) {
          await events.working();
          const reply = await context.requireInput('Which?');
          await events.appendText('a', String(reply));
          await events.appendText('a', ' and more');
          await events.complete();
        },
      },
    });
    const asked = await node.caller.task('go');
    expect((await world.store.load(refOf(asked.id)))?.generation).toBe(3);
    await node.caller.task(say('this', { taskId: asked.id }));
    const entries = await logOf(world.store, refOf(asked.id));
    expectCounted(entries);
    expect(entries.filter(isSent)).toHaveLength((await world.store.load(refOf(asked.id)))?.generation ?? 0);
    expect(entries.filter((entry) => !isSent(entry)).length).toBeGreaterThan(2);
    expect(nodesOf(entries)).toEqual(['input on node-1', 'input on node-1']);
  });

  test('D46: the node that takes over a task continues the numbering, and the attempt entry names it', async () => {
    const world = cluster();
    const steps = [
      { do: 'working' },
      { do: 'append', artifactId: 'a', text: 'one' },
      { do: 'flush' },
      { do: 'gate', name: 'never' },
    ] as const;
    const first = world.start({ executor: scriptedExecutor(steps), recovery: 'restart' });
    const { id } = await first.caller.task('go', { returnImmediately: true });
    await quiet();
    await world.crash(first);
    const executor = scriptedExecutor([{ do: 'append', artifactId: 'a', text: 'two' }, { do: 'complete' }]);
    const second = world.start({ executor, recovery: 'restart' });
    await until(() => executor.runs.length === 1);
    await untilIdle(second.agent);
    const entries = await logOf(world.store, refOf(id));
    expectCounted(entries);
    expect(nodesOf(entries)).toEqual(['input on node-1', 'attempt 2 on node-2']);
    expect((await world.store.load(refOf(id)))?.generation).toBe(entries.filter(isSent).length);
  });

  test('D46: an entry has the time of the node when it is accepted and the time of the store when it is committed', async () => {
    const clock = manualClock(1_000_000);
    const store = memoryStore({ clock: { ...clock, now: () => clock.now() + 500 } });
    const node = cluster(store, clock).start({ executor: scriptedExecutor([{ do: 'complete' }]), clock });
    const { id } = await node.caller.task('go');
    for (const { at, committedAt } of await logOf(store, refOf(id))) expect([at, committedAt]).toEqual([1_000_000, 1_000_500]);
  });
});
