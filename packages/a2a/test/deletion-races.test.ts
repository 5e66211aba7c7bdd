/** Deletion beside other deletions, runs that create their tasks, and what a node keeps in memory. */
import { describe, expect, test } from 'vitest';
import { type AgentOptions, createAgent, memoryBus, memoryStore, type TaskStore } from '../src/server/index.js';
import { manualClock, scriptedExecutor } from '../src/testing/index.js';
import { callerOf, say } from './harness.js';
import { follow, refOf, until, untilIdle } from './looking.js';
import { cluster } from './nodes.js';

const CONTEXT = { contextId: 'mine', owner: '' };

describe('D60: deleteContext beside other work', () => {
  test('D60: a batch that another deletion has shortened does not end it', async () => {
    const inner = memoryStore();
    const store: TaskStore = { ...inner, eraseContext: (context, limit) => inner.eraseContext(context, Math.min(limit, 3)) };
    const agent = createAgent({ name: 'Short', executor: scriptedExecutor([{ do: 'complete' }]), store });
    const caller = callerOf(agent);
    for (let n = 0; n < 10; n += 1) await caller.task(say('go', { contextId: 'mine' }));
    expect(await agent.tasks.deleteContext(CONTEXT)).toBe(10);
    expect((await caller.list()).totalSize).toBe(0);
    await agent.close();
  });

  test('D60: a task that was created and ended during the last erasure is deleted too', async () => {
    const clock = manualClock();
    const executor = scriptedExecutor([{ do: 'gate', name: 'on' }, { do: 'complete' }]);
    const inner = memoryStore({ clock });
    const eraseContext: TaskStore['eraseContext'] = async (context, limit) => {
      const refs = await inner.eraseContext(context, limit);
      executor.open('on');
      await clock.tick(10);
      await untilIdle(agent);
      return refs;
    };
    const agent = createAgent({ name: 'Late', executor, store: { ...inner, eraseContext }, clock });
    const caller = callerOf(agent);
    const sent = follow(caller.send(say('go', { contextId: 'mine' })).catch(({ reason }) => reason));
    await until(() => executor.runs.length === 1);
    expect(await agent.tasks.deleteContext(CONTEXT)).toBe(1);
    await sent.outcome;
    expect((await caller.list()).totalSize).toBe(0);
    await agent.close();
  });
});

describe('D60: what a node keeps in memory of a deleted task', () => {
  test('D60: a new task with the id of a deleted one does not get its history', async () => {
    const histories: string[] = [];
    const ids = { taskId: () => 'task', contextId: () => 'mine', messageId: () => 'm' };
    const agent = createAgent({
      name: 'Same id',
      ids,
      store: memoryStore(),
      execute: async (context, events) => {
        histories.push(JSON.stringify(context.currentTask?.history ?? []));
        // The new task has more messages than the node knows of the deleted one.
        const count = context.text.startsWith('new') ? 9 : 1;
        for (let n = 0; n < count; n += 1) await events.status('TASK_STATE_WORKING', `${context.text.slice(0, 6)} ${n}`);
        await events.status('TASK_STATE_INPUT_REQUIRED', 'more?');
      },
    });
    const caller = callerOf(agent);
    const talk = async (texts: readonly string[]) => {
      await caller.task(texts[0] ?? '');
      for (const text of texts.slice(1)) {
        await untilIdle(agent);
        await caller.task(say(text, { taskId: 'task' }));
      }
      await untilIdle(agent);
    };
    await talk([`secret${'x'.repeat(20_000)}`, 'secret']);
    expect(histories.splice(0).at(-1)).toContain('secret');
    expect(await agent.tasks.delete({ taskId: 'task', owner: '' })).toBe(true);
    await talk(['new', 'new', 'new']);
    expect(histories.at(-1)).toContain('new 5');
    expect(histories.join()).not.toContain('secret');
    await agent.close();
  });

  /** The task of the first node waits for its caller with a message that is older than its question: the node keeps it. */
  async function kept() {
    const clock = manualClock();
    const asked: string[] = [];
    const inner = memoryStore({ clock });
    const positions: TaskStore['positions'] = (refs) => {
      asked.push(...refs.map(({ id }) => id));
      return inner.positions(refs);
    };
    const world = cluster({ ...inner, positions, isRemote: true }, clock);
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'ask' }, { do: 'requireInput', prompt: 'which?' }]);
    const options: Partial<AgentOptions> = { clock, executor, bus: memoryBus(), rereadMs: 1_000_000 };
    const [owner, other, sender] = [world.start(options), world.start(options), world.start(options)];
    await clock.tick(1_000);
    const begun = owner.caller.task('go', { returnImmediately: true });
    await clock.tick(10);
    const { id } = await begun;
    void sender.caller.task(say('early', { taskId: id }));
    await clock.tick(10);
    sender.cutOff(); // no call waits for the task on the other nodes
    executor.open('ask');
    await clock.tick(600_000);
    expect(owner.agent.tasks.running).toEqual([]);
    return { clock, owner, other, id, asked };
  }

  test('D60: a task that its node keeps is forgotten, whichever node deletes it', async () => {
    for (const by of ['owner', 'other'] as const) {
      const { clock, id, asked, ...nodes } = await kept();
      const deleted = nodes[by].agent.tasks.delete({ taskId: id, owner: '' });
      await clock.tick(10);
      expect(await deleted).toBe(true);
      asked.splice(0);
      await clock.tick(1_000_000);
      await clock.tick(1_000_000);
      expect(asked, by).not.toContain(id);
    }
  });

  test('D60: the run stops also when the answer to the erasure was lost and the repeat found nothing', async () => {
    const clock = manualClock();
    const inner = memoryStore({ clock });
    const erase: TaskStore['erase'] = async (ref) => {
      await inner.erase(ref);
      return inner.erase(ref);
    };
    const world = cluster({ ...inner, erase, isRemote: true }, clock);
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'never' }]);
    const options: Partial<AgentOptions> = { clock, executor, bus: memoryBus(), rereadMs: 1e9 };
    const [owner, other] = [world.start(options), world.start(options)];
    const begun = owner.caller.task('go', { returnImmediately: true });
    await clock.tick(10);
    const { id } = await begun;
    const deleted = other.agent.tasks.delete({ taskId: id, owner: '' });
    await clock.tick(10);
    expect(await deleted).toBe(false);
    expect([executor.runs[0]?.signal.aborted, await world.store.load(refOf(id))]).toEqual([true, undefined]);
  });
});
