// The errors of a client, and the errors of an agent that calls other agents with this client.
import { describe, expect, test } from 'vitest';
import { fetchExchange, jsonRpc, rest } from '../../src/client/advanced.js';
import { type Client, type ClientOptions, createClient } from '../../src/client/index.js';
import { A2AError, A2ATransportError } from '../../src/index.js';
import type { Agent } from '../../src/server/agent.js';
import { createAgent, type Execute } from '../../src/server/index.js';
import { createTestFetch } from '../../src/testing/index.js';

type Prefer = 'jsonrpc' | 'rest';
const BINDINGS: readonly Prefer[] = ['jsonrpc', 'rest'];

function clientOver(fetch: typeof globalThis.fetch, options: ClientOptions = {}): Client {
  const once = { retry: false, activation: false, breaker: false } as const;
  return createClient('http://test', { exchange: fetchExchange({ fetch }), transports: [jsonRpc(), rest()], ...once, ...options });
}

const agentThat = (name: string, execute: Execute): Agent => createAgent({ name, execute, taskAfterMs: Number.POSITIVE_INFINITY });
const echo = agentThat('Echo', async ({ text }) => text);

/** Serves the card of a real agent, and this response for every POST. */
function answering(reply: () => Response | Promise<Response>): typeof globalThis.fetch {
  const real = createTestFetch(echo);
  return async (input, init) => (init?.method === 'POST' ? reply() : real(input, init));
}

async function errorOf(call: Promise<unknown>): Promise<A2AError> {
  const error = await call.then(
    (value) => expect.fail(`expected a rejection, got ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof A2AError)) throw error;
  return error;
}

const refused = (): never => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) });
};

describe.each(BINDINGS)('over %s', (prefer) => {
  test('A22: network: the agent cannot be reached', async () => {
    const error = await errorOf(clientOver(answering(refused), { prefer }).send('hi'));
    expect(error).toBeInstanceOf(A2ATransportError);
    expect(error).toMatchObject({ kind: 'network', reason: 'AGENT_UNAVAILABLE', retryable: true, sent: false, peer: 'Echo' });
  });

  test('A22: serialization: the response is not JSON', async () => {
    const garbage = () => new Response('{"jsonrpc": ', { headers: { 'content-type': 'application/json' } });
    const error = await errorOf(clientOver(answering(garbage), { prefer }).send('hi'));
    expect(error).toBeInstanceOf(A2ATransportError);
    expect(error).toMatchObject({ kind: 'serialization', reason: 'INVALID_AGENT_RESPONSE', retryable: false });
  });

  test('A22: rpc: the agent returns an error', async () => {
    const error = await errorOf(clientOver(createTestFetch(echo), { prefer }).getTask({ id: 'missing' }));
    expect(error).toMatchObject({
      kind: 'rpc',
      name: 'A2AError',
      reason: 'TASK_NOT_FOUND',
      code: -32001,
      status: 'NOT_FOUND',
      httpStatus: 404,
    });
    expect(error.peer).toBe('Echo');
  });

  test('A22: validation: an invalid message is not sent', async () => {
    const fetch = createTestFetch(echo);
    const error = await errorOf(clientOver(fetch, { prefer }).send([]));
    expect(error).toMatchObject({ kind: 'validation', reason: 'INVALID_PARAMS' });
    expect(fetch.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  test.each([
    ['HTML', '<html><body>Bad Gateway</body></html>', 502, { reason: 'AGENT_UNAVAILABLE', retryable: true, details: [] }],
    ['nothing', '', 404, { reason: 'METHOD_NOT_FOUND', retryable: false, details: [] }],
    ['text', 'slow down', 429, { reason: 'RATE_LIMITED', retryable: true, retryAfterMs: 7000 }],
    [
      'JSON',
      '{"error":{"code":403,"status":"PERMISSION_DENIED","message":"not you"}}',
      403,
      { reason: 'INSUFFICIENT_SCOPE', message: 'not you' },
    ],
  ] as const)('U10: a response with %s instead of an A2A answer', async (_, body, status, expected) => {
    const fetch = answering(() => new Response(body, { status, headers: { 'retry-after': '7' } }));
    expect(await errorOf(clientOver(fetch, { prefer }).send('hi'))).toMatchObject({ ...expected, httpStatus: status, peer: 'Echo' });
  });

  const busy = agentThat('C', async () => {
    throw new A2AError('RATE_LIMITED', 'C is busy', { retryAfterMs: 3000 });
  });

  test('B18: a chain of three agents reports every hop and the delay before a retry', async () => {
    const b = agentThat('B', async ({ text }) => (await clientOver(createTestFetch(busy), { prefer }).send(text)).text);
    const a = agentThat('A', async ({ text }) => (await clientOver(createTestFetch(b), { prefer }).send(text)).text);
    const error = await errorOf(clientOver(createTestFetch(a), { prefer }).send('hi'));
    expect(error).toMatchObject({ message: "Downstream agent 'B' failed", peer: 'A', retryable: true, retryAfterMs: 3000 });
    expect(
      error.chain.map(({ currentAgent, downstreamAgent, downstreamError }) => [currentAgent, downstreamAgent, downstreamError.reason]),
    ).toEqual([
      ['A', 'B', 'INTERNAL_ERROR'],
      ['B', 'C', 'RATE_LIMITED'],
    ]);
  });

  test('B18: an agent that cannot reach its own callee names the callee', async () => {
    const b = agentThat('B', async ({ text }) => (await clientOver(answering(refused), { prefer }).send(text)).text);
    const error = await errorOf(clientOver(createTestFetch(b), { prefer }).send('hi'));
    expect(error.chain).toEqual([
      {
        currentAgent: 'B',
        downstreamAgent: 'Echo',
        downstreamError: { code: -31005, reason: 'AGENT_UNAVAILABLE', message: 'The agent could not be reached' },
        retryable: true,
      },
    ]);
  });
});

test('C1, F50: the error codes of the plain dialect are read from errors whose data is an object with `retryable`', async () => {
  const old = answering(() =>
    Response.json({ jsonrpc: '2.0', id: null, error: { code: -32004, message: 'slow', data: { retryable: true, retryAfter: 2 } } }),
  );
  expect(await errorOf(clientOver(old).send('hi'))).toMatchObject({
    reason: 'RATE_LIMITED',
    code: -32004,
    retryAfterMs: 2000,
  });
  const current = answering(() =>
    Response.json({ jsonrpc: '2.0', id: null, error: { code: -32004, message: 'no', data: { detail: 'x' } } }),
  );
  expect(await errorOf(clientOver(current).send('hi'))).toMatchObject({ reason: 'UNSUPPORTED_OPERATION', code: -32004 });
});
