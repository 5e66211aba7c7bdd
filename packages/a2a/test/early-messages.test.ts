/** D44: a reply is newer than its question. Messages that were sent before the question wait for the next turn. */
import { describe, expect, test } from 'vitest';
import type { Task } from '../src/protocol/types.js';
import { type AgentOptions, createAgent, memoryBus, memoryStore, type RequestContext, type TaskEvents } from '../src/server/index.js';
import { manualClock, scriptedExecutor } from '../src/testing/index.js';
import { callerOf, say } from './harness.js';
import { follow, inboxOf, quiet, refOf, storyOf, until, untilIdle } from './looking.js';
import { cluster, type Node } from './nodes.js';

type Run = (context: RequestContext, events: TaskEvents) => Promise<void>;

/** The text that the caller sees: the question, or the message of the final status. */
const shown = ({ status }: Task): string => status.message?.parts.map(({ text }) => text).join('') ?? status.state;

describe('D44: a reply is newer than its question', () => {
  const yes = (id: string) => say('yes', { taskId: id });

  test('D44: of two messages "yes" the second does not answer the next question, at any distance in time', async () => {
    for (let moment = 0; moment < 40; moment += 1) {
      const store = memoryStore();
      const executor = scriptedExecutor(
        [{ do: 'requireInput', prompt: 'Delete the file?' }, { do: 'requireInput', prompt: 'Delete the disk?' }, { do: 'complete' }],
        { turns: [[{ do: 'complete' }]] },
      );
      const agent = createAgent({ name: 'Careful', store, executor });
      const caller = callerOf(agent);
      const { id } = await caller.task('go');
      const first = follow(caller.task(yes(id)));
      for (let n = 0; n < moment; n += 1) await Promise.resolve();
      const second = follow(caller.task(yes(id)).catch(({ reason }) => reason));
      expect(shown(await first.outcome)).toBe('Delete the disk?');
      await quiet();
      const { status } = await caller.get(id);
      const [, row] = await inboxOf(store, refOf(id));
      // A message that was posted after the commit of the second question is its reply.
      const isEarly = row === undefined || row.state === 'pending';
      expect([second.isSettled, shown({ status } as Task)], `${moment} microtasks apart`).toEqual(
        isEarly ? [false, 'Delete the disk?'] : [true, 'TASK_STATE_COMPLETED'],
      );
      if (isEarly) {
        expect(executor.answers).toEqual(['yes']);
        await caller.task(say('no', { taskId: id }));
        await until(() => second.isSettled);
        expect(executor.answers).toEqual(['yes', 'no']);
      }
      await untilIdle(agent);
    }
  });

  test('D44: a second "yes" that another node posts without notifying the owner does not answer the next question', async () => {
    const world = cluster();
    const gates: (() => void)[] = [];
    const execute: Run = async (context, events) => {
      const first = await context.requireInput('Delete the file?');
      await new Promise<void>((resolve) => gates.push(resolve));
      await events.complete(`${first} ${await context.requireInput('Delete the disk?')}`);
    };
    const { caller } = world.start({ executor: { execute } });
    const { id } = await caller.task('go');
    const answered = caller.task(yes(id));
    await until(() => gates.length === 1);
    await world.store.post(refOf(id), 'message', (await inboxOf(world.store, refOf(id)))[0]?.json ?? '');
    gates[0]?.();
    expect(shown(await answered)).toBe('Delete the disk?');
    expect(shown(await caller.task(say('no', { taskId: id })))).toBe('yes no');
    expect((await inboxOf(world.store, refOf(id))).map(({ state }) => state)).toEqual(['taken', 'refused', 'taken']);
  });

  test('D44: an earlier message stays pending and starts the next turn', async () => {
    const store = memoryStore();
    const executor = scriptedExecutor(
      [
        { do: 'working' },
        { do: 'gate', name: 'ask' },
        { do: 'requireInput', prompt: 'which?' },
        { do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED', 'anything else?') },
      ],
      { turns: [[{ do: 'complete', text: 'second turn' }]] },
    );
    const caller = callerOf(createAgent({ name: 'Asker', store, executor }));
    const { id } = await caller.task('go', { returnImmediately: true });
    const early = follow(caller.task(say('early', { taskId: id })));
    await quiet();
    executor.open('ask');
    await quiet();
    expect(shown(await caller.get(id))).toBe('which?');
    expect(early.isSettled).toBe(false);
    await caller.task(say('this', { taskId: id }));
    expect(shown(await early.outcome)).toBe('second turn');
    expect([executor.answers, executor.runs.map(({ text }) => text)]).toEqual([['this'], ['go', 'early']]);
  });

  test('D44: with `early` the question takes a message that is already pending', async () => {
    const executor = scriptedExecutor([
      { do: 'working' },
      { do: 'gate', name: 'ask' },
      { do: 'requireInput', prompt: 'which?', early: true },
      { do: 'requireAuth', prompt: 'login?', early: true },
      { do: 'complete' },
    ]);
    const caller = callerOf(createAgent({ name: 'Asker', executor }));
    const { id } = await caller.task('go', { returnImmediately: true });
    const sent = [caller.task(say('this', { taskId: id })), caller.task(say('me', { taskId: id }))];
    await quiet();
    executor.open('ask');
    expect((await Promise.all(sent)).map(({ status }) => status.state)).toEqual(['TASK_STATE_AUTH_REQUIRED', 'TASK_STATE_COMPLETED']);
    expect(executor.answers).toEqual(['this', '[{"text":"me"}]']);
  });
});

describe('D44: a parked turn with an earlier message', () => {
  /** A task at its question, with a pending message that was sent before the question. */
  async function waiting(options: Partial<AgentOptions> = {}) {
    const clock = manualClock();
    const world = cluster(undefined, clock);
    const executor = scriptedExecutor(
      [{ do: 'working' }, { do: 'gate', name: 'ask' }, { do: 'requireInput', prompt: 'which?' }, { do: 'complete' }],
      {},
    );
    const node = world.start({ clock, executor, ...options });
    const first = node.caller.task('go', { returnImmediately: true });
    await clock.tick();
    const { id } = await first;
    const early = follow(node.caller.task(say('early', { taskId: id })).catch(({ reason }) => reason));
    await clock.tick();
    executor.open('ask');
    await clock.tick();
    const story = () => storyOf(world.store, refOf(id));
    const reply = async (to: Node, text = 'this') => {
      const sent = to.caller.task(say(text, { taskId: id }));
      await clock.tick();
      return sent;
    };
    return { ...world, clock, node, executor, early, id, story, reply };
  }

  test('D44: the run is parked, and the reply restarts it; the earlier message is not a reply', async () => {
    const { clock, node, executor, early, story, reply } = await waiting();
    await clock.tick(600_000);
    expect(executor.runs[0]?.signal.aborted).toBe(true);
    const parked = await story();
    expect(parked.at(-1)).toBe('note:parked');
    await clock.tick(3_600_000);
    expect(await story(), 'no event is written while the task waits').toEqual(parked);
    expect(early.isSettled).toBe(false);
    expect((await reply(node)).status.state).toBe('TASK_STATE_COMPLETED');
    expect([executor.answers, executor.runs.length, await early.outcome]).toEqual([['this'], 2, 'UNSUPPORTED_OPERATION']);
    expect(node.agent.tasks.running).toEqual([]);
  });

  test('D44: a new process takes over the task, writes nothing, and waits for the reply', async () => {
    const { clock, node, crash, start, executor, story, reply } = await waiting();
    await crash(node);
    const before = await story();
    const next = start({ clock, executor });
    await clock.tick(600_000);
    expect(await story()).toEqual(before);
    expect((await reply(next)).status.state).toBe('TASK_STATE_COMPLETED');
    expect(executor.answers).toEqual(['this']);
  });

  test('D44: close parks the turn, and the next process waits for the reply', async () => {
    const { clock, node, start, executor, story, reply } = await waiting();
    await clock.tick(600_000);
    const closed = follow(node.agent.close({ drainMs: 1_000 }));
    await clock.tick();
    expect(closed.isSettled).toBe(true);
    expect((await story()).at(-1)).toBe('note:parked');
    const next = start({ clock, executor });
    await clock.tick(20_000);
    expect((await reply(next)).status.state).toBe('TASK_STATE_COMPLETED');
    expect(executor.answers).toEqual(['this']);
  });

  test('D44: a cancel ends the task', async () => {
    const { clock, node, id, early } = await waiting();
    await clock.tick(600_000);
    const canceled = node.caller.cancel(id);
    await clock.tick();
    expect((await canceled).status.state).toBe('TASK_STATE_CANCELED');
    expect([await early.outcome, node.agent.tasks.running]).toEqual(['UNSUPPORTED_OPERATION', []]);
  });

  test('D44: inputTimeoutMs ends the task, because the earlier message is not a reply', async () => {
    const { clock, node, id, early } = await waiting({ inputTimeoutMs: 3_600_000 });
    await clock.tick(600_000);
    await clock.tick(3_600_000);
    const got = await node.caller.get(id);
    expect(got.status.state).toBe('TASK_STATE_FAILED');
    expect([await early.outcome, node.agent.tasks.running]).toEqual(['UNSUPPORTED_OPERATION', []]);
  });

  test('F65: the parked task is not in memory, and its node remains the owner', async () => {
    const { clock, node, store, id } = await waiting();
    expect(node.agent.tasks.running).toHaveLength(1);
    await clock.tick(600_000);
    expect(node.agent.tasks.running).toEqual([]);
    expect(await store.load(refOf(id))).toMatchObject({ node: 'node-1' });
    expect(await store.orphans('', 10), 'no node claims it because of the earlier message').toEqual([]);
  });

  test('F65: a reply that another node accepts wakes the owner, by the bus or by the periodic read', async () => {
    for (const hasBus of [true, false]) {
      const clock = manualClock();
      const remote = { ...memoryStore({ clock }), isRemote: true, close: async () => {} };
      const bus = memoryBus();
      const world = cluster(remote, clock);
      const executor = scriptedExecutor(
        [{ do: 'working' }, { do: 'gate', name: 'ask' }, { do: 'requireInput', prompt: 'which?' }, { do: 'complete' }],
        {},
      );
      const options = { clock, executor, ...(hasBus && { bus }) };
      const [owner, other] = [world.start(options), world.start(options)];
      await clock.tick(1_000);
      const begun = owner.caller.task('go', { returnImmediately: true });
      await clock.tick(10);
      const { id } = await begun;
      const early = follow(owner.caller.task(say('early', { taskId: id })).catch(({ reason }) => reason));
      await clock.tick(10);
      executor.open('ask');
      await clock.tick(600_000);
      expect([owner.agent.tasks.running, other.agent.tasks.running]).toEqual([[], []]);
      const answered = follow(other.caller.task(say('this', { taskId: id })));
      await clock.tick(hasBus ? 100 : 6_000);
      await clock.tick(6_000);
      expect((await answered.outcome).status.state).toBe('TASK_STATE_COMPLETED');
      expect([executor.answers, await early.outcome]).toEqual([['this'], 'UNSUPPORTED_OPERATION']);
      expect((await world.store.load(refOf(id)))?.epoch, 'claimed once more, and not again and again').toBe(2);
    }
  });

  test('F65: a task that is kept is forgotten when another node takes it over', async () => {
    const { clock, node, start, crash, store, executor, id, reply } = await waiting();
    await clock.tick(600_000);
    node.pause();
    await crash(node);
    const next = start({ clock, executor });
    await clock.tick(20_000);
    expect(await store.load(refOf(id))).toMatchObject({ node: 'node-2' });
    expect((await reply(next)).status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('D44: the parked turn does not count as a running task', async () => {
    const { clock, node } = await waiting({ maxRunningTasks: 1 });
    await clock.tick(600_000);
    const second = node.caller.task('go', { returnImmediately: true });
    await clock.tick();
    expect((await second).status.state).toBe('TASK_STATE_SUBMITTED');
  });
});
