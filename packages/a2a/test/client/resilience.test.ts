/** The whole client against a Parley server, with a network between them that fails by script. */
import { describe, expect, test } from 'vitest';
import { fetchHandler } from '../../src/adapters/fetch.js';
import { callWithActivation, createCoolDowns } from '../../src/client/advanced.js';
import { type ClientOptions, createClient, kedaActivation, type LogFields, type Logger, timeouts } from '../../src/client/index.js';
import { createAgent } from '../../src/server/index.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { outcome } from './scripted-send.js';

const RPC_ERROR = (error: object): Response => Response.json({ jsonrpc: '2.0', id: null, error });
const REFUSED = (): never => {
  throw Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) });
};
const BROKEN = (): never => {
  throw Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
};

/** A status, a response instead of the agent, or the agent itself; its response can be lost. */
type Step = number | (() => Response) | 'agent' | 'answer lost';

interface Sent {
  readonly atMs: number;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

function network(steps: readonly Step[], options: ClientOptions = {}) {
  const clock = manualClock();
  const startedAt = clock.now();
  const sent: Sent[] = [];
  const runs: string[] = [];
  const agent = createAgent({
    name: 'echo',
    auth: 'none',
    execute: (context) => {
      runs.push(context.text);
      return Promise.resolve(`you said ${context.text}`);
    },
  });
  const handle = fetchHandler(agent, { anonymousList: 'all' });
  let busy = 0;
  /** The agent uses real time, so the manual clock has to wait for it. */
  const atAgent = async (request: Request) => {
    busy += 1;
    try {
      const answer = await handle(request);
      return { status: answer.status, headers: answer.headers, body: await answer.text() };
    } finally {
      busy -= 1;
    }
  };
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    if (request.method === 'GET' && request.url.endsWith('agent-card.json')) {
      const { status, headers, body } = await atAgent(request);
      return new Response(body, { status, headers });
    }
    const step = steps[Math.min(sent.length, steps.length - 1)] ?? 'agent';
    sent.push({ atMs: clock.now() - startedAt, path: request.url, headers: request.headers, body: await request.clone().text() });
    if (typeof step === 'number') return new Response('<html>', { status: step });
    if (typeof step === 'function') return step();
    const { status, headers, body } = await atAgent(request);
    return step === 'agent' ? new Response(body, { status, headers }) : BROKEN();
  };
  const client = createClient('http://agent.test', { clock, random: () => 1, fetch: fetch as typeof globalThis.fetch, ...options });
  /** Advances the clock until the promise settles. */
  const run = async <T>(promise: Promise<T>) => {
    const result = outcome(promise);
    for (let idle = 0; !result.done() && idle < 10_000; idle = busy > 0 ? 0 : idle + 1) await clock.tick(idle % 8 === 7 ? 50 : 0);
    expect([result.done(), clock.pending]).toEqual([true, 0]);
    return result;
  };
  return { client, clock, fetch, sent, runs, run };
}

const ids = (sent: readonly Sent[]) => sent.map(({ headers }) => [headers.get('x-request-id'), headers.get('idempotency-key')]);

describe.each(['jsonrpc', 'rest'] as const)('%s', (prefer) => {
  test('D33: a send whose response was lost is executed once, because the agent knows its key', async () => {
    const { client, run, runs, sent } = network(['answer lost', 'answer lost', 'agent'], { prefer });
    const { value } = await run(client.send('hi'));
    expect(value).toMatchObject({ kind: 'task', text: 'you said hi' });
    expect([sent.length, runs]).toEqual([3, ['hi']]);
  });

  test('C9: all attempts of one send have the same key, request id and message id', async () => {
    const { client, run, sent } = network([503, REFUSED, 'answer lost', 'agent'], { prefer });
    await run(client.send('hi'));
    expect(sent).toHaveLength(4);
    expect(ids(sent)).toEqual(Array(4).fill(ids(sent)[0]));
    expect(ids(sent)[0]).toEqual([expect.any(String), expect.any(String)]);
    // The bodies differ, because a refused connection fails over to the other binding.
    expect(new Set(sent.map(({ body }) => /"messageId":"[^"]+"/.exec(body)?.[0])).size).toBe(1);
  });

  test('B8: status 429 waits for Retry-After, in seconds and as a date', async () => {
    const date = new Date(manualClock().now() + 9_000).toUTCString();
    const limited = (after: string) => () => new Response('slow down', { status: 429, headers: { 'retry-after': after } });
    const { client, run, sent } = network([limited('2'), limited(date), 'agent'], { prefer });
    const { value } = await run(client.send('hi'));
    expect(value).toMatchObject({ kind: 'task' });
    const [, second = 0, third = 0] = sent.map(({ atMs }) => atMs);
    expect([second, third].map((ms) => Math.floor(ms / 1_000))).toEqual([2, 9]);
  });

  test('B9: GetTask is retried after status 500', async () => {
    const { client, run, sent } = network(['agent', 500, 502, 'agent'], { prefer });
    const { value } = await run(client.send('hi'));
    const taskId = value?.kind === 'task' ? value.taskId : '';
    expect((await run(client.getTask({ id: taskId }))).value).toMatchObject({ id: taskId });
    expect(sent).toHaveLength(4);
  });
});

test('D33: a custom key stands for one message: the same message returns the same task, another message is refused', async () => {
  const { client, run, runs } = network(['agent'], { retry: false });
  const order = { messageId: 'order-1', parts: [{ text: 'cakes' }] };
  const options = { idempotencyKey: 'key-1', contextId: null };
  const first = await run(client.send(order, options));
  expect((await run(client.send(order, options))).value).toMatchObject({ taskId: first.value?.kind === 'task' && first.value.taskId });
  expect((await run(client.send('cakes', options))).error).toMatchObject({ reason: 'IDEMPOTENCY_CONFLICT' });
  expect(runs).toEqual(['cakes']);
});

test('B4: an error with plain data { retryable: false } is not retried', async () => {
  const refused = () => RPC_ERROR({ code: -32603, message: 'Internal error', data: { detail: 'no', retryable: false } });
  const { client, run, sent } = network([refused], { prefer: 'jsonrpc' });
  expect((await run(client.getTask({ id: 't' }))).error).toMatchObject({ reason: 'INTERNAL_ERROR', retryable: false });
  expect(sent).toHaveLength(1);
});

test('B5: an error with plain data { retryable: true, retryAfter } is retried after that time', async () => {
  const busy = () => RPC_ERROR({ code: -32603, message: 'Internal error', data: { retryable: true, retryAfter: 5 } });
  const { client, run, sent } = network([busy, 'agent'], { prefer: 'jsonrpc' });
  expect((await run(client.send('hi'))).value).toMatchObject({ kind: 'task' });
  expect(Math.floor((sent[1]?.atMs ?? 0) / 1_000)).toBe(5);
});

test('B11: a send succeeds after HTTP 503 and a rate limit of the agent', async () => {
  const limited = () => RPC_ERROR({ code: -31004, message: 'slow down' });
  const { client, run, sent } = network([503, limited, 'agent'], { prefer: 'jsonrpc' });
  expect((await run(client.send('hi'))).value).toMatchObject({ kind: 'task', text: 'you said hi' });
  expect(sent).toHaveLength(3);
});

test('B10: when all connections are refused, the call rejects with the last error and its cause', async () => {
  const { client, run, sent } = network([REFUSED]);
  expect((await run(client.send('hi'))).error).toMatchObject({ sent: false, cause: { cause: { code: 'ECONNREFUSED' } } });
  expect(sent.length).toBeGreaterThanOrEqual(4);
});

test('B13: after three failed calls the circuit is open, also for the client from withHeaders()', async () => {
  const { client, run, sent } = network([500], { retry: false });
  for (let i = 0; i < 3; i++) expect((await run(client.getTask({ id: 't' }))).error).toMatchObject({ httpStatus: 500 });
  expect((await run(client.withHeaders({ 'x-a': '1' }).getTask({ id: 't' }))).error).toMatchObject({ name: 'A2ACircuitOpenError' });
  expect(sent).toHaveLength(3);
});

test('A8: the retries of the client do not multiply the attempts of callWithActivation', async () => {
  const { client, run, sent, clock } = network([503], { prefer: 'jsonrpc' });
  const options = { jitter: false, maxColdStartMs: 300, initialDelayMs: 50, tools: { clock } };
  const { error } = await run(callWithActivation(client, { method: 'GetTask', params: { id: 't' } }, options));
  expect(error).toMatchObject({ name: 'A2AActivationTimeoutError', cause: { httpStatus: 503 }, attempts: 4 });
  expect(sent).toHaveLength(4);
});

test('A8: callWithActivation counts its own attempts, and a circuit that they open does not stop them', async () => {
  const { client, run, sent, clock } = network([503, 503, 503, 503, 'agent'], { prefer: 'jsonrpc' });
  const options = { ...kedaActivation({ maxColdStartMs: 30_000 }), tools: { clock } };
  expect((await run(callWithActivation(client, { method: 'ListTasks' }, options))).value).toMatchObject({ tasks: [] });
  expect(sent).toHaveLength(5);
});

test('C19: with activation, an agent that is scaled to zero gets four requests, not sixteen', async () => {
  const { client, run, sent } = network([503], { activation: {} });
  expect((await run(client.send('hi'))).error).toMatchObject({ httpStatus: 503 });
  expect(sent).toHaveLength(4);
});

test('A11: a call that hangs ends after totalMs', async () => {
  const { client, run, sent } = network([() => new Response(new ReadableStream())], { timeouts: { ...timeouts.rpc(), totalMs: 5_000 } });
  const { error } = await run(client.getTask({ id: 't' }));
  expect(error).toMatchObject({ kind: 'timeout', phase: 'total', reason: 'TASK_TIMEOUT' });
  expect(sent).toHaveLength(1);
});

test('A14: a stream without a first byte ends with its own timeout error', async () => {
  const silent = () => new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } });
  const { client, run } = network([silent], { timeouts: timeouts.streaming() });
  const read = async () => {
    for await (const _ of client.subscribeToTask({ id: 't' }));
  };
  expect((await run(read())).error).toMatchObject({ kind: 'timeout', phase: 'firstByte', sent: true });
});

test('B8: two clients with shared coolDowns wait together', async () => {
  const limited = () => new Response('', { status: 429, headers: { 'retry-after': '5' } });
  const { client, run, sent, fetch, clock } = network([limited, 'agent'], { retry: false });
  const coolDowns = createCoolDowns({}, { clock, random: () => 0 });
  const make = () => createClient('http://agent.test', { clock, fetch: fetch as typeof globalThis.fetch, retry: false, coolDowns });
  await client.close();
  expect((await run(make().getTask({ id: 't' }))).error).toMatchObject({ reason: 'RATE_LIMITED' });
  await run(make().send('hi'));
  expect(sent.map(({ atMs }) => Math.floor(atMs / 1_000))).toEqual([0, 5]);
});

test('D32: log lines contain the request id that the server received, and nothing of the message', async () => {
  const lines: { readonly fields: LogFields; readonly text: string }[] = [];
  const line = (fields: LogFields, text: string): void => void lines.push({ fields, text });
  const logger: Logger = { debug: line, info: line, warn: line, error: line };
  const { client, run, sent } = network([503, 'agent'], { logger, headers: { authorization: 'Bearer hunter2' } });
  await run(client.send('hunter2'));
  const requestId = sent[0]?.headers.get('x-request-id');
  const agent = 'http://agent.test/.well-known/agent-card.json';
  expect(lines).toMatchObject([
    { fields: { agent, method: 'GetAgentCard' }, text: 'call succeeded' },
    {
      fields: { agent, requestId, method: 'SendMessage', attempt: 1, reason: 'AGENT_UNAVAILABLE' },
      text: 'call failed; retrying',
    },
    { fields: { agent, requestId, method: 'SendMessage', attempt: 2, ms: expect.any(Number) }, text: 'call succeeded' },
  ]);
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});
