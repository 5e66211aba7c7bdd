/** Task ownership when nodes share a PostgreSQL: the same rules as with a shared memory store, on real connections and in real time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { startPostgres } from '../../../../scripts/databases/postgres.mjs';
import { postgres } from '../../src/postgres.js';
import type { AgentOptions, EventBus } from '../../src/server/index.js';
import { type ScriptStep, scriptedExecutor } from '../../src/testing/index.js';
import { say } from '../harness.js';
import { logOf, refOf, refusal, storyOf, until } from '../looking.js';
import { cluster, type Node } from '../nodes.js';
import { newSchema } from './provided.js';

const RESTART = { recovery: 'restart' } as const;
const LEASE_MS = 1_500;
const chunk = (text: string): ScriptStep => ({ do: 'append', artifactId: 'a', text });
const WORK: ScriptStep[] = [chunk('one '), { do: 'flush' }, { do: 'gate', name: 'on' }, chunk('two '), { do: 'complete' }];
const ASK: ScriptStep[] = [{ do: 'requireInput', prompt: 'which?' }, { do: 'complete' }];
const deaf: EventBus = { notify: () => {}, listen: () => () => {}, close: async () => {} };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Nodes that look like separate processes to the database: each has its own connections. */
function world(url = inject('postgresUrl')) {
  const schema = newSchema();
  const options = { schema, patienceMs: 1_000, queryTimeoutMs: 500 };
  const truth = postgres(url, options);
  closing.push(() => truth.close());
  const { start } = cluster(truth);
  const node = (steps: readonly ScriptStep[], more: Partial<AgentOptions> = {}) => {
    const executor = scriptedExecutor(steps);
    const store = postgres(url, options);
    const started = start({ ...RESTART, executor, store, bus: store.bus, leaseMs: LEASE_MS, rereadMs: 500, ...more });
    let isCut = false;
    closing.push(async () => {
      await started.resume();
      if (!isCut) await started.agent.close({ drainMs: 0 });
      await store.bus.close(); // the agent does not close a bus that was passed in
      await store.close();
    });
    const cutOff = (): void => {
      isCut = true;
      started.cutOff();
    };
    return { ...started, executor, cutOff };
  };
  const ready = (...nodes: readonly Node[]) => until(() => nodes.every(({ agent }) => agent.readiness === 'ready'));
  return { truth, node, ready };
}

describe('D12: nodes on one PostgreSQL', () => {
  test('D12: a dead node is replaced within its lease and about two seconds, and readers on other nodes miss nothing', async () => {
    const { truth, node, ready } = world();
    const [a, b] = [node(WORK), node([chunk('one '), chunk('two '), { do: 'complete' }])];
    await ready(a, b);
    const { id } = await a.caller.task('go', { returnImmediately: true });
    const reader = await b.caller.subscribe(id);
    await reader.until(1);
    const killedAt = performance.now();
    a.cutOff();
    await reader.all();
    expect(performance.now() - killedAt).toBeLessThan(LEASE_MS + 2_500);
    expect(b.executor.runs).toMatchObject([{ attempt: 2, taskId: id }]);
    const log = await logOf(truth, refOf(id));
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
    const sent = log.filter(({ kind, seq }) => kind !== 'input' && kind !== 'note' && seq > (reader.seen[0]?.seq ?? 0));
    expect(reader.seen.slice(1).map(({ seq }) => seq)).toEqual(sent.map(({ seq }) => seq));
  });

  test('D12: a paused node that wakes up cannot write to its old task, and continues with other tasks', async () => {
    const { truth, node, ready } = world();
    const [a, b] = [node(WORK), node([chunk('new '), { do: 'gate', name: 'on' }, { do: 'complete' }])];
    await ready(a, b);
    const { id } = await a.caller.task('go', { returnImmediately: true });
    const reader = await a.caller.subscribe(id);
    await reader.until(1);
    a.pause();
    await until(() => b.executor.runs.length === 1);
    a.executor.open('on');
    await a.resume();
    await until(() => a.executor.runs[0]?.signal.aborted === true);
    b.executor.open('on');
    await reader.all();
    expect(reader.states.at(-1)).toBe('COMPLETED');
    expect((await logOf(truth, refOf(id))).filter(({ json }) => json.includes('two '))).toEqual([]);
    await ready(a);
    expect((await a.caller.task('another', { returnImmediately: true })).status.state).toBe('TASK_STATE_SUBMITTED');
  });

  test('D20: a node that closes hands over its run, and another node restarts it at once, without counting a crash', async () => {
    const { truth, node, ready } = world();
    const [a, b] = [node(WORK, { maxAttempts: 1 }), node([{ do: 'complete' }], { maxAttempts: 1 })];
    await ready(a, b);
    const { id } = await a.caller.task('go', { returnImmediately: true });
    await a.agent.close({ drainMs: 10 });
    const closedAt = performance.now();
    await until(() => b.executor.runs.length === 1);
    expect(performance.now() - closedAt).toBeLessThan(1_500);
    await until(() => b.agent.tasks.running.length === 0);
    expect((await storyOf(truth, refOf(id))).slice(-3)).toEqual(['note:handed-over', 'note:attempt', 'status:COMPLETED']);
  });

  test.each([
    ['through NOTIFY', undefined],
    ['through the periodic re-read only', deaf],
  ])('D2, D19: replies and cancels from any node reach the owner, %s', async (_name, bus) => {
    const { node, ready } = world();
    const more = bus ? { bus } : {};
    const [a, b] = [node(ASK, more), node(ASK, more)];
    await ready(a, b);
    const { id } = await a.caller.task('go');
    expect((await b.caller.task(say('this', { taskId: id }))).status.state).toBe('TASK_STATE_COMPLETED');
    expect([a.executor.answers, b.executor.runs]).toEqual([['this'], []]);
    const { id: other } = await a.caller.task('go');
    expect((await b.caller.cancel(other)).status.state).toBe('TASK_STATE_CANCELED');
  });

  test('D17: the same key on two nodes at once starts one run', async () => {
    const { truth, node, ready } = world();
    const [a, b] = [node([{ do: 'complete' }]), node([{ do: 'complete' }])];
    await ready(a, b);
    const message = say('go');
    const options = { idempotencyKey: 'k' };
    const [first, second] = await Promise.all([a, b].map(({ caller }) => caller.send(message, undefined, options)));
    expect(second?.task?.id).toBe(first?.task?.id);
    expect(a.executor.runs.length + b.executor.runs.length).toBe(1);
    expect((await truth.list({ agent: '', tenant: '', owner: '', limit: 1, count: true })).total).toBe(1);
  });

  test('D12: a second process with the name of a live node takes over nothing until that node is dead', async () => {
    const { node, ready } = world();
    const first = node(WORK, { node: 'n' });
    await ready(first);
    const { id } = await first.caller.task('go', { returnImmediately: true });
    const second = node([{ do: 'complete' }], { node: 'n' });
    await until(() => second.agent.readiness === 'unavailable');
    expect(await refusal(second.caller.task('go'))).toMatchObject({
      message: expect.stringContaining('another process uses the node name n;'),
    });
    await sleep(LEASE_MS + 500);
    expect([first.agent.tasks.running.length, first.agent.readiness, second.agent.tasks.running.length]).toEqual([1, 'ready', 0]);
    first.cutOff();
    await until(() => second.executor.runs.length === 1);
    expect(second.executor.runs).toMatchObject([{ attempt: 2, taskId: id }]);
  });

  test('D12: two survivors share 200 tasks of a dead node, and each task runs once', { timeout: 30_000 }, async () => {
    const { truth, node, ready } = world();
    const hang: ScriptStep[] = [{ do: 'working' }, { do: 'gate', name: 'on' }, { do: 'complete' }];
    const [gone, a, b] = [node(hang), node(hang), node(hang)];
    await ready(gone, a, b);
    await Promise.all(Array.from({ length: 200 }, () => gone.caller.task('go', { returnImmediately: true })));
    gone.cutOff();
    const cutAt = performance.now();
    await until(() => a.executor.runs.length + b.executor.runs.length >= 200);
    expect(performance.now() - cutAt).toBeLessThan(LEASE_MS + 5_000);
    for (const { executor } of [a, b]) executor.open('on');
    await until(() => a.agent.tasks.running.length + b.agent.tasks.running.length === 0);
    const runs = [a, b].flatMap(({ executor }) => executor.runs.map(({ taskId, attempt }) => `${taskId} ${attempt}`));
    expect([runs.length, new Set(runs).size]).toEqual([200, 200]);
    const done = await truth.list({ agent: '', tenant: '', owner: '', state: 'TASK_STATE_COMPLETED', limit: 1, count: true });
    expect(done.total).toBe(200);
  });
});

describe('D12, D18: a PostgreSQL that is down', () => {
  test('D12, D18: for longer than the leases aborts the runs, and all tasks continue once when it is back', {
    timeout: 60_000,
  }, async () => {
    const server = await startPostgres();
    try {
      const { truth, node, ready } = world(server.url);
      const steps: ScriptStep[] = [chunk('one '), { do: 'flush' }, { do: 'gate', name: 'on' }, { do: 'complete' }];
      const nodes = [node(steps), node(steps), node(steps)];
      await ready(...nodes);
      const ids = await Promise.all(nodes.map(async ({ caller }) => (await caller.task('go', { returnImmediately: true })).id));
      await until(() => nodes.every(({ executor }) => executor.runs.length === 1));
      await server.down();
      await until(() => nodes.every(({ executor }) => executor.runs[0]?.signal.aborted === true));
      expect(nodes.map(({ agent }) => agent.readiness)).toEqual(Array(3).fill('unavailable'));
      await server.up();
      await ready(...nodes);
      for (const { executor } of nodes) executor.open('on');
      const states = async (): Promise<readonly unknown[]> =>
        Promise.all(ids.map(async (id) => (await truth.load(refOf(id)))?.head.state.replace('TASK_STATE_', '')));
      while ((await states()).some((state) => state !== 'COMPLETED')) await sleep(50);
      const runs = nodes.flatMap(({ executor }) => executor.runs.map(({ taskId, attempt }) => `${taskId} ${attempt}`));
      expect(new Set(runs).size).toBe(runs.length);
      for (const id of ids) {
        const log = await logOf(truth, refOf(id));
        expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
      }
    } finally {
      for (const close of closing.splice(0).reverse()) await close();
      await server.remove();
    }
  });

  test('D12: for less than a lease ends no run', { timeout: 60_000 }, async () => {
    const server = await startPostgres();
    try {
      const { truth, node, ready } = world(server.url);
      const a = node([chunk('one '), { do: 'flush' }, { do: 'gate', name: 'on' }, chunk('two '), { do: 'complete' }], { leaseMs: 10_000 });
      const b = node([], { leaseMs: 10_000 });
      await ready(a, b);
      const { id } = await a.caller.task('go', { returnImmediately: true });
      const reader = await b.caller.subscribe(id);
      await reader.until(1);
      await server.down('immediate');
      await server.up();
      a.executor.open('on');
      await reader.all();
      expect([reader.states.at(-1), a.executor.runs.length, b.executor.runs.length]).toEqual(['COMPLETED', 1, 0]);
      expect((await storyOf(truth, refOf(id))).filter((line) => line.startsWith('note'))).toEqual([]);
    } finally {
      for (const close of closing.splice(0).reverse()) await close();
      await server.remove();
    }
  });
});
