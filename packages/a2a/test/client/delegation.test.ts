/** Agents that call agents, and coordinators that call several agents: real clients and agents in one process, without ports. */
import { describe, expect, test } from 'vitest';
import { createCoordinator } from '../../src/client/coordinator/create-coordinator.js';
import { waitForFirst, waitForQuorum } from '../../src/client/coordinator/join.js';
import { createClient } from '../../src/client/create-client.js';
import type { ClientOptions } from '../../src/client/options.js';
import { type Agent, createAgent, type Execute, type RequestContext } from '../../src/server/index.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { createTestFetch } from '../../src/testing/test-fetch.js';
import { callerOf, gate, say } from '../harness.js';
import { until } from '../looking.js';
import { settle } from './scripted-team.js';

/** A network of agents by host name; an unknown host refuses the connection. `requests` lists all requests in order. */
function network(agents: Readonly<Record<string, Agent>>) {
  const requests: string[] = [];
  const doors = Object.entries(agents).map(([host, agent]) => [host, createTestFetch(agent, { url: `http://${host}` })] as const);
  const find: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { hostname } = new URL(request.url);
    requests.push(`${request.method} ${hostname}`);
    const door = doors.find(([host]) => host === hostname)?.[1];
    if (door === undefined) throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
    return door(request);
  };
  return { requests, options: { fetch: find } satisfies ClientOptions };
}

/** An agent that works until its signal aborts, and notes both. */
function worker(notes: string[], name: string): Agent {
  return createAgent({
    name,
    execute: async (context, events) => {
      await events.working();
      notes.push(`${name} works`);
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve, { once: true }));
      notes.push(`${name} stops`);
      context.signal.throwIfAborted();
    },
  });
}

describe('an agent that calls another agent', () => {
  test('D23: canceling the parent task cancels the child task that it started', async () => {
    const notes: string[] = [];
    const { options } = network({ 'child.test': worker(notes, 'child') });
    const child = createClient('http://child.test', options);
    const parent = createAgent({
      name: 'Parent',
      execute: async ({ scope }, events) => {
        await events.working();
        return (await child.run('work', { scope }).result).text;
      },
    });
    const caller = callerOf(parent);
    const { id } = await caller.task(say('go'), { returnImmediately: true });
    await until(() => notes.includes('child works'));
    expect((await caller.cancel(id)).status.state).toBe('TASK_STATE_CANCELED');
    await until(() => notes.includes('child stops'));
    const states: string[] = [];
    while (states.at(-1) !== 'TASK_STATE_CANCELED') for await (const { status } of child.tasks()) states.push(status.state);
  });

  test('D23: the depth of the child is one more, and the child knows the root task', async () => {
    const seen: unknown[] = [];
    const leaf = createAgent({ name: 'Leaf', execute: ({ scope }) => void seen.push([scope.depth, scope.rootTaskId]) });
    const net = network({ 'leaf.test': leaf });
    const middle = createAgent({ name: 'Middle', execute: via('http://leaf.test', net.options) });
    const top = createAgent({ name: 'Top', execute: via('http://middle.test', network({ 'middle.test': middle }).options) });
    const { id } = await callerOf(top).task('go');
    expect(seen).toEqual([[2, id]]);
  });

  const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

  test.each(['jsonrpc', 'rest'] as const)(
    'D23: the trace of a call is passed through the agent to the next one, over %s',
    async (prefer) => {
      const traces: (string | undefined)[] = [];
      const note = ({ scope }: RequestContext) => {
        traces.push(scope.trace);
        return 'noted';
      };
      const inner = network({ 'child.test': createAgent({ name: 'Child', execute: note }) });
      const child = createClient('http://child.test', { ...inner.options, prefer });
      const parent = createAgent({
        name: 'Parent',
        execute: async (context) => {
          note(context);
          await child.send('on', { scope: context.scope, contextId: null });
          return (await child.run('on', { scope: context.scope, contextId: null }).result).text;
        },
      });
      const options = { ...network({ 'parent.test': parent }).options, prefer };
      const call = async (trace: string | undefined) => {
        const client = createClient('http://parent.test', { ...options, trace: () => trace });
        await client.send('go');
        await client.run('go').result;
        return traces.splice(0);
      };
      expect(await call(TRACE)).toEqual(Array(6).fill(TRACE));
      const odd = ['', 'x', TRACE.toUpperCase(), `${TRACE}-more`, TRACE.replace('00-', 'ff-'), `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`];
      for (const bad of [undefined, ...odd]) expect(await call(bad), bad).toEqual(Array(6).fill(undefined));
    },
  );

  test('D23: a forwarded message still increases the depth by one', async () => {
    const seen: number[] = [];
    const leaf = createAgent({ name: 'Leaf', execute: ({ scope }) => void seen.push(scope.depth) });
    const client = createClient('http://leaf.test', network({ 'leaf.test': leaf }).options);
    const passOn = async ({ scope, message }: RequestContext): Promise<string> => {
      const { taskId: _own, contextId: _ours, ...rest } = message ?? {};
      return (await client.run(rest, { scope }).result).text;
    };
    const metadata = { 'urn:parley:a2a:delegation:v1': { depth: 4 }, mine: 1 };
    await callerOf(createAgent({ name: 'Middle', execute: passOn })).task(say('go', { metadata }));
    expect(seen).toEqual([5]);
  });

  test('D23: a cycle ends at the depth limit: the ninth agent below the first one receives no request', async () => {
    const depths: number[] = [];
    const net: { options: ClientOptions; requests: string[] } = { options: {}, requests: [] };
    const loop = createAgent({
      name: 'Loop',
      taskAfterMs: Number.POSITIVE_INFINITY,
      execute: async (context) => {
        depths.push(context.scope.depth);
        return (await createClient('http://loop.test', net.options).run('on', { scope: context.scope }).result).text;
      },
    });
    Object.assign(net, network({ 'loop.test': loop }));
    await expect(callerOf(loop).task('go')).rejects.toMatchObject({ name: 'A2AError' });
    expect(depths).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(net.requests.filter((request) => request === 'POST loop.test')).toHaveLength(8);
  });
});

const via =
  (url: string, options: ClientOptions): Execute =>
  async ({ scope }) =>
    (await createClient(url, options).run('on', { scope }).result).text;

describe('a coordinator with real clients', () => {
  test('B17: with cancelLosers: false the other tasks continue, and their questions are not asked here', async () => {
    const [decided, over] = [gate(), gate()];
    const slow = createAgent({
      name: 'slow',
      execute: async (context, events) => {
        await events.working();
        await decided.passed;
        await events.artifact({ artifactId: 'a', parts: [{ text: 'more' }] });
        over.open();
        await context.requireInput('and now?');
      },
    });
    const { options, requests } = network({ 'fast.test': createAgent({ name: 'fast', execute: () => 'mine' }), 'slow.test': slow });
    const coordinator = createCoordinator({ agents: { fast: 'http://fast.test', slow: 'http://slow.test' }, client: options });
    const asked: string[] = [];
    const onInputRequired = (prompt: string): string => {
      asked.push(prompt);
      return 'this';
    };
    const { done } = await coordinator.fanOut(['fast', 'slow'], 'hi', { join: waitForFirst(), cancelLosers: false, onInputRequired });
    expect(done.map(({ agent }) => agent)).toEqual(['fast']);
    const sent = requests.length;
    decided.open();
    await over.passed;
    const states: string[] = [];
    const look = createClient('http://slow.test', options);
    while (states.at(-1) !== 'TASK_STATE_INPUT_REQUIRED') for await (const { status } of look.tasks()) states.push(status.state);
    await settle();
    expect(asked).toEqual([]);
    expect(requests.slice(sent).filter((request) => request === 'POST slow.test')).toHaveLength(states.length);
    await coordinator.close();
  });

  test('B16: the clients use their own clock option, and the coordinator uses it too unless it has its own', async () => {
    const { options } = network({ 'child.test': worker([], 'child') });
    const clock = manualClock();
    const coordinator = createCoordinator({ agents: { child: 'http://child.test' }, client: { ...options, clock } });
    const late = coordinator.delegate('child', 'hi', { timeoutMs: 1_000 });
    await until(() => clock.pending > 1);
    await clock.tick(1_000);
    expect(await late).toMatchObject({ kind: 'failed', error: { message: 'no reply within 1000 ms' } });
    const own = manualClock();
    const other = createCoordinator({ agents: { gone: 'http://gone.test' }, client: { ...options, clock }, clock: own });
    const failed = other.delegate('gone', 'hi');
    await until(() => clock.pending > 0);
    expect(own.pending).toBe(0);
    await clock.tick(1_000);
    expect(await failed).toMatchObject({ kind: 'failed' });
  });

  test('B16: an unreachable agent gets two attempts per delegation; after three failed delegations it is skipped without a request', async () => {
    const { options, requests } = network({});
    const clock = manualClock();
    const coordinator = createCoordinator({ agents: { gone: 'http://gone.test' }, client: options, clock });
    const errand = async () => {
      const before = requests.length;
      const outcome = coordinator.delegate('gone', 'hi');
      for (let turn = 0; turn < 50; turn += 1) await clock.tick(100);
      return [(await outcome).kind, requests.length - before];
    };
    expect([await errand(), await errand(), await errand(), await errand()]).toEqual([
      ['failed', 2],
      ['failed', 2],
      ['failed', 2],
      ['skipped', 0],
    ]);
    expect(coordinator.health().gone).toMatchObject({ url: 'http://gone.test', healthy: false, consecutiveFailures: 3 });
    await coordinator.close();
  });

  test('B17: when one of three agents answers, the result contains each outcome', async () => {
    const well = createAgent({ name: 'Well', execute: ({ text }) => `${text}!` });
    const ill = createAgent({
      name: 'Ill',
      execute: async (_context, events) => {
        await events.working();
        throw new Error('secret');
      },
    });
    const { options } = network({ 'well.test': well, 'ill.test': ill });
    const agents = { ill: 'http://ill.test', well: 'http://well.test', gone: 'http://gone.test' };
    await using coordinator = createCoordinator({ agents, client: options, retry: false });
    const { outcomes, done } = await coordinator.fanOut(['ill', 'well', 'gone'], 'hi');
    expect(outcomes.map(({ agent, kind }) => `${agent} ${kind}`)).toEqual(['ill failed', 'well done', 'gone failed']);
    expect(done[0]?.reply.text).toBe('hi!');
    await expect(coordinator.fanOut(['ill', 'gone'], 'hi')).rejects.toThrow('0 of 2 agents replied, 1 needed: 2 failed, 0 skipped');
  });

  test('B17: first() cancels the tasks of the slower agents', async () => {
    const notes: string[] = [];
    const go = gate();
    const quick = createAgent({
      name: 'Quick',
      execute: async () => {
        await go.passed;
        return 'mine';
      },
    });
    const { options } = network({ 'a.test': worker(notes, 'a'), 'b.test': worker(notes, 'b'), 'quick.test': quick });
    const agents = { a: 'http://a.test', b: 'http://b.test', quick: 'http://quick.test' };
    await using coordinator = createCoordinator({ agents, client: options });
    const result = coordinator.fanOut(['a', 'b', 'quick'], 'hi', { join: waitForFirst() });
    await until(() => notes.length === 2);
    go.open();
    expect((await result).outcomes.map(({ kind }) => kind)).toEqual(['skipped', 'skipped', 'done']);
    await until(() => notes.length === 4);
    expect(notes.slice(2).sort()).toEqual(['a stops', 'b stops']);
  });

  test('B25: each agent gets its own message, and quorum(2) needs two answers', async () => {
    const echo = (name: string): Agent => createAgent({ name, execute: ({ text }) => `${name}: ${text}` });
    const { options } = network({ 'a.test': echo('a'), 'b.test': echo('b') });
    await using coordinator = createCoordinator({ agents: { a: 'http://a.test', b: 'http://b.test' }, client: options });
    const targets = [
      { agent: 'a', message: 'one' },
      { agent: 'b', message: 'two' },
    ] as const;
    const { done } = await coordinator.fanOut(targets, { join: waitForQuorum(2) });
    expect(done.map(({ reply }) => reply.text)).toEqual(['a: one', 'b: two']);
  });
});
