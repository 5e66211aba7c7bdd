// Large requests are processed one after another; small ones do not wait for them.
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { listen } from '../src/adapters/node.js';
import { type Agent, createAgent, memoryStore } from '../src/server/index.js';
import type { CommitResult, TaskStore, TaskWrite } from '../src/stores/store.js';
import { type Endpoint, endpointsOf, type FetchPath, fetchAt, fetchInProcess, taskOf, userMessage } from './endpoints.js';

const LARGE = 'x'.repeat(3 * 1024 * 1024);

/** Records the commits that contain a large message, and delays each. */
function slowStore(): { store: TaskStore; most(): number } {
  const store = memoryStore();
  let now = 0;
  let most = 0;
  const isLarge = ({ entries }: TaskWrite): boolean => entries.some(({ json }) => json.length > LARGE.length);
  const commit = async (writes: readonly TaskWrite[]): Promise<readonly CommitResult[]> => {
    const large = writes.filter(isLarge).length;
    now += large;
    most = Math.max(most, now);
    if (large > 0) await pause(50);
    now -= large;
    return store.commit(writes);
  };
  return { store: { ...store, commit }, most: () => most };
}

const agentWith = (store: TaskStore): Agent =>
  createAgent({ name: 'Turns', store, auth: (request) => ({ id: request.header('authorization') ?? '' }), execute: async () => 'done' });

async function serve(agent: Agent): Promise<{ at: FetchPath } & AsyncDisposable> {
  const server = await listen(agent, { port: 0 });
  return { at: fetchAt(server.url), [Symbol.asyncDispose]: () => server.close({ drainMs: 0 }) };
}

const hosts: [string, (agent: Agent) => Promise<{ at: FetchPath } & AsyncDisposable>][] = [
  ['Node', serve],
  ['fetch', async (agent) => ({ at: fetchInProcess(agent), [Symbol.asyncDispose]: () => agent.close({ drainMs: 0 }) })],
];

describe.each(hosts)('F67: large requests on %s', (_name, open) => {
  const send = async (door: Endpoint, text: string, caller: string): Promise<string> =>
    taskOf(await door.call('SendMessage', userMessage(text), { authorization: caller })).status.state;

  test('F67: one after another is stored, also those of different callers, and all are answered', async () => {
    const { store, most } = slowStore();
    await using host = await open(agentWith(store));
    const [rpc, rest] = endpointsOf(host.at);
    const states = await Promise.all([
      send(rpc, LARGE, 'ann'),
      send(rest, LARGE, 'ann'),
      send(rpc, LARGE, 'bob'),
      send(rest, LARGE, 'bob'),
    ]);
    expect(states).toEqual(Array.from({ length: 4 }, () => 'TASK_STATE_COMPLETED'));
    expect(most()).toBe(1);
  });

  test('F67: a small request is answered while large ones wait', async () => {
    const { store } = slowStore();
    await using host = await open(agentWith(store));
    const [, rest] = endpointsOf(host.at);
    const order: string[] = [];
    const note = async (name: string, sent: Promise<unknown>): Promise<void> => {
      await sent;
      order.push(name);
    };
    const large = Array.from({ length: 4 }, (_, n) => note(`large ${n}`, send(rest, LARGE, 'ann')));
    await expect.poll(() => order.length, { interval: 1, timeout: 10_000 }).toBeGreaterThan(0);
    await note('small', send(rest, 'small', 'ann'));
    expect(order.indexOf('small')).toBeLessThan(3);
    await Promise.all(large);
  });

  test('F67: refused large requests leave their turn to the next one', async () => {
    await using host = await open(agentWith(memoryStore()));
    const [rpc, rest] = endpointsOf(host.at);
    const bad = { message: { messageId: 'm', role: 'ROLE_NOBODY', parts: [{ text: LARGE }] } };
    const ask = (path: string, body: string) =>
      host.at(path, { method: 'POST', headers: { 'a2a-version': '1.0', 'content-type': 'application/json' }, body });
    const begin = performance.now();
    for (let n = 0; n < 3; n += 1) {
      expect((await ask('/message:send', JSON.stringify(bad))).status).toBe(400);
      expect((await ask('/message:send', `${LARGE}"`)).status).toBe(400);
      expect((await ask('/', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'NoMethod', params: bad }))).status).toBe(200);
      expect((await ask('/', JSON.stringify({ jsonrpc: '2.0', method: 1, params: bad }))).status).toBe(400);
      expect((await ask('/', `{"a":"${LARGE}`)).status).toBe(400);
    }
    for (const door of [rpc, rest]) expect(await send(door, LARGE, 'ann')).toBe('TASK_STATE_COMPLETED');
    // A turn that is not ended would hold the next one for a second.
    expect(performance.now() - begin).toBeLessThan(15_000);
  });
});
