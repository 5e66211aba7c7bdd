/** F66, F67 on the wire: status codes and headers of both bindings, the address of an anonymous caller, and what our client does. */
import { describe, expect, test } from 'vitest';
import { listen } from '../src/adapters/node.js';
import { createClient } from '../src/client/index.js';
import { type AgentOptions, createAgent } from '../src/server/index.js';
import { manualClock, scriptedExecutor } from '../src/testing/index.js';
import { endpointsOf, fetchAt, fetchInProcess, type Headings, type Stream, userMessage, V1 } from './endpoints.js';
import { follow, until, untilIdle } from './looking.js';

const STEPS = [{ do: 'working' }, { do: 'gate', name: 'end' }, { do: 'complete' }] as const;
const as = (id: string): Headings => ({ 'x-caller': id });
const now = (text: string) => ({ ...userMessage(text), configuration: { returnImmediately: true } });

function agentOf(options: Partial<AgentOptions>) {
  const executor = scriptedExecutor([...STEPS]);
  const agent = createAgent({ name: 'Fair', auth: ({ header }) => ({ id: header('x-caller') ?? '' }), ...options, executor });
  return { agent, executor };
}

const ON_THE_WIRE = { RATE_LIMITED: { status: 429, code: -31004 }, AGENT_UNAVAILABLE: { status: 503, code: -31005 } } as const;

describe('F66, F67: on both bindings', () => {
  test('F66: beyond its share a caller gets RATE_LIMITED, beyond the total AGENT_UNAVAILABLE, both with Retry-After', async () => {
    for (const n of [0, 1] as const) {
      const { agent, executor } = agentOf({ maxRunningTasks: 2, maxRunningTasksPerCaller: 1 });
      const endpoint = endpointsOf(fetchInProcess(agent))[n];
      const send = (id: string) => endpoint.call('SendMessage', now('go'), as(id));
      expect((await send('ann')).error).toBeUndefined();
      const limited = await send('ann');
      expect((await send('bob')).error).toBeUndefined();
      const isRest = endpoint.name === 'HTTP+JSON';
      for (const [reason, answer] of Object.entries({ RATE_LIMITED: limited, AGENT_UNAVAILABLE: await send('cid') })) {
        const { status, code } = ON_THE_WIRE[reason as keyof typeof ON_THE_WIRE];
        expect(answer.error).toMatchObject({ reason, code: isRest ? status : code });
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([isRest ? status : 200, '1']);
      }
      executor.open('end');
      await untilIdle(agent);
    }
  });

  test('F67: an anonymous caller is counted by its address, and by that of the client behind a trusted proxy', async () => {
    const { agent, executor } = agentOf({ auth: 'none', maxReadersPerCaller: 2, maxReaders: 5 });
    await using server = await served(agent, { trustProxy: true });
    const [rpc, rest] = endpointsOf(fetchAt(server.url));
    const started = await rpc.call('SendMessage', now('go'));
    const id = (started.result as { task?: { id: string } }).task?.id ?? '';
    const streams: Stream[] = [];
    const open = async (endpoint = rpc, headers: Headings = {}) => streams.push(await endpoint.stream('SubscribeToTask', { id }, headers));
    const refused = (headers: Headings = {}) => fetch(`${server.url}/tasks/${id}:subscribe`, { headers: { ...V1, ...headers } });
    await open();
    await open(rest);
    const third = await refused();
    expect([third.status, third.headers.get('retry-after'), await third.json()]).toMatchObject([
      429,
      '1',
      { error: { status: 'RESOURCE_EXHAUSTED' } },
    ]);
    const from = (client: string): Headings => ({ 'x-forwarded-for': `203.0.113.1, ${client}` });
    for (const _ of [1, 2]) await open(rest, from('192.0.2.1'));
    expect((await refused(from('192.0.2.1'))).status).toBe(429);
    await open(rest, from('192.0.2.2'));
    expect((await refused(from('192.0.2.3'))).status, 'the total').toBe(503);
    await streams[0]?.cancel();
    for (let status = 503; status !== 200; ) {
      const again = await refused(from('192.0.2.3'));
      status = again.status;
      await again.body?.cancel();
    }
    for (const stream of streams) await stream.cancel();
    executor.open('end');
    await untilIdle(agent);
  });

  test('F66: our client tries again after the time that the server names, and not before', async () => {
    const { agent, executor } = agentOf({ maxRunningTasksPerCaller: 1 });
    const knock = fetchInProcess(agent);
    const [rpc] = endpointsOf(knock);
    expect((await rpc.call('SendMessage', now('go'), as('ann'))).error).toBeUndefined();
    const clock = manualClock();
    let sent = 0;
    let refused = 0;
    const client = createClient('http://agent.test', {
      clock,
      headers: as('ann'),
      async fetch(input, init) {
        if (init?.method === 'POST') sent += 1;
        const { pathname } = new URL(input instanceof Request ? input.url : input);
        const response = await knock(pathname, init);
        if (response.headers.has('retry-after')) refused += 1;
        return response;
      },
    });
    const run = follow(client.run('go').result);
    await until(() => refused === 1);
    await clock.tick(999);
    expect([sent, refused]).toEqual([1, 1]);
    executor.open('end');
    await untilIdle(agent);
    while (sent === 1) await clock.tick(100);
    expect(await run.outcome).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
    expect(refused).toBe(1);
  });
});

async function served(agent: ReturnType<typeof agentOf>['agent'], options: Parameters<typeof listen>[1]) {
  const listening = await listen(agent, { port: 0, ...options });
  return { url: listening.url.replace(/\/$/, ''), [Symbol.asyncDispose]: () => listening.close({ drainMs: 0 }) };
}
