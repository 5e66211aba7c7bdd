import { describe, expect, test } from 'vitest';
import { A2AError } from '../src/protocol/errors.js';
import { type Agent, type AgentExecutor, type AgentOptions, createAgent, memoryStore } from '../src/server/index.js';
import { failingStore, manualClock, scriptedExecutor, sequentialIds } from '../src/testing/index.js';
import { callerOf, gate, say } from './harness.js';
import { inboxOf, refOf, refusal, until, untilIdle } from './looking.js';

const agentThat = (execute: AgentExecutor['execute'], options: Partial<AgentOptions> = {}) =>
  createAgent({ name: 'Registrar', executor: { execute }, ...options });

const UNAVAILABLE = { reason: 'AGENT_UNAVAILABLE', retryable: true, retryAfterMs: 1_000 };

/** Does what the text of the message names. */
const ALL_SORTS: AgentExecutor = {
  async execute({ text, signal, requireInput }, events) {
    switch (text) {
      case 'reply':
        return events.reply('hi');
      case 'nothing':
        return;
      case 'crash':
        throw new Error('crash');
      case 'refuse':
        throw new A2AError('RATE_LIMITED', 'no');
      case 'fail':
        await events.working();
        throw new Error('crash');
      case 'illegal':
        await events.working();
        return events.reply('hi');
      case 'ask':
        return events.status('TASK_STATE_INPUT_REQUIRED');
      case 'login':
        return events.status('TASK_STATE_AUTH_REQUIRED');
      case 'ask inside':
        await requireInput('and?');
        return events.complete();
      case 'wait':
        await events.working();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        return;
      default:
        await events.complete();
    }
  },
};

/** Checks that `count` tasks can run: tasks that have ended do not count. */
async function expectRoomFor(agent: Agent, count: number): Promise<void> {
  const caller = callerOf(agent);
  const waiting: string[] = [];
  for (let n = 0; n < count; n += 1) waiting.push((await caller.task('wait', { returnImmediately: true })).id);
  expect(await refusal(caller.send('one too many'))).toMatchObject(UNAVAILABLE);
  await Promise.all(waiting.map((id) => caller.cancel(id)));
  await untilIdle(agent);
}

describe('P29: tasks that have ended are released', () => {
  test('P29: after every kind of start and end, no task is registered and every place is free', async () => {
    const agent = createAgent({ name: 'Registrar', executor: ALL_SORTS, maxRunningTasks: 2 });
    const caller = callerOf(agent);
    const ways = ['reply', 'nothing', 'crash', 'refuse', 'fail', 'illegal', 'ask', 'login', 'complete'];
    for (const way of ways) {
      await caller.send(way).catch(() => {});
      await untilIdle(agent);
      await caller
        .stream(way)
        .then((reader) => reader.all())
        .catch(() => {});
      await untilIdle(agent);
      await caller.send(way, { returnImmediately: true }).catch(() => {});
      await untilIdle(agent);
    }
    expect(agent.tasks.running).toEqual([]);
    await expectRoomFor(agent, 2);
  });

  test('P29: a task that waits for its user does not count as running because it has subscribers', async () => {
    const agent = createAgent({ name: 'Registrar', executor: ALL_SORTS, maxRunningTasks: 1 });
    const caller = callerOf(agent);
    const { id } = await caller.task('ask');
    const watcher = await caller.subscribe(id);
    await watcher.until(1);
    await untilIdle(agent);
    await expectRoomFor(agent, 1);
    await caller.task(say('done', { taskId: id }));
    await watcher.all();
    expect(watcher.states.at(-1)).toBe('COMPLETED');
  });

  test('P29: no subscriber is left after a call, for every kind of response', async () => {
    const clock = manualClock();
    const agent = createAgent({ name: 'Registrar', executor: ALL_SORTS, clock, maxReadersPerTask: 1, maxBlockingMs: 1_000 });
    const caller = callerOf(agent);
    const { id } = await caller.task('ask');
    const listensAlone = async (): Promise<void> => {
      const reader = await caller.subscribe(id);
      await reader.until(1);
      reader.close();
    };
    await listensAlone();
    await caller.task(say('ask', { taskId: id }));
    await listensAlone();
    const stream = await caller.stream(say('login', { taskId: id }));
    await clock.tick();
    await stream.all();
    await listensAlone();
    const impatient = caller.task(say('wait', { taskId: id }));
    await clock.tick(1_000);
    expect((await impatient).status.state, 'the wait ended at maxBlockingMs').toBe('TASK_STATE_WORKING');
    await listensAlone();
    const queued = refusal(caller.task(say('too late', { taskId: id })));
    await clock.tick();
    await caller.cancel(id);
    await queued;
    await untilIdle(agent);
    expect(await refusal(caller.subscribe(id))).toMatchObject({ reason: 'UNSUPPORTED_OPERATION' });
    const back = await caller.subscribe(id, '0');
    await back.all();
    await listensAgain(id);

    async function listensAgain(task: string): Promise<void> {
      const reader = await caller.subscribe(task, '0');
      await reader.all();
    }
  });

  test('P29: no timer is left', async () => {
    const clock = manualClock();
    const agent = createAgent({ name: 'Registrar', executor: ALL_SORTS, clock, store: memoryStore({ clock }), maxBlockingMs: 10_000 });
    const caller = callerOf(agent);
    for (const way of ['reply', 'crash', 'fail', 'ask', 'complete']) {
      await caller.send(way).catch(() => {});
      const reading = caller.stream(way).then((reader) => reader.all());
      reading.catch(() => {});
      await clock.tick();
      await reading.catch(() => {});
    }
    const waiting = caller.task('wait');
    await clock.tick();
    await caller.cancel(agent.tasks.running[0]?.taskId ?? '');
    expect((await waiting).status.state).toBe('TASK_STATE_CANCELED');
    await untilIdle(agent);
    await clock.tick();
    expect(clock.pending).toBe(0);
  });
});

describe('P30: one run for one task', () => {
  test('P30: fifty concurrent messages to a waiting task run one after another, each once, in order', async () => {
    const store = memoryStore();
    const heard: string[] = [];
    const reported: A2AError[] = [];
    const running = { now: 0, most: 0 };
    const agent = agentThat(
      async ({ text }, events) => {
        running.now += 1;
        running.most = Math.max(running.most, running.now);
        heard.push(text);
        await events.appendText('a', text);
        await events.flush();
        await events.status('TASK_STATE_INPUT_REQUIRED');
        running.now -= 1;
      },
      { store, onError: (error) => reported.push(error) },
    );
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    await untilIdle(agent);
    const texts = Array.from({ length: 50 }, (_, n) => `message ${n}`);
    await Promise.all(texts.map((text) => caller.task(say(text, { taskId: id }))));
    await untilIdle(agent);
    expect(heard).toEqual(['go', ...texts]);
    expect(running).toEqual({ now: 0, most: 1 });
    expect(reported, 'no run lost the task to another one').toEqual([]);
    expect((await inboxOf(store, refOf(id))).every(({ state }) => state === 'taken')).toBe(true);
  });

  test('P30: two callers may have separate tasks with the same id', async () => {
    const gates = { ada: gate(), bob: gate() };
    const agent = agentThat(
      async ({ caller }, events) => {
        await events.working(caller.id);
        await gates[caller.id as 'ada' | 'bob'].passed;
        await events.complete(`for ${caller.id}`);
      },
      { ids: { taskId: () => 'same' } },
    );
    const [ada, bob] = [callerOf(agent, { id: 'ada' }), callerOf(agent, { id: 'bob' })];
    const sent = [ada.task('go'), bob.task('go')];
    await until(() => agent.tasks.running.length === 2);
    expect(agent.tasks.running.map(({ taskId, owner }) => [taskId, owner])).toEqual([
      ['same', 'ada'],
      ['same', 'bob'],
    ]);
    gates.bob.open();
    await sent[1];
    await until(() => agent.tasks.running.length === 1);
    expect((await ada.get('same')).status).toMatchObject({ state: 'TASK_STATE_WORKING', message: { parts: [{ text: 'ada' }] } });
    gates.ada.open();
    expect((await sent[0])?.status.message?.parts).toEqual([{ text: 'for ada' }]);
    expect((await bob.get('same')).status.message?.parts).toEqual([{ text: 'for bob' }]);
  });

  test('P30: an id that is generated twice fails the second call and does not affect the first', async () => {
    const done = gate();
    const agent = agentThat(
      async ({ text }, events) => {
        await events.working(text);
        await done.passed;
        await events.complete();
      },
      { ids: { taskId: () => 'same' } },
    );
    const caller = callerOf(agent);
    const first = await caller.stream('first');
    await first.until(2);
    await refusal(caller.send('while it runs'));
    expect(agent.tasks.running).toMatchObject([{ taskId: 'same' }]);
    expect((await caller.get('same')).status.message?.parts).toEqual([{ text: 'first' }]);
    done.open();
    await first.all();
    const before = await caller.get('same');
    await untilIdle(agent);
    await refusal(caller.send('after it has ended'));
    expect(await caller.get('same')).toEqual(before);
    await untilIdle(agent);
  });

  test.each([
    ['a builder that throws', { buildContext: () => Promise.reject(new Error('no context')) }],
    ['a store that fails', { store: failingStore(memoryStore(), () => 'before') }],
  ] satisfies [string, Partial<AgentOptions>][])('P30: a start that fails leaves no running task (%s)', async (_, options) => {
    const agent = agentThat((_context, events) => events.complete(), { maxRunningTasks: 1, ...options });
    const caller = callerOf(agent);
    for (let n = 0; n < 5; n += 1) {
      const error = await refusal(caller.send('go'));
      expect(error.message, 'it failed for its own reason, not at the limit').not.toContain('running');
      await untilIdle(agent);
    }
    expect(agent.tasks.running).toEqual([]);
  });
});

describe('P31: which tasks can start', () => {
  test.each(['complete', 'fail', 'reject', 'canceled'] as const)('P31: a task that has ended (%s) does not start again', async (end) => {
    const executor = scriptedExecutor([{ do: end, text: 'over' }]);
    const agent = createAgent({ name: 'Registrar', executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    await untilIdle(agent);
    for (const call of [caller.task(say('on', { taskId: id })), caller.stream(say('on', { taskId: id }))]) {
      expect(await refusal(call)).toMatchObject({ reason: 'UNSUPPORTED_OPERATION', code: -32004 });
    }
    expect(agent.tasks.running).toEqual([]);
    expect(executor.runs).toHaveLength(1);
  });

  test('P31: a request to an unknown task does not create it', async () => {
    const executor = scriptedExecutor([{ do: 'complete' }]);
    const agent = createAgent({ name: 'Registrar', executor });
    const caller = callerOf(agent);
    for (const call of [caller.task(say('on', { taskId: 'unknown' })), caller.cancel('unknown'), caller.subscribe('unknown')]) {
      expect(await refusal(call)).toMatchObject({ reason: 'TASK_NOT_FOUND' });
    }
    expect([agent.tasks.running, executor.runs]).toEqual([[], []]);
  });

  test('P31: a concurrent message and cancel to a waiting task start one run', async () => {
    const runs: string[] = [];
    const agent = agentThat(async ({ text }, events) => {
      runs.push(text);
      await events.status('TASK_STATE_INPUT_REQUIRED');
    });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    await untilIdle(agent);
    const [message, cancel] = await Promise.allSettled([caller.task(say('on', { taskId: id })), caller.cancel(id)]);
    expect(cancel).toMatchObject({ status: 'fulfilled', value: { status: { state: 'TASK_STATE_CANCELED' } } });
    if (message.status === 'rejected') expect(message.reason).toMatchObject({ reason: 'UNSUPPORTED_OPERATION' });
    await untilIdle(agent);
    expect(runs.length).toBeLessThanOrEqual(2);
    expect((await caller.get(id)).status.state).toBe('TASK_STATE_CANCELED');
  });
});

describe('P61: agent.tasks.running lists the registry', () => {
  test('P61: it lists the running tasks with owner, start time and attempt, oldest first', async () => {
    const clock = manualClock(1_000_000);
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'call', run: ({ text }) => gates[text]?.passed }, { do: 'complete' }]);
    const gates: Record<string, ReturnType<typeof gate>> = { one: gate(), two: gate(), three: gate() };
    const agent = createAgent({ name: 'Registrar', executor, clock, ids: sequentialIds() });
    expect(agent.tasks.running).toEqual([]);
    const sent = [];
    for (const [text, id] of Object.entries({ one: 'ada', two: 'bob', three: 'ada' })) {
      sent.push(callerOf(agent, { id }).value('SendMessage', { message: say(text), tenant: 'acme' }));
      await clock.tick(10);
    }
    const about = { tenant: 'acme', attempt: 1 };
    const [one, two, three] = [
      { ...about, taskId: 'task-1', contextId: 'context-1', owner: 'ada', since: 1_000_000 },
      { ...about, taskId: 'task-2', contextId: 'context-2', owner: 'bob', since: 1_000_010 },
      { ...about, taskId: 'task-3', contextId: 'context-3', owner: 'ada', since: 1_000_020 },
    ];
    expect(agent.tasks.running).toEqual([one, two, three]);
    gates.two?.open();
    await sent[1];
    expect(agent.tasks.running).toEqual([one, three]);
    gates.one?.open();
    gates.three?.open();
    await Promise.all(sent);
    expect(agent.tasks.running).toEqual([]);
  });

  test('P61: it is a copy: changes to it have no effect', async () => {
    const done = gate();
    const agent = agentThat(async (_, events) => {
      await done.passed;
      await events.complete();
    });
    const sent = callerOf(agent).task('go');
    await until(() => agent.tasks.running.length === 1);
    (agent.tasks.running as unknown[]).length = 0;
    expect(agent.tasks.running).toHaveLength(1);
    done.open();
    await sent;
  });

  test('P61: a task that waits inside its run is listed; a released one is not', async () => {
    const agent = createAgent({ name: 'Registrar', executor: ALL_SORTS });
    const caller = callerOf(agent);
    const inside = await caller.task('ask inside');
    const outside = await caller.task('ask');
    await until(() => agent.tasks.running.length === 1);
    expect(agent.tasks.running.map(({ taskId }) => taskId)).toEqual([inside.id]);
    expect(outside.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    await caller.task(say('answer', { taskId: inside.id }));
    expect(agent.tasks.running).toEqual([]);
  });
});
