// Both transports against a Parley server in this process.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { fetchHandler } from '../../src/adapters/fetch.js';
import type { ClientInterceptor, EventStream } from '../../src/client/call.js';
import { createClient } from '../../src/client/create-client.js';
import { pooled } from '../../src/client/node/pooled.js';
import type { ClientOptions } from '../../src/client/options.js';
import { fetchExchange } from '../../src/client/transports/fetch-exchange.js';
import { jsonRpc } from '../../src/client/transports/jsonrpc.js';
import { rest } from '../../src/client/transports/rest.js';
import type { A2AError } from '../../src/protocol/errors.js';
import { createAgent } from '../../src/server/index.js';
import { say } from '../harness.js';
import { BASE, eventsOf, interfaceAt, LOG_PEER, rejection, resultOf, send } from './peer-calls.js';
import { at, cardWith } from './scripted-agent.js';

function serve(options: Partial<Parameters<typeof createAgent>[0]> = {}) {
  const agent = createAgent({
    name: 'echo',
    auth: 'none',
    execute: async (context, events) => {
      await events.appendText('answer', 'one ');
      await events.appendText('answer', context.text, { last: true });
    },
    ...options,
  });
  const handle = fetchHandler(agent, { anonymousList: 'all' });
  const requests: Request[] = [];
  const exchange = fetchExchange({
    fetch: (url, init) => {
      const request = new Request(url as string, init);
      requests.push(request.clone());
      return handle(request);
    },
  });
  return { agent, exchange, requests };
}

describe.each([
  ['JSON-RPC', jsonRpc],
  ['HTTP+JSON', rest],
])('%s', (_name, makeTransport) => {
  const transport = makeTransport();

  test('sends, gets, lists and cancels', async () => {
    const { exchange } = serve();
    const { task } = await resultOf(transport, exchange, { method: 'SendMessage', params: { message: say('two') } });
    expect(task?.status.state).toBe('TASK_STATE_COMPLETED');
    const id = task?.id ?? '';
    expect((await resultOf(transport, exchange, { method: 'GetTask', params: { id, historyLength: 0 } })).id).toBe(id);
    const list = await resultOf(transport, exchange, { method: 'ListTasks', params: { status: 'TASK_STATE_COMPLETED', pageSize: 5 } });
    expect(list.tasks.map((one) => one.id)).toEqual([id]);
    const error = await rejection(resultOf(transport, exchange, { method: 'CancelTask', params: { id } }));
    expect(error).toMatchObject({ reason: 'TASK_NOT_CANCELABLE', code: -32002 });
  });

  test('streams events with their seq', async () => {
    const { exchange } = serve();
    const events = await eventsOf(transport, exchange, {
      method: 'SendStreamingMessage',
      params: { message: say('two') },
      call: { peer: LOG_PEER },
    });
    const text = events.flatMap(({ response }) => response.artifactUpdate?.artifact.parts.map((part) => part.text) ?? []).join('');
    expect(text).toBe('one two');
    expect(events.every(({ seq }) => typeof seq === 'number')).toBe(true);
    expect(events.at(-1)?.response.statusUpdate?.status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('a stream that fails rejects with the error of the server', async () => {
    const { exchange } = serve();
    const error = await rejection(send(transport, exchange, { method: 'SubscribeToTask', params: { id: 'nothing' } }));
    expect(error).toMatchObject({ reason: 'TASK_NOT_FOUND' });
  });

  test('fetches the card, and then revalidates it', async () => {
    const { exchange } = serve();
    const url = `${BASE}/.well-known/agent-card.json`;
    const first = await resultOf(transport, exchange, { method: 'GetAgentCard', params: { url } });
    expect(first.card?.name).toBe('echo');
    expect(first.maxAgeMs).toBe(300_000);
    const second = await resultOf(transport, exchange, { method: 'GetAgentCard', params: { url, etag: first.etag } });
    expect(second.card).toBeUndefined();
    expect(second.etag).toBe(first.etag);
  });

  test('a refused request rejects with the error of the server', async () => {
    const { exchange } = serve();
    const error = await rejection(
      resultOf(transport, exchange, { method: 'GetTask', params: { id: 'nothing' }, at: interfaceAt(`${BASE}/`) }),
    );
    expect(error).toMatchObject({ reason: 'TASK_NOT_FOUND', peer: 'agent' });
  });
});

test('a stream that ended with its last event returns its connection to the pool', async () => {
  let connections = 0;
  const update = { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } };
  const server = createServer((_, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    outgoing.end(`data: ${JSON.stringify(update)}\n\n`);
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = interfaceAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const pool = pooled();
  for (let count = 0; count < 3; count++) {
    expect(await eventsOf(rest(), pool, { method: 'SubscribeToTask', params: { id: 't' }, at })).toHaveLength(1);
    await nextTurn();
  }
  expect(connections).toBe(1);
  await pool.close();
  await new Promise((resolve) => server.close(resolve));
});

describe('U12: invalid events and the skipBadFrames option', () => {
  const status = (state: string) => `data: ${JSON.stringify({ statusUpdate: { taskId: 't', contextId: 'c', status: { state } } })}\n\n`;
  const body = `${status('TASK_STATE_WORKING')}data: {"broken\n\n${status('TASK_STATE_COMPLETED')}`;
  const headers = { 'content-type': 'text/event-stream' };
  const card = cardWith({ supportedInterfaces: [at('HTTP+JSON', 'http://agent.test/')], capabilities: { streaming: true } });

  async function watched(options: ClientOptions) {
    const seen: EventStream[] = [];
    const keep: ClientInterceptor = (next) => async (call) => {
      const reply = await next(call);
      if (reply.kind === 'stream') seen.push(reply.events);
      return reply;
    };
    const client = createClient(card, {
      fetch: async () => new Response(body, { headers }),
      interceptors: [keep],
      retry: false,
      ...options,
    });
    const states: (string | undefined)[] = [];
    try {
      for await (const { statusUpdate } of client.subscribeToTask({ id: 't' })) states.push(statusUpdate?.status.state);
    } catch (error) {
      states.push((error as A2AError).name);
    }
    return { states, skipped: seen[0]?.skipped };
  }

  test('U12: they end the stream unless skipBadFrames is set', async () => {
    expect(await watched({})).toEqual({ states: ['TASK_STATE_WORKING', 'A2ATransportError'], skipped: undefined });
  });

  test('U12: with skipBadFrames they are skipped, and interceptors see their number, whatever wraps the stream', async () => {
    const skipped = { count: 1, first: 'The response to SubscribeToTask is not JSON: {"broken' };
    for (const more of [{}, { activation: {} }]) {
      expect(await watched({ skipBadFrames: true, ...more })).toEqual({ states: ['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED'], skipped });
    }
  });
});
