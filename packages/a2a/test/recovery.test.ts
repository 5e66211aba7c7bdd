import { describe, expect, test } from 'vitest';
import type { Task } from '../src/index.js';
import { type AgentExecutor, type AgentOptions, memoryBus, type RequestContext, type TaskStore } from '../src/server/index.js';
import { failingStore, manualClock, type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { gate, say } from './harness.js';
import { follow, inboxOf, quiet, refOf, refusal, storyOf, until, untilIdle } from './looking.js';
import { cluster, LEASE_MS } from './nodes.js';

const HANG: ScriptStep = { do: 'gate', name: 'never' };
const RESTART = { recovery: 'restart' } as const;
const EMPTY = scriptedExecutor([{ do: 'throw', error: new Error('execute must not be called') }]);

/** A node that is killed in its first task, after these steps. The test starts the next node. */
async function afterCrash(steps: readonly ScriptStep[], options: Partial<AgentOptions> = {}) {
  const world = cluster();
  const executor = scriptedExecutor([...steps, HANG]);
  const first = world.start({ executor, ...options });
  const { id } = await first.caller.task('go', { returnImmediately: true });
  await quiet();
  await world.crash(first);
  const story = () => storyOf(world.store, refOf(id));
  return { ...world, executor, first, id, story };
}

const failureOf = ({ status }: Task): unknown => status.message?.metadata?.['urn:parley:a2a:error'];
const textOf = ({ artifacts = [] }: Task): readonly string[] => artifacts.map(({ parts }) => parts.map(({ text }) => text).join(''));

describe('D18: a task whose run was killed', () => {
  const CUT: [string, readonly ScriptStep[], string][] = [
    ['SUBMITTED', [{ do: 'call', run: (_, events) => events.task() }, { do: 'flush' }], 'task:SUBMITTED'],
    ['WORKING', [{ do: 'working' }, { do: 'flush' }], 'status:WORKING'],
    ['AUTH_REQUIRED out of band', [authRequired(), { do: 'flush' }], 'status:AUTH_REQUIRED'],
  ];

  test.each(CUT)('D18, P34: a task in %s is FAILED by the next node, without any call, and has the reason', async (_name, steps, last) => {
    const { start, store, id, story } = await afterCrash(steps);
    expect((await story()).at(-1)).toBe(last);
    const next = start({ executor: EMPTY });
    await until(() => next.agent.tasks.running.length === 0);
    await quiet();
    expect((await story()).slice(-2)).toEqual([last, 'status:FAILED']);
    const task = await next.caller.get(id);
    expect(failureOf(task)).toMatchObject({ reason: 'AGENT_UNAVAILABLE', why: 'crash', retryable: true });
    expect(task.status.message?.parts).toEqual([{ text: 'the agent crashed while it worked on the task' }]);
    expect([EMPTY.runs, next.agent.tasks.running, await store.orphans('', 10)]).toEqual([[], [], []]);
  });

  test.each(CUT)('D18, P34: a task in %s restarts as attempt 2 if recovery is restart', async (_name, steps) => {
    const { start, id } = await afterCrash(steps, RESTART);
    const executor = scriptedExecutor([{ do: 'complete', text: 'done' }]);
    const next = start({ ...RESTART, executor });
    await until(() => executor.runs.length === 1);
    await untilIdle(next.agent);
    expect(executor.runs[0]).toMatchObject({ attempt: 2, text: 'go', taskId: id });
    expect((await next.caller.get(id)).status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('D18, P34: a subscriber and a caller on the next node see the end, even before that node looks for orphans', async () => {
    const world = await afterCrash([{ do: 'working' }, { do: 'flush' }]);
    const looks = gate();
    const orphans: TaskStore['orphans'] = async (agent, limit) => looks.passed.then(() => world.store.orphans(agent, limit));
    const next = world.start({ executor: EMPTY, store: { ...world.store, orphans } });
    const subscriber = await next.caller.subscribe(world.id);
    const sent = follow(next.caller.stream(say('and now?', { taskId: world.id })).then((reader) => reader.all()));
    sent.outcome.catch(() => {});
    looks.open();
    await subscriber.all();
    expect(subscriber.states).toEqual(['WORKING', 'FAILED']);
    expect(await refusal(sent.outcome), 'its message was refused at the end').toMatchObject({ reason: 'UNSUPPORTED_OPERATION' });
    expect(await refusal(next.caller.subscribe(world.id))).toMatchObject({ reason: 'UNSUPPORTED_OPERATION' });
  });

  test('D18, D32: a killed run is logged with its task id', async () => {
    for (const recovery of ['fail', 'restart'] as const) {
      const lines: unknown[] = [];
      const line = (fields: object, text: string) => void lines.push({ ...fields, text });
      const world = await afterCrash([{ do: 'working' }], { recovery });
      const executor = scriptedExecutor([{ do: 'complete' }]);
      const next = world.start({ recovery, executor, logger: { debug: line, info: line, warn: line, error: line } });
      await until(() => lines.length > 0);
      expect(lines).toMatchObject([{ taskId: world.id, text: expect.stringContaining('crash') }]);
      await untilIdle(next.agent);
    }
  });

  test('D14: artifacts without an id replace those of the previous attempt, and those of one attempt stay separate', async () => {
    const { start, crash } = cluster();
    const stay = gate();
    const executor: AgentExecutor = {
      async execute({ attempt }, events) {
        await events.data({ n: 1, attempt });
        await events.data({ n: 2, attempt });
        await events.flush();
        if (attempt === 1) await stay.passed;
        await events.complete();
      },
    };
    const first = start({ executor, recovery: 'restart' });
    const { id } = await first.caller.task('go', { returnImmediately: true });
    await quiet();
    await crash(first);
    const second = start({ executor, recovery: 'restart' });
    await quiet();
    await untilIdle(second.agent);
    const { artifacts = [], status } = await second.caller.get(id);
    expect(status.state).toBe('TASK_STATE_COMPLETED');
    expect(artifacts.map(({ parts }) => parts[0]?.data)).toEqual([
      { n: 1, attempt: 2 },
      { n: 2, attempt: 2 },
    ]);
  });

  test('D18, D14: a restarted run replaces the artifacts of the first: the text is that of an undisturbed run, also for subscribers', async () => {
    const chunks = (count: number): ScriptStep[] =>
      Array.from({ length: count }, (_, k): ScriptStep => ({ do: 'append', artifactId: 'a', text: `chunk ${k}. ` }));
    const undisturbed = cluster().start({ executor: scriptedExecutor([...chunks(9), { do: 'complete' }]) });
    const expected = textOf(await undisturbed.caller.task('go'));
    const { start, id } = await afterCrash([...chunks(5), { do: 'flush' }], RESTART);
    const executor = scriptedExecutor([{ do: 'gate', name: 'on' }, ...chunks(9), { do: 'complete' }]);
    const next = start({ ...RESTART, executor });
    await until(() => executor.runs.length === 1);
    const subscriber = await next.caller.subscribe(id);
    await subscriber.until(1);
    executor.open('on');
    await subscriber.all();
    expect(textOf(await next.caller.get(id))).toEqual(expected);
    expect([subscriber.text], 'only the events of the new run').toEqual(expected);
    expect(
      subscriber.seen.find(({ artifactUpdate }) => artifactUpdate)?.artifactUpdate?.append,
      'the first chunk replaces the artifact',
    ).toBeFalsy();
  });

  test('D18: attempts count 1, 2, 3, … and a task that is killed each time ends after maxAttempts', async () => {
    const world = cluster();
    const options = { ...RESTART, maxAttempts: 3 };
    const seen: number[] = [];
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'call', run: ({ attempt }) => void seen.push(attempt) }, HANG]);
    let node = world.start({ ...options, executor });
    const { id } = await node.caller.task('go', { returnImmediately: true });
    for (const attempt of [1, 2, 3]) {
      await until(() => seen.length === attempt);
      await quiet();
      if (attempt > 1) expect(node.agent.tasks.running).toMatchObject([{ taskId: id, attempt }]);
      await world.crash(node);
      node = world.start({ ...options, executor });
    }
    await quiet();
    expect(seen).toEqual([1, 2, 3]);
    const task = await node.caller.get(id);
    expect(failureOf(task)).toMatchObject({ reason: 'AGENT_UNAVAILABLE', why: 'crash' });
    expect(task.status.message?.parts[0]?.text).toBe('the agent crashed 3 times while it worked on the task');
  });

  test('D18: with maxAttempts 1 a task never restarts', async () => {
    const { start, id } = await afterCrash([{ do: 'working' }, { do: 'flush' }], RESTART);
    const next = start({ ...RESTART, maxAttempts: 1, executor: EMPTY });
    await quiet();
    expect((await next.caller.get(id)).status.state).toBe('TASK_STATE_FAILED');
  });

  test.each(['fail', 'restart'] as const)(
    'D18, P34: INPUT_REQUIRED survives a crash (%s) and is not asked again; the answer continues the run',
    async (recovery) => {
      const ask: ScriptStep[] = [{ do: 'working' }, { do: 'requireInput', prompt: 'which?' }];
      const { start, id, story } = await afterCrash(ask, { recovery });
      const executor = scriptedExecutor([...ask, { do: 'complete' }]);
      const next = start({ recovery, executor });
      const subscriber = await next.caller.subscribe(id);
      await quiet();
      expect(executor.runs, 'no run while the task waits').toEqual([]);
      expect((await story()).filter((line) => line === 'status:INPUT_REQUIRED')).toHaveLength(1);
      const task = await next.caller.task(say('this', { taskId: id }));
      expect(task.status.state).toBe('TASK_STATE_COMPLETED');
      expect(executor.runs).toMatchObject([{ attempt: 2, text: 'go' }]);
      expect(executor.answers).toEqual(['this']);
      await subscriber.all();
      expect(subscriber.states).toEqual(['INPUT_REQUIRED', 'WORKING', 'WORKING', 'COMPLETED']);
    },
  );

  test.each(['fail', 'restart'] as const)(
    'D18: a question published without requireInput survives a crash (%s), and its answer starts a turn',
    async (recovery) => {
      const asked: ScriptStep = { do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED', 'which?') };
      const { start, id } = await afterCrash([asked, { do: 'flush' }], { recovery });
      const executor = scriptedExecutor([{ do: 'complete' }]);
      const next = start({ recovery, executor });
      await quiet();
      expect(executor.runs).toEqual([]);
      expect((await next.caller.task(say('this', { taskId: id }))).status.state).toBe('TASK_STATE_COMPLETED');
      expect(executor.runs).toMatchObject([{ attempt: 1, text: 'this' }]);
    },
  );

  test('D18: the next run gets the same request as the first', async () => {
    const world = cluster();
    const executor = scriptedExecutor([{ do: 'working' }, HANG]);
    const caller = { id: 'ann', scopes: ['read'], claims: { level: 3 } };
    const first = world.start({ ...RESTART, executor });
    const message = say([{ text: 'go' }, { data: { a: [1, null] } }], { contextId: 'k', metadata: { m: 1 }, referenceTaskIds: ['other'] });
    const params = { message, configuration: { returnImmediately: true, historyLength: 2 }, metadata: { trace: 't' }, tenant: 'acme' };
    await first.caller.value('SendMessage', params, { caller, requestId: 'r-7' });
    await until(() => executor.runs.length === 1);
    await quiet();
    await world.crash(first);
    const again = scriptedExecutor([{ do: 'complete' }]);
    world.start({ ...RESTART, executor: again });
    await until(() => again.runs.length === 1);
    const facts = ({
      message,
      configuration,
      metadata,
      caller,
      tenant,
      taskId,
      contextId,
      text,
      parts,
      requestedExtensions,
    }: RequestContext) =>
      JSON.parse(JSON.stringify({ message, configuration, metadata, caller, tenant, taskId, contextId, text, parts, requestedExtensions }));
    expect(facts(again.runs[0] as RequestContext)).toEqual(facts(executor.runs[0] as RequestContext));
    expect(again.runs[0]?.currentTask, 'and the task as the first run left it').toMatchObject({ status: { state: 'TASK_STATE_WORKING' } });
  });

  test('D18: the last turn restarts, with its own message', async () => {
    const world = cluster();
    const park: ScriptStep = { do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED', 'well?') };
    const first = world.start({ ...RESTART, executor: scriptedExecutor([park], { turns: [[{ do: 'working' }, HANG]] }) });
    const { id } = await first.caller.task('one');
    await first.caller.task(say('two', { taskId: id }), { returnImmediately: true });
    await quiet();
    await world.crash(first);
    const again = scriptedExecutor([{ do: 'complete' }]);
    world.start({ ...RESTART, executor: again });
    await until(() => again.runs.length === 1);
    expect(again.runs).toMatchObject([{ text: 'two', attempt: 2, currentTask: { history: [{}, {}, {}] } }]);
  });
});

function authRequired(): ScriptStep {
  return { do: 'call', run: (_, events) => events.status('TASK_STATE_AUTH_REQUIRED', 'log in over there') };
}

describe('D2, D18: the inbox of a dead node', () => {
  test('D2: the next node takes a message to a parked task that was posted without a notification', async () => {
    const world = cluster();
    const park: ScriptStep = { do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED', 'well?') };
    const claims = { ...world.store, claim: () => new Promise<never>(() => {}) };
    const first = world.start({ store: claims, executor: scriptedExecutor([park]) });
    const { id } = await first.caller.task('one');
    await untilIdle(first.agent);
    void first.caller.task(say('two', { taskId: id }));
    await quiet();
    await world.crash(first);
    const executor = scriptedExecutor([{ do: 'complete' }]);
    const next = world.start({ executor });
    await until(() => executor.runs.length === 1);
    await untilIdle(next.agent);
    expect(executor.runs).toMatchObject([{ text: 'two', attempt: 1 }]);
    expect(await inboxOf(world.store, refOf(id))).toMatchObject([{ state: 'taken' }]);
  });

  test('D2, D18: a message behind a killed run is refused by its FAILED, or runs after its restart', async () => {
    for (const recovery of ['fail', 'restart'] as const) {
      const { first, start, crash, ...world } = { ...cluster(), ...(await busy(recovery)) };
      await crash(first);
      const executor = scriptedExecutor([{ do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED', 'more?') }]);
      const next = start({ recovery, executor });
      await quiet();
      await untilIdle(next.agent);
      const texts = executor.runs.map(({ text, attempt }) => `${text} ${attempt}`);
      expect(texts).toEqual(recovery === 'fail' ? [] : ['go 2', 'later 1']);
      expect(await inboxOf(world.store, refOf(world.id))).toMatchObject([{ state: recovery === 'fail' ? 'refused' : 'taken' }]);
    }
  });

  async function busy(recovery: 'fail' | 'restart') {
    const world = cluster();
    const first = world.start({ recovery, executor: scriptedExecutor([{ do: 'working' }, HANG]) });
    const { id } = await first.caller.task('go', { returnImmediately: true });
    await first.caller.task(say('later', { taskId: id }), { returnImmediately: true });
    await quiet();
    return { ...world, first, id };
  }

  test('D2: a message sent through another node reaches a run that waits for it', async () => {
    const { start } = cluster();
    const bus = memoryBus();
    const executor = scriptedExecutor([{ do: 'requireInput', prompt: 'which?' }, { do: 'complete' }]);
    const owner = start({ executor, bus });
    const other = start({ executor: EMPTY, bus });
    const { id } = await owner.caller.task('go');
    expect((await other.caller.task(say('this', { taskId: id }))).status.state).toBe('TASK_STATE_COMPLETED');
    expect(executor.answers).toEqual(['this']);
  });

  test('D19: a cancel sent through another node reaches the run', async () => {
    const { start } = cluster();
    const bus = memoryBus();
    const owner = start({ executor: scriptedExecutor([{ do: 'working' }, HANG]), bus });
    const other = start({ executor: EMPTY, bus });
    const { id } = await owner.caller.task('go', { returnImmediately: true });
    expect((await other.caller.cancel(id)).status.state).toBe('TASK_STATE_CANCELED');
    await untilIdle(owner.agent);
  });
});

describe('D18: a store that fails during a run', () => {
  const FAULTS: [string, 'before' | 'after'][] = [
    ['was not made', 'before'],
    ['was made without a response', 'after'],
  ];

  test.each(FAULTS)(
    'D18: after a commit that %s, readers get AGENT_UNAVAILABLE, and recovery applies when the store is back',
    async (_name, fault) => {
      for (const recovery of ['fail', 'restart'] as const) {
        const own = manualClock();
        const world = cluster();
        let down = false;
        const store: TaskStore = {
          ...failingStore(world.store, () => (down ? fault : undefined)),
          entryAt: (ref, seq) => (down ? Promise.reject(new Error('down')) : world.store.entryAt(ref, seq)),
          claim: (ref, node) => (down ? Promise.reject(new Error('down')) : world.store.claim(ref, node)),
        };
        const executor = scriptedExecutor(
          [{ do: 'working' }, { do: 'gate', name: 'on' }, { do: 'append', artifactId: 'a', text: 'x' }, HANG],
          {
            turns: [[{ do: 'append', artifactId: 'a', text: 'y' }, { do: 'complete' }]],
          },
        );
        const node = world.start({ recovery, executor, store, clock: own });
        const sending = node.caller.task('go', { returnImmediately: true });
        await own.tick();
        const { id } = await sending;
        const reader = await node.caller.subscribe(id);
        await own.tick();
        down = true;
        executor.open('on');
        await own.tick();
        expect(await reader.ended).toMatchObject({ kind: 'error', error: { reason: 'AGENT_UNAVAILABLE', retryable: true } });
        expect(executor.runs[0]?.signal.aborted).toBe(true);
        await own.tick(3_000);
        expect(executor.runs, 'only attempts to claim it').toHaveLength(1);
        down = false;
        await own.tick(1_000);
        await own.tick();
        const { status, artifacts } = await node.caller.get(id);
        expect(status.state).toBe(recovery === 'fail' ? 'TASK_STATE_FAILED' : 'TASK_STATE_COMPLETED');
        if (recovery === 'restart') expect([artifacts?.[0]?.parts, executor.runs[1]?.attempt]).toEqual([[{ text: 'y' }], 2]);
        expect(node.agent.tasks.running).toEqual([]);
      }
    },
  );

  test('D18: a final commit without a response stays final', async () => {
    const own = manualClock();
    const world = cluster();
    let down = false;
    const store: TaskStore = {
      ...failingStore(world.store, () => (down ? 'after' : undefined)),
      entryAt: (ref, seq) => (down ? Promise.reject(new Error('down')) : world.store.entryAt(ref, seq)),
    };
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'on' }, { do: 'complete', text: 'done' }]);
    const node = world.start({ ...RESTART, executor, store, clock: own });
    const sending = node.caller.task('go', { returnImmediately: true });
    await own.tick();
    const { id } = await sending;
    down = true;
    executor.open('on');
    await own.tick();
    down = false;
    await own.tick(5_000);
    expect((await node.caller.get(id)).status.state).toBe('TASK_STATE_COMPLETED');
    expect(executor.runs).toHaveLength(1);
  });

  test.each(['orphans', 'claim', 'readAfter', 'inbox', 'now', 'beat'] as const)(
    'D18: %s is retried if it fails during a takeover',
    async (name) => {
      for (const recovery of ['fail', 'restart'] as const) {
        const own = manualClock();
        const { start, store, id } = await afterCrash([{ do: 'working' }, { do: 'flush' }], { recovery });
        let fails = 2;
        const call = store[name] as (...args: unknown[]) => Promise<unknown>;
        const broken = async (...args: unknown[]): Promise<unknown> => {
          fails -= 1;
          if (fails >= 0) throw new Error('connect ECONNREFUSED');
          return call(...args);
        };
        const executor = scriptedExecutor([{ do: 'complete' }]);
        const next = start({ recovery, executor, clock: own, store: { ...store, [name]: broken } });
        await own.tick();
        await own.tick(15_000);
        const { status } = await next.caller.get(id);
        expect(status.state, recovery).toBe(recovery === 'fail' ? 'TASK_STATE_FAILED' : 'TASK_STATE_COMPLETED');
        expect(executor.runs).toHaveLength(recovery === 'fail' ? 0 : 1);
        expect(next.agent.tasks.running).toEqual([]);
      }
    },
  );

  test('D18, D14: an answer that comes while the log cannot be read is used once it can', async () => {
    const own = manualClock();
    const ask: ScriptStep = { do: 'requireInput', prompt: 'which?' };
    const { start, store, id } = await afterCrash([ask]);
    let fails = 0;
    const readAfter: TaskStore['readAfter'] = async (...args) => {
      fails -= 1;
      if (fails >= 0) throw new Error('connect ECONNREFUSED');
      return store.readAfter(...args);
    };
    const executor = scriptedExecutor([ask, { do: 'complete' }]);
    const next = start({ executor, clock: own, store: { ...store, readAfter } });
    await own.tick();
    fails = 1;
    const sent = follow(next.caller.task(say('this', { taskId: id })));
    sent.outcome.catch(() => {});
    await own.tick();
    await own.tick(2_000);
    expect((await next.caller.get(id)).status.state).toBe('TASK_STATE_COMPLETED');
    expect([executor.answers, executor.runs.map(({ attempt, text }) => [attempt, text])]).toEqual([['this'], [[2, 'go']]]);
  });
});

describe('D21: recovery and limits', () => {
  test('D21: no more tasks restart at once than may run; the others follow when there is room', async () => {
    const world = cluster();
    const first = world.start({ ...RESTART, executor: scriptedExecutor([{ do: 'working' }, HANG]) });
    for (let k = 0; k < 5; k += 1) await first.caller.task(`task ${k}`, { returnImmediately: true });
    await quiet();
    await world.crash(first);
    const own = manualClock();
    const executor = scriptedExecutor([{ do: 'gate', name: 'on' }, { do: 'complete' }]);
    const next = world.start({ ...RESTART, maxRunningTasks: 2, executor, clock: own });
    await own.tick();
    expect([executor.runs.length, next.agent.tasks.running.length]).toEqual([2, 2]);
    await own.tick(20_000);
    expect(executor.runs, 'still').toHaveLength(2);
    executor.open('on');
    await own.tick(20_000);
    expect(executor.runs.map(({ text }) => text).sort()).toEqual(['task 0', 'task 1', 'task 2', 'task 3', 'task 4']);
    expect(next.agent.tasks.running).toEqual([]);
  });

  test('D18: all of 250 tasks of a dead node are settled, each once', async () => {
    const world = cluster();
    const first = world.start({ executor: scriptedExecutor([{ do: 'working' }, HANG]) });
    for (let k = 0; k < 250; k += 1) await first.caller.task(`task ${k}`, { returnImmediately: true });
    await quiet();
    await world.crash(first);
    const one = world.start({ executor: EMPTY });
    const other = world.start({ executor: EMPTY });
    await quiet();
    await until(() => one.agent.tasks.running.length + other.agent.tasks.running.length === 0);
    const { tasks } = await one.caller.list({ pageSize: 100, status: 'TASK_STATE_FAILED' });
    expect(tasks).toHaveLength(100);
    expect((await one.caller.list({ status: 'TASK_STATE_FAILED' })).totalSize).toBe(250);
    expect(await world.store.orphans('', 10)).toEqual([]);
    const errors = [...one.errors, ...other.errors];
    expect([errors.length, new Set(errors).size], 'each is reported once').toEqual([250, 1]);
  });

  test('D12: tasks of a live node are not taken over', async () => {
    const world = cluster();
    const own = manualClock();
    const first = world.start({ ...RESTART, executor: scriptedExecutor([{ do: 'working' }, HANG]), clock: own });
    const sending = first.caller.task('go', { returnImmediately: true });
    await own.tick();
    const { id } = await sending;
    const other = world.start({ ...RESTART, executor: EMPTY, clock: own });
    for (let beat = 0; beat < 10; beat += 1) {
      await own.tick(5_000);
      await world.clock.tick(5_000);
    }
    expect(other.agent.tasks.running).toEqual([]);
    expect((await other.caller.get(id)).status.state).toBe('TASK_STATE_WORKING');
    await world.clock.tick(LEASE_MS);
    await own.tick();
    expect(first.agent.tasks.running).toHaveLength(1);
  });
});
