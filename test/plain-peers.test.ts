// The client and the server of `peers/plain` against each other: only then do the tests with Parley say something about Parley.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PlainClient, type PlainServer, startPlainClient, startPlainServer } from './peers/plain-peers.js';

let client: PlainClient;
let server: PlainServer;

beforeAll(async () => {
  client = startPlainClient();
  server = await startPlainServer('writer');
}, 180_000);
afterAll(() => Promise.all([client?.stop(), server?.stop()]));

/** No server listens on this port. */
const CLOSED = 'http://127.0.0.1:1/';
const QUICK = { maxRetries: 2, baseDelay: 0.03, maxDelay: 0.2 };

test('the client sends a message without ids, and the server answers with a task without kinds', async () => {
  const { response, attempts } = await client.run({ url: server.url, text: 'echo hello' });
  expect(response).toMatchObject({ jsonrpc: '2.0', result: { status: { state: 'completed' } } });
  expect(response?.result.artifacts).toEqual([{ name: 'answer', parts: [{ type: 'text', text: 'hello' }] }]);
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['result']);
  expect((await server.calls('echo hello')).message).toEqual({ role: 'user', parts: [{ type: 'text', text: 'echo hello' }] });
});

test('the client waits as long as the agent asks, after a busy answer and after the status 429', async () => {
  for (const [text, outcome] of [
    ['busy 2 0.06', -32004],
    ['429 2 0.06', '429'],
  ] as const) {
    const { response, attempts } = await client.run({ url: server.url, text, retry: { ...QUICK, baseDelay: 9 } });
    expect(response?.result.status.state).toBe('completed');
    expect(attempts.map((attempt) => attempt.outcome)).toEqual([outcome, outcome, 'result']);
    expect(gaps((await server.calls(text)).at).every((gap) => gap >= 0.06)).toBe(true);
  }
});

test('the client doubles its delay up to a limit when there is no hint, and reports the last error', async () => {
  const { error, attempts } = await client.run({ url: server.url, text: 'unavailable', retry: { ...QUICK, maxDelay: 0.04 } });
  expect(error).toMatchObject({ code: -32005, data: { retryable: true } });
  expect(attempts.map(({ delay }) => delay)).toEqual([0.03, 0.04, undefined]);
  const page = await client.run({ url: server.url, text: 'html 502', retry: QUICK });
  expect([page.failure?.kind, page.attempts.length]).toEqual(['http', 3]);
});

test('the client never repeats a call that cannot succeed', async () => {
  for (const text of ['auth', 'no task', 'scope', 'too large', 'no skill']) {
    const { error, attempts } = await client.run({ url: server.url, text, retry: QUICK });
    expect([text, error?.data.retryable, attempts.length]).toEqual([text, false, 1]);
  }
});

test('the client reports which of its three limits was exceeded', async () => {
  const limited = async (url: string, text: string, limits: object) =>
    (await client.run({ do: 'limited', url, text, limits })).response?.error;
  expect(await limited(server.deafUrl, 'x', { connect: 0.05 })).toMatchObject({ code: -32005, data: { timeout: 0.05 } });
  expect(await limited(server.url, 'hang', { read: 0.06 })).toMatchObject({ code: -32006, data: { timeout: 0.06 } });
  expect(await limited(server.url, 'trickle', { read: 9, total: 0.2 })).toMatchObject({ code: -32006, data: { timeout: 0.2 } });
});

test('the coordinator goes on without an agent that fails, and calls it again after a pause', async () => {
  const fine = { urls: [server.url, CLOSED], texts: ['echo one', 'two'] };
  const { rounds, health } = await client.run({
    do: 'fanOut',
    retry: { maxRetries: 0 },
    circuit: { failures: 2, openFor: 30 },
    rounds: [fine, fine, fine, { ...fine, minResults: 2 }],
  });
  expect(rounds.map((round: { results?: unknown[] }) => round.results?.length)).toEqual([1, 1, 1, undefined]);
  expect(health[CLOSED]).toEqual({ consecutiveFailures: 2, isOpen: true, skipped: 2 });
  expect(health[server.url]).toEqual({ consecutiveFailures: 0, isOpen: false, skipped: 0 });
});

test('an agent describes the failure of the agent that it called', async () => {
  const text = `delegate ${server.url} delegate ${server.url} timeout 9 0.05`;
  const { error } = await client.run({ url: server.url, text, retry: { maxRetries: 0 } });
  const hop = { currentAgent: 'writer', downstreamAgent: server.url, retryable: true };
  const inner = { code: -32006, data: { retryable: true, retryAfter: 0.05 } };
  expect(error).toMatchObject({ code: -32603, data: { ...hop, downstreamError: { data: { ...hop, downstreamError: inner } } } });
});

test('a stream consists of JSON-RPC responses, and its end may be an error', async () => {
  const { responses = [] } = await client.run({ do: 'stream', url: server.url, text: 'echo two words' });
  expect(responses.map(({ result }) => result.status?.state ?? result.artifact.parts[0].text)).toEqual([
    'submitted',
    'working',
    'two ',
    'words',
    'completed',
  ]);
  const late = await client.run({ do: 'stream', url: server.url, text: 'late busy 9 0.1' });
  expect(late.responses?.at(-1)?.error).toMatchObject({ code: -32004, data: { retryable: true, retryAfter: 0.1 } });
});

function gaps(times: readonly number[]): number[] {
  return times.slice(1).map((time, at) => time - (times[at] ?? 0));
}
