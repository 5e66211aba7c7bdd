import { describe, expect, test } from 'vitest';
import { listen } from '../src/adapters/node.js';
import { type Agent, type AgentOptions, type Call, createAgent, type TaskEvents } from '../src/server/index.js';
import { userMessage, V1 } from './endpoints.js';
import { altered } from './faults.js';
import { callerOf, gate, say } from './harness.js';
import { follow, quiet, until, untilIdle } from './looking.js';

/** A task that works until its gate opens and publishes a status on request. Counts the reads of the inbox and the calls in flight. */
function busy(options: Partial<AgentOptions> = {}) {
  const [begin, end] = [gate(), gate()];
  const seen = { looks: 0, calls: 0 };
  let speaker: TaskEvents | undefined;
  const store = altered((inner) => ({
    inbox(ref, after) {
      seen.looks += 1;
      return inner.inbox(ref, after);
    },
  }));
  const agent = createAgent({
    name: 'Busy',
    store,
    interceptors: [
      (next) => async (call) => {
        seen.calls += 1;
        return next(call).finally(() => {
          seen.calls -= 1;
        });
      },
    ],
    executor: {
      async execute({ text }, events) {
        if (text === 'late') await begin.passed;
        speaker ??= events;
        await events.working();
        await events.flush();
        await end.passed;
        await events.complete();
      },
    },
    ...options,
  });
  /** The number of inbox reads that one status causes. */
  const looksPerStatus = async (): Promise<number> => {
    await quiet();
    seen.looks = 0;
    await speaker?.working('still at it');
    await speaker?.flush();
    await quiet();
    return seen.looks;
  };
  return { agent, caller: callerOf(agent), begin, end, seen, looksPerStatus };
}

/** A call whose caller can disconnect. */
function leaving(agent: Agent, call: Pick<Call, 'method' | 'params'>) {
  const listeners = new Set<() => void>();
  const onLeave = (callback: () => void) => {
    listeners.add(callback);
    return () => void listeners.delete(callback);
  };
  const outcome = agent.handle({ ...call, caller: { id: '' }, requestId: 'r', extensions: [], onLeave });
  return {
    answer: follow(outcome.catch((error: unknown) => error)),
    listeners,
    leave: () => [...listeners].forEach((callback) => void callback()),
  };
}

describe('P33: callers that wait for a response and disconnect', () => {
  test('P33: a waiting message stays in the inbox, and the server stops checking it', async () => {
    const { agent, caller, end, looksPerStatus } = busy();
    const { id } = await caller.task('go', { returnImmediately: true });
    const callers = Array.from({ length: 5 }, () =>
      leaving(agent, { method: 'SendMessage', params: { message: say('more', { taskId: id }) } }),
    );
    expect(await looksPerStatus(), 'one read per caller').toBe(5);
    for (const { leave } of callers) leave();
    expect(await looksPerStatus()).toBe(0);
    for (const { answer, listeners } of callers) expect([answer.isSettled, listeners.size]).toEqual([true, 0]);
    expect(await agent.settings.store.inbox({ agent: '', tenant: '', owner: '', id }, 0)).toHaveLength(5);
    end.open();
    await untilIdle(agent);
  });

  test.each(['SendMessage', 'CancelTask'] as const)('P33: %s: the wait ends at once and the task continues', async (method) => {
    const { agent, caller, end, seen } = busy({ cancelGraceMs: 60_000 });
    const { id } = await caller.task('go', { returnImmediately: true });
    const params = method === 'SendMessage' ? { message: say('go') } : { id };
    const { answer, leave, listeners } = leaving(agent, { method, params });
    await quiet();
    expect([answer.isSettled, seen.calls, listeners.size]).toEqual([false, 1, 1]);
    leave();
    await answer.outcome;
    expect([seen.calls, listeners.size]).toEqual([0, 0]);
    expect(agent.tasks.running).toHaveLength(method === 'SendMessage' ? 2 : 1);
    end.open();
    await untilIdle(agent);
  });

  test('P33: no disconnect listener is left when the response came first', async () => {
    const { agent, end } = busy();
    const { answer, listeners } = leaving(agent, { method: 'SendMessage', params: { message: say('go') } });
    end.open();
    expect(await answer.outcome).toMatchObject({ kind: 'value' });
    expect(listeners.size).toBe(0);
  });
});

describe('P33: callers over a socket that disconnect', () => {
  const post = (url: string, message: object, signal: AbortSignal) =>
    fetch(url, {
      method: 'POST',
      signal,
      headers: { ...V1, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: message }),
    }).catch(() => {});

  test('P33: a connection that closes ends the wait of its caller', async () => {
    const { agent, caller, end, seen, looksPerStatus } = busy();
    const server = await listen(agent, { port: 0 });
    const { id } = await caller.task('go', { returnImmediately: true });
    const leave = new AbortController();
    const posts = [1, 2, 3, 4].map(() => post(server.url, userMessage('more', { taskId: id }), leave.signal));
    posts.push(post(server.url, userMessage('new'), leave.signal));
    await until(() => seen.calls === 5 && agent.tasks.running.length === 2);
    while ((await looksPerStatus()) < 4) await quiet();
    leave.abort();
    await Promise.all(posts);
    await until(() => seen.calls === 0);
    expect(await looksPerStatus()).toBe(0);
    expect(agent.tasks.running).toHaveLength(2);
    end.open();
    await untilIdle(agent);
    await server.close({ drainMs: 0 });
  });

  test('P33: a caller that disconnects before the Task exists is not waited for once it exists', async () => {
    const { agent, begin, end, seen } = busy();
    const server = await listen(agent, { port: 0 });
    const leave = new AbortController();
    const posted = post(server.url, userMessage('late'), leave.signal);
    await until(() => agent.tasks.running.length === 1);
    leave.abort();
    await posted;
    await quiet();
    const other = await fetch(`${server.url}/.well-known/agent-card.json`); // by then the server has seen the first connection close
    await other.text();
    await quiet();
    begin.open();
    await until(() => seen.calls === 0);
    expect(agent.tasks.running, 'the task runs').toHaveLength(1);
    end.open();
    await untilIdle(agent);
    await server.close({ drainMs: 0 });
  });
});
