// Programs that were written from the article of the dialect whose parts have `type` and no `kind`, with Parley on the other side.
import { A2AError } from '@parley/a2a';
import { type Client, type ClientOptions, createClient } from '@parley/a2a/client';
import { createCoordinator } from '@parley/a2a/coordinator';
import { type ListenOptions, listen } from '@parley/a2a/node';
import { createAgent } from '@parley/a2a/server';
import { createTestFetch } from '@parley/a2a/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type PlainClient, type PlainServer, startPlainClient, startPlainServer } from './peers/plain-peers.js';

type AgentOptions = Parameters<typeof createAgent>[0];
type Execute = NonNullable<AgentOptions['execute']>;

let python: PlainClient;
let server: PlainServer;

beforeAll(async () => {
  python = startPlainClient();
  server = await startPlainServer('writer');
}, 180_000);
afterAll(() => Promise.all([python?.stop(), server?.stop()]));

/** The eight codes of the dialect, and whether its client may repeat the call. */
const CODES = [
  ['AUTH_REQUIRED', -32001, false, 'auth'],
  ['TASK_NOT_FOUND', -32002, false, 'no task'],
  ['INSUFFICIENT_SCOPE', -32003, false, 'scope'],
  ['RATE_LIMITED', -32004, true, 'busy'],
  ['AGENT_UNAVAILABLE', -32005, true, 'unavailable'],
  ['TASK_TIMEOUT', -32006, true, 'timeout'],
  ['CONTENT_TOO_LARGE', -32007, false, 'too large'],
  ['SKILL_NOT_FOUND', -32008, false, 'no skill'],
] as const;

const QUICK = { maxRetries: 2, baseDelay: 0.02, maxDelay: 0.2 };
const ONCE = { maxRetries: 0 };

/** Starts a Parley agent on a free port. Returns its address. */
async function serve(execute: Execute, options: Partial<AgentOptions> = {}, how: ListenOptions = {}): Promise<string> {
  const agent = createAgent({ name: 'Editor', execute, ...options } as AgentOptions);
  const listening = await listen(agent, { port: 0, ...how });
  onTestFinished(() => listening.close({ drainMs: 0 }));
  return `${listening.url}/`;
}

/** A Parley client of the server program. */
function plainClient(options: ClientOptions = {}): Client {
  return createClient({ endpoint: server.url, dialect: 'plain' }, { retry: false, ...options });
}

/** An agent that works until it is stopped. */
const silence = (signal: AbortSignal) => new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('')));

/** Counts its calls, and throws this many times. */
function failing(times: number, error: () => A2AError): () => number {
  let calls = 0;
  return () => {
    calls += 1;
    if (calls <= times) throw error();
    return calls;
  };
}

describe('the client program calls a Parley agent', () => {
  test('F50: it gets a task with lower-case states and parts with a type, and the agent sees a message with an id', async () => {
    const ids: string[] = [];
    const url = await serve(async ({ text, message }) => {
      ids.push(message?.messageId ?? '');
      return `You said: ${text}`;
    });
    const { response, attempts } = await python.run({ url, text: 'hello' });
    expect(response).toMatchObject({ jsonrpc: '2.0', result: { status: { state: 'completed' } } });
    expect(response?.result.artifacts[0].parts).toMatchObject([{ type: 'text', text: 'You said: hello' }]);
    expect(attempts).toHaveLength(1);
    expect(ids).toEqual([expect.stringMatching(/./)]);
  });

  test('F50: it gets a direct message', async () => {
    const url = await serve(async ({ text }) => ({ messageId: 'm1', role: 'ROLE_AGENT', parts: [{ text: text.toUpperCase() }] }));
    const { response } = await python.run({ url, text: 'hello' });
    expect(response?.result).toMatchObject({ role: 'agent', parts: [{ type: 'text', text: 'HELLO' }] });
  });

  test.each(CODES)('F50, D50: it gets %s as %i with an object as data', async (reason, code, retryable) => {
    const hint = retryable ? { retryAfterMs: 60 } : {};
    const url = await serve(async () => {
      throw new A2AError(reason, 'not now', hint);
    });
    const { error, attempts } = await python.run({ url, text: 'hello', retry: { ...QUICK, maxRetries: 1, baseDelay: 9 } });
    expect(error).toMatchObject({ code, message: 'not now', data: { retryable, ...(retryable && { retryAfter: 0.06 }) } });
    expect(attempts.map(({ outcome }) => outcome)).toEqual(retryable ? [code, code] : [code]);
    if (retryable) expect((attempts[1]?.at ?? 0) - (attempts[0]?.at ?? 0)).toBeGreaterThanOrEqual(0.06);
  });

  test('D50: it gets the reason of a task that fails during the work as the error of its call', async () => {
    const url = await serve(async (_context, events) => {
      await events.working('Looking for it');
      throw new A2AError('RATE_LIMITED', 'too many searches', { retryAfterMs: 50 });
    });
    const { error } = await python.run({ url, text: 'find', retry: ONCE });
    expect(error).toMatchObject({ code: -32004, message: 'too many searches', data: { retryable: true, retryAfter: 0.05 } });
  });

  test('D50: it gets −32603 without the text of an unexpected error', async () => {
    const url = await serve(async () => {
      throw new Error('the password is 1234');
    });
    const { error } = await python.run({ url, text: 'hello', retry: ONCE });
    expect(error).toMatchObject({ code: -32603, data: { retryable: false } });
    expect(JSON.stringify(error)).not.toContain('1234');
  });

  test('F50: its retries succeed after the delays that the agent asked for', async () => {
    const next = failing(2, () => new A2AError('RATE_LIMITED', 'slowly', { retryAfterMs: 80 }));
    const url = await serve(async () => `answer ${next()}`);
    const { response, attempts } = await python.run({ url, text: 'hello', retry: { ...QUICK, baseDelay: 9 } });
    expect(response?.result.artifacts[0].parts[0].text).toBe('answer 3');
    expect(attempts.map(({ outcome }) => outcome)).toEqual([-32004, -32004, 'result']);
    expect(gaps(attempts.map(({ at }) => at)).every((gap) => gap >= 0.08)).toBe(true);
  });

  test('F50: it waits for the time of Retry-After when the agent refuses the request before it reads it', async () => {
    const next = failing(1, () => new A2AError('RATE_LIMITED', 'slowly', { retryAfterMs: 400 }));
    const url = await serve(async () => 'welcome', {
      auth: () => ({ id: `caller ${next()}` }),
    });
    const { response, attempts } = await python.run({ url, text: 'hello', retry: { ...QUICK, baseDelay: 9 } });
    expect(response?.result.artifacts[0].parts[0].text).toBe('welcome');
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['429', 'result']);
    expect(attempts[1]?.at).toBeGreaterThanOrEqual(0.4);
  });

  test('F50: it does not repeat a call without credentials', async () => {
    const url = await serve(async () => 'welcome', { auth: () => undefined });
    const { failure, attempts } = await python.run({ url, text: 'hello', retry: QUICK });
    expect(failure).toMatchObject({ kind: 'http', message: 'HTTP status 401' });
    expect(attempts).toHaveLength(1);
  });

  test('F50: it repeats a call that took too long, and gets the second answer', async () => {
    let calls = 0;
    const url = await serve(async ({ signal }) => {
      calls += 1;
      return calls === 1 ? silence(signal) : 'in time';
    });
    const { response, attempts } = await python.run({ url, text: 'hello', retry: { ...QUICK, timeout: 0.4 } });
    expect(response?.result.artifacts[0].parts[0].text).toBe('in time');
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['timeout', 'result']);
  });

  test('F50: its limits for silence and for the whole call end a call of an agent that does not answer', async () => {
    const url = await serve(({ signal }) => silence(signal));
    for (const limits of [{ read: 0.06 }, { total: 0.06 }]) {
      const { response } = await python.run({ do: 'limited', url, text: 'hello', limits });
      expect(response?.error).toMatchObject({ code: -32006, data: { timeout: 0.06 } });
    }
  });

  test('F50: its coordinator goes on without a Parley agent that fails', async () => {
    const good = await serve(async () => 'fine');
    const bad = await serve(async () => {
      throw new A2AError('SKILL_NOT_FOUND', 'I cannot do that');
    });
    const round = { urls: [good, bad], texts: ['one', 'two'] };
    const { rounds, health } = await python.run({ do: 'fanOut', rounds: [round, round, round], circuit: { failures: 2 }, retry: ONCE });
    expect(rounds.map(({ results }: { results: unknown[] }) => results.length)).toEqual([1, 1, 1]);
    expect(health[bad]).toMatchObject({ isOpen: true, skipped: 1 });
    expect(health[good]).toMatchObject({ isOpen: false, consecutiveFailures: 0 });
  });
});

describe('the client program uses streams and tasks of a Parley agent', () => {
  test('F50: a stream consists of JSON-RPC responses whose parts have a type', async () => {
    const url = await serve(async function* () {
      yield 'one ';
      yield 'two';
    });
    const { responses = [] } = await python.run({ do: 'stream', url, text: 'count' });
    const parts = responses.flatMap(({ result }) => result.artifact?.parts ?? []);
    expect(parts.map(({ type, text }: { type: string; text: string }) => [type, text])).toEqual([
      ['text', 'one '],
      ['text', 'two'],
    ]);
    expect(responses.at(-1)?.result).toMatchObject({ status: { state: 'completed' } });
  });

  test('D50: a stream that is refused at once is an error with a code of the dialect', async () => {
    const url = await serve(async () => {
      throw new A2AError('SKILL_NOT_FOUND', 'I cannot do that');
    });
    const { responses = [] } = await python.run({ do: 'stream', url, text: 'dance' });
    expect(responses).toMatchObject([{ error: { code: -32008, data: { retryable: false } } }]);
  });

  test('F50: it reads its task later, and gets the code of 0.3 for an unknown one', async () => {
    const url = await serve(async () => 'done');
    const { response } = await python.run({ url, text: 'hello' });
    const again = await python.run({ do: 'get', url, taskId: response?.result.id });
    expect(again.response?.result).toMatchObject({ id: response?.result.id, status: { state: 'completed' } });
    const unknown = await post(url, { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'no such task' } });
    expect(unknown.body.error.code).toBe(-32001);
  });

  test('F50: it answers the question of an agent with a message for the same task', async () => {
    const url = await serve(async (context) => `To ${await context.requireInput('Where to?')}`);
    const { response } = await python.run({ url, text: 'book' });
    expect(response?.result.status).toMatchObject({ state: 'input-required', message: { parts: [{ type: 'text', text: 'Where to?' }] } });
    const { id: taskId, contextId } = response?.result ?? {};
    const reply = await python.run({ url, text: 'Lisbon', message: { taskId, contextId } });
    expect(reply.response?.result).toMatchObject({ id: taskId, status: { state: 'completed' } });
    expect(reply.response?.result.artifacts[0].parts[0].text).toBe('To Lisbon');
  });
});

describe('a Parley agent gets bad input in the dialect', () => {
  const message = { role: 'user', parts: [{ type: 'text', text: 'hello' }] };
  const send = { jsonrpc: '2.0', id: 7, method: 'message/send', params: { message } };

  test.each([
    ['an unknown method', { ...send, method: 'message/dance' }, 7, -32601],
    ['no message', { ...send, params: {} }, 7, -32602],
    ['no parts', { ...send, params: { message: { role: 'user' } } }, 7, -32602],
    ['an empty list of parts', { ...send, params: { message: { role: 'user', parts: [] } } }, 7, -32602],
    ['an unknown role', { ...send, params: { message: { ...message, role: 'narrator' } } }, 7, -32602],
    ['an unknown type', { ...send, params: { message: { role: 'user', parts: [{ type: 'hologram', text: 'x' }] } } }, 7, -32602],
    ['a type that is no string', { ...send, params: { message: { role: 'user', parts: [{ type: 3, text: 'x' }] } } }, 7, -32602],
    ['a text that is no string', { ...send, params: { message: { role: 'user', parts: [{ type: 'text', text: 5 }] } } }, 7, -32602],
    ['no version of JSON-RPC', { ...send, jsonrpc: undefined }, 7, -32600],
    ['no method', { ...send, method: undefined }, 7, -32600],
  ])('F50: %s is an error with the id of the request', async (_what, body, id, code) => {
    const url = await serve(async () => 'fine');
    const reply = await post(url, body);
    expect([reply.status, reply.body.id, reply.body.error.code]).toEqual([200, id, code]);
  });

  test('F50: malformed JSON is a parse error, and the agent goes on', async () => {
    const url = await serve(async () => 'fine');
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"jsonrpc": "2.0",' });
    expect(JSON.parse(await response.text())).toMatchObject({ id: null, error: { code: -32700 } });
    expect((await post(url, send)).body.result.status.state).toBe('completed');
  });

  test('F50: parts of the types data and file reach the agent, beside one of an unknown type they are refused', async () => {
    const seen: unknown[] = [];
    const url = await serve(async ({ parts }) => {
      seen.push(...parts);
      return 'thanks';
    });
    const data = { type: 'data', data: { rows: 3 } };
    const file = { type: 'file', file: { name: 'a.json', mimeType: 'application/json', bytes: 'e30=' } };
    const { response } = await python.run({ url, parts: [...message.parts, data, file] });
    expect(response?.result.status.state).toBe('completed');
    expect(seen).toMatchObject([
      { text: 'hello' },
      { data: { rows: 3 } },
      { filename: 'a.json', mediaType: 'application/json', raw: 'e30=' },
    ]);
    const { error } = await python.run({ url, parts: [data, { type: 'hologram' }], retry: QUICK });
    expect(error).toMatchObject({ code: -32602, data: { retryable: false } });
  });

  test('F50: a text of one megabyte is answered, and a body above the limit is refused once', async () => {
    const url = await serve(async ({ text }) => String(text.length), { maxBodyBytes: 2_000_000 });
    const { response } = await python.run({ url, text: 'x'.repeat(1_000_000) });
    expect(response?.result.artifacts[0].parts[0].text).toBe('1000000');
    const { failure, error, attempts } = await python.run({ url, text: 'x'.repeat(3_000_000), retry: QUICK });
    expect(error?.code ?? failure?.message).toBe('HTTP status 413');
    expect(attempts).toHaveLength(1);
  });

  test('F50: the same message many times at once is as many tasks, each with its own answer', async () => {
    const ids = new Set<string>();
    const url = await serve(async ({ message, text, taskId }) => {
      ids.add(message?.messageId ?? '');
      return `${text} in ${taskId}`;
    });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => python.run({ url, text: 'same' })));
    for (const { response } of outcomes) {
      expect(response?.result.artifacts[0].parts[0].text).toBe(`same in ${response?.result.id}`);
    }
    expect(ids.size).toBe(20);
  });
});

describe('a Parley client calls the server program', () => {
  test('C14: it sends parts with a type to the endpoint, reads no card, and reads a task without the ids of later versions', async () => {
    const asked: string[] = [];
    const client = plainClient({
      fetch: (input, init) => {
        asked.push(`${init?.method ?? 'GET'} ${input}`);
        return fetch(input, init);
      },
    });
    const reply = await client.send('echo hello #1');
    expect(reply).toMatchObject({ kind: 'task', state: 'TASK_STATE_COMPLETED', text: 'hello' });
    expect(asked).toEqual([`POST ${server.url}`]);
    const { message } = await server.calls('echo hello #1');
    expect(message).toMatchObject({ role: 'user', parts: [{ type: 'text', text: 'echo hello #1' }] });
  });

  test('C14: it reads a message without an id, and keeps the ids of a task that has them', async () => {
    expect(await plainClient().send('message hello')).toMatchObject({ kind: 'message', text: 'hello' });
    const reply = await plainClient().send('full hello');
    expect(reply).toMatchObject({ kind: 'task', text: 'hello', task: { artifacts: [{ artifactId: 'answer-1' }] } });
  });

  test('C14: a run follows a task that works until it ends', async () => {
    const reply = await plainClient({ pollingIntervalMs: 20 }).run('later 0.05').result;
    expect(reply).toMatchObject({ state: 'TASK_STATE_COMPLETED', text: 'finished later' });
  });

  test('C14: a run with `assumeStreaming` gets the pieces of the answer, or the only message of a stream', async () => {
    const client = plainClient({ assumeStreaming: true });
    const pieces: string[] = [];
    const run = client.run('full three short words');
    for await (const update of run) if (update.kind === 'text') pieces.push(update.delta);
    expect(pieces).toEqual(['three ', 'short ', 'words']);
    expect(await client.run('message hello').result).toMatchObject({ kind: 'message', text: 'hello' });
  });

  test('C14: a stream ends with the error that the server sends in it, or instead of it', async () => {
    const read = async (text: string) => {
      const seen: unknown[] = [];
      const message = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text }] } as const;
      const reading = async () => {
        for await (const event of plainClient({ assumeStreaming: true }).sendStreamingMessage({ message })) seen.push(event);
      };
      const error = await errorOf(reading());
      expect(error).toMatchObject({ reason: 'RATE_LIMITED', code: -32004, retryable: true, retryAfterMs: 100 });
      return seen;
    };
    expect(await read('late busy 9 0.1 #stream')).toMatchObject([
      { task: { status: { state: 'TASK_STATE_SUBMITTED' } } },
      { statusUpdate: { status: { state: 'TASK_STATE_WORKING' } } },
    ]);
    expect(await read('busy 9 0.1 #stream')).toEqual([]);
  });

  test.each(CODES)('F50, C14: %s is the reason of %i', async (reason, code, retryable, text) => {
    const client = plainClient({ retry: { maxRetries: 1, initialDelayMs: 1, jitter: false } });
    const hinted = retryable ? `${text} 9 0.05 #reason` : `${text} #reason`;
    const error = await errorOf(client.send(hinted));
    expect(error).toMatchObject({ reason, code, retryable, retryAfterMs: retryable ? 50 : undefined });
    const { at } = await server.calls(hinted);
    expect(at).toHaveLength(retryable ? 2 : 1);
    const bare = await errorOf(plainClient().send(`bare ${code}`));
    expect(bare, 'without data').toMatchObject({ reason, code });
  });

  test('F50: its retries succeed after the delays that the server asked for, in the error or in Retry-After', async () => {
    const retrying = async (text: string) => {
      const reply = await plainClient({ retry: { initialDelayMs: 1, jitter: false } }).send(text);
      expect(reply).toMatchObject({ state: 'TASK_STATE_COMPLETED' });
      const { at } = await server.calls(text);
      expect([text, at.length]).toEqual([text, 3]);
      expect(
        gaps(at).every((gap) => gap >= 0.079),
        `${text}: ${gaps(at)}`,
      ).toBe(true);
    };
    await Promise.all(['busy', '429', 'unavailable', 'timeout', 'broken'].map((text) => retrying(`${text} 2 0.08 #retry`)));
  });

  test('F50: it repeats a send after the status 503, and not after 502 or −32603, which may follow the work', async () => {
    const retry = { initialDelayMs: 1, jitter: false };
    expect(await plainClient({ retry }).send('503 2 #status')).toMatchObject({ state: 'TASK_STATE_COMPLETED' });
    expect(await errorOf(plainClient({ retry }).send('html 502'))).toMatchObject({ reason: 'AGENT_UNAVAILABLE', httpStatus: 502 });
    expect(await errorOf(plainClient({ retry }).send('crash'))).toMatchObject({ reason: 'INTERNAL_ERROR', retryable: false });
    const counts = await Promise.all(['503 2 #status', 'html 502', 'crash'].map(async (text) => (await server.calls(text)).at.length));
    expect(counts).toEqual([3, 1, 1]);
  });

  test('F50: a lost or unreadable response is a transport error', async () => {
    expect(await errorOf(plainClient().send('drop'))).toMatchObject({ name: 'A2ATransportError', kind: 'network', sent: true });
    expect(await errorOf(plainClient().send('garbage'))).toMatchObject({ reason: 'INVALID_AGENT_RESPONSE' });
  });

  test('F50: each of its time limits ends a call', async () => {
    const limited = (text: string, timeouts: NonNullable<ClientOptions['timeouts']>) => errorOf(plainClient({ timeouts }).send(text));
    const [silent, stalled, slow] = await Promise.all([
      limited('hang', { firstByteMs: 80 }),
      limited('stall', { idleMs: 80 }),
      limited('trickle', { idleMs: 1_000, totalMs: 150 }),
    ]);
    expect(silent).toMatchObject({ kind: 'timeout', phase: 'firstByte', sent: true });
    expect(stalled).toMatchObject({ kind: 'timeout', phase: 'idle' });
    expect(slow).toMatchObject({ kind: 'timeout', phase: 'total' });
    const deaf = createClient({ endpoint: server.deafUrl, dialect: 'plain' }, { retry: false, timeouts: { connectMs: 80 } });
    expect(await errorOf(deaf.send('hello'))).toMatchObject({ reason: 'AGENT_UNAVAILABLE', phase: 'connect', sent: false });
  });

  test('C14: it reads the message of a status without an id, in an answer, in a task that it reads later, and in a stream', async () => {
    expect(await plainClient().send('failed no paper')).toMatchObject({
      state: 'TASK_STATE_FAILED',
      task: { status: { message: { messageId: expect.stringMatching(/./), parts: [{ text: 'no paper' }] } } },
    });
    for (const options of [{}, { assumeStreaming: true }]) {
      const client = plainClient({ ...options, reconnect: { maxRetries: 0 } });
      expect(await errorOf(client.run('failed no paper').result)).toMatchObject({ name: 'A2ATaskFailedError', message: 'no paper' });
      expect(await errorOf(client.run('ask Which city?').result)).toMatchObject({ reason: 'INPUT_REQUIRED', prompt: 'Which city?' });
    }
    const reply = await plainClient().send('ask Which city?');
    if (reply.kind !== 'task') expect.fail(`a ${reply.kind}`);
    const { status } = await plainClient().getTask({ id: reply.taskId });
    expect(status).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED', message: { parts: [{ text: 'Which city?' }] } });
  });

  test('C14: the pieces of an artifact without an id are one artifact', async () => {
    const kinds: string[] = [];
    const run = plainClient({ assumeStreaming: true }).run('echo three short words');
    for await (const update of run) kinds.push(update.kind === 'text' ? update.delta : update.kind);
    expect(kinds.filter((kind) => kind === 'reconnect')).toEqual([]);
    expect(kinds.filter((kind) => kind.trim() !== kind || kind === 'words')).toEqual(['three ', 'short ', 'words']);
    expect(await run.result).toMatchObject({ text: 'three short words', artifacts: [{ parts: [{ text: 'three short words' }] }] });
  });

  test('C14: it reads a task by its id, and reports an unknown one', async () => {
    const reply = await plainClient().send('echo kept');
    if (reply.kind !== 'task') expect.fail(`a ${reply.kind}`);
    expect(await plainClient().getTask({ id: reply.taskId })).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
    expect(await errorOf(plainClient().getTask({ id: 'none' }))).toMatchObject({ reason: 'TASK_NOT_FOUND', code: -32002 });
  });

  test('F50: huge texts and many calls at once are answered', async () => {
    expect((await plainClient().send(`echo ${'x'.repeat(800_000)}`)).text).toHaveLength(800_000);
    expect(await errorOf(plainClient().send('x'.repeat(1_100_000)))).toMatchObject({ reason: 'CONTENT_TOO_LARGE' });
    const client = plainClient();
    const texts = await Promise.all(Array.from({ length: 20 }, async (_, index) => (await client.send(`echo ${index}`)).text));
    expect(texts).toEqual(Array.from({ length: 20 }, (_, index) => String(index)));
  });

  test('F50: a coordinator goes on without a server program that fails', async () => {
    const broken = plainClient();
    const team = createCoordinator({ agents: { good: plainClient(), bad: broken } });
    onTestFinished(() => team.close());
    for (let round = 0; round < 3; round += 1) {
      const targets = [
        { agent: 'good', message: 'echo fine' },
        { agent: 'bad', message: 'html 502' },
      ] as const;
      expect((await team.fanOut(targets)).done).toHaveLength(1);
    }
    expect(await team.delegate('bad', 'echo fine')).toMatchObject({ kind: 'skipped', reason: 'circuit-open' });
  });
});

describe('codes of the dialect from other peers', () => {
  const answering = (error: unknown): Client => {
    const echo = createTestFetch(createAgent({ name: 'Mixed', execute: async () => '' }));
    const wrapped: typeof fetch = async (input, init) => {
      if (init?.method !== 'POST') return echo(input, init);
      const { id } = JSON.parse(String(init.body));
      return Response.json({ jsonrpc: '2.0', id, error });
    };
    return createClient('http://test', { fetch: wrapped, retry: false });
  };

  test.each(CODES)('C14: %s is the reason of %i from any peer whose data has `retryable`', async (reason, code, retryable) => {
    const data = { retryable, ...(retryable && { retryAfter: 0.25 }) };
    const error = await errorOf(answering({ code, message: 'no', data }).send('hello'));
    expect(error).toMatchObject({ reason, code, retryable, retryAfterMs: retryable ? 250 : undefined });
  });

  test('C14: without `retryable`, the same codes have the meaning of the protocol', async () => {
    for (const data of [undefined, {}, { detail: 'x' }, [], [{ retryable: true }]]) {
      const error = await errorOf(answering({ code: -32004, message: 'no', data }).send('hello'));
      expect(error).toMatchObject({ reason: 'UNSUPPORTED_OPERATION', retryable: false });
    }
  });
});

test('D50: a Parley client and a Parley agent understand each other in the dialect', async () => {
  const url = await serve(async ({ text }) => {
    if (text === 'fail') throw new A2AError('RATE_LIMITED', 'slowly', { retryAfterMs: 50 });
    return text.toUpperCase();
  });
  const client = createClient({ endpoint: url, dialect: 'plain' }, { retry: false });
  expect((await client.send('hello')).text).toBe('HELLO');
  expect((await client.run('hello').result).text).toBe('HELLO');
  expect(await errorOf(client.send('fail'))).toMatchObject({ reason: 'RATE_LIMITED', code: -32004, retryAfterMs: 50 });
  // The same number means AUTH_REQUIRED in the dialect: the reason in the data decides.
  expect(await errorOf(client.getTask({ id: 'none' }))).toMatchObject({ reason: 'TASK_NOT_FOUND', code: -32001 });
});

describe('an error passes through agents of both kinds', () => {
  const delegating =
    (text: string): Execute =>
    async ({ scope }) =>
      (await plainClient().send(text, { scope })).text;

  test('D50: the client program sees the server program behind a Parley agent', async () => {
    const url = await serve(delegating('busy 9 0.07 #chain'));
    const { error } = await python.run({ url, text: 'go', retry: ONCE });
    expect(error).toMatchObject({
      code: -32603,
      data: {
        currentAgent: 'Editor',
        downstreamError: { code: -32004, message: expect.any(String) },
        retryable: true,
        retryAfter: 0.07,
      },
    });
    expect(error?.data.downstreamAgent).toEqual(expect.any(String));
  });

  test('D50: the client program sees the same chain when the task has begun', async () => {
    const url = await serve(async ({ scope }, events) => {
      await events.working('Asking the writer');
      return (await plainClient().send('scope #begun', { scope })).text;
    });
    const { error } = await python.run({ url, text: 'go', retry: ONCE });
    expect(error).toMatchObject({ code: -32603, data: { currentAgent: 'Editor', downstreamError: { code: -32003 }, retryable: false } });
  });

  test('D50: a Parley client sees the Parley agent behind the server program', async () => {
    const url = await serve(async () => {
      throw new A2AError('AGENT_UNAVAILABLE', 'out of paper', { retryAfterMs: 40 });
    });
    const error = await errorOf(plainClient().send(`delegate ${url} print`));
    expect(error).toMatchObject({ reason: 'INTERNAL_ERROR', retryable: true });
    expect(error.chain[0]?.downstreamError.reason).toBe('AGENT_UNAVAILABLE');
    expect(error.chain).toMatchObject([
      { currentAgent: 'writer', downstreamAgent: url, downstreamError: { code: -32005, message: 'out of paper' }, retryable: true },
    ]);
  });

  test('D50: two hops keep their order, whichever program is in the middle', async () => {
    const inner = await serve(async () => {
      throw new A2AError('SKILL_NOT_FOUND', 'no such skill');
    });
    const outer = await serve(delegating(`delegate ${inner} dance`), { name: 'Chief' });
    const { error } = await python.run({ url: outer, text: 'go', retry: ONCE });
    expect(error?.data).toMatchObject({
      currentAgent: 'Chief',
      downstreamError: {
        code: -32603,
        data: {
          currentAgent: 'writer',
          downstreamAgent: inner,
          downstreamError: { code: -32008, message: 'no such skill' },
          retryable: false,
        },
      },
      retryable: false,
    });

    const middle = await serve(delegating('timeout 9 0.05 #two'), { name: 'Middle' });
    const { chain } = await errorOf(plainClient().send(`delegate ${middle} go`));
    expect(chain.map(({ downstreamError }) => downstreamError.reason)).toEqual(['INTERNAL_ERROR', 'TASK_TIMEOUT']);
    expect(chain).toMatchObject([
      { currentAgent: 'writer', downstreamAgent: middle, downstreamError: { code: -32603 }, retryable: true },
      { currentAgent: 'Middle', downstreamError: { code: -32006 }, retryable: true },
    ]);
  });
});

async function post(url: string, body: unknown) {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

async function errorOf(call: Promise<unknown>): Promise<A2AError> {
  const error = await call.then(
    (value) => expect.fail(`expected a rejection, got ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof A2AError)) throw error;
  return error;
}

function gaps(times: readonly number[]): number[] {
  return times.slice(1).map((time, at) => time - (times[at] ?? 0));
}
