import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { bodyOf } from '../../test/endpoints.js';
import { listen } from '../adapters/node.js';
import { A2AError } from '../protocol/errors.js';
import type { AgentCard, StreamResponse } from '../protocol/types.js';
import { createAgent } from '../server/create-agent.js';
import { faultFetch } from './fault-fetch.js';
import { faultProxy } from './fault-proxy.js';
import { faultServer } from './fault-server.js';
import type { NetworkPlan } from './faults/network-fault.js';
import type { FaultPeerOptions } from './faults/script.js';
import { manualClock } from './manual-clock.js';
import type { RecordedRequest } from './recorded-request.js';
import { createTestFetch } from './test-fetch.js';
import { withFaults } from './with-faults.js';

const status = (state: 'TASK_STATE_WORKING' | 'TASK_STATE_COMPLETED'): StreamResponse => ({
  statusUpdate: { taskId: 't', contextId: 'c', status: { state } },
});
const WORKING = status('TASK_STATE_WORKING');
const DONE = status('TASK_STATE_COMPLETED');
const HEADERS = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' };
const MESSAGE = { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] } };

interface Peer extends AsyncDisposable {
  readonly fetch: typeof fetch;
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
}

const postRest = ({ fetch, url }: Peer, path: string) =>
  fetch(`${url}${path}`, { method: 'POST', headers: HEADERS, body: JSON.stringify(MESSAGE) });
const postRpc = ({ fetch, url }: Peer, method: string, params: object = MESSAGE) =>
  fetch(url, { method: 'POST', headers: HEADERS, body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }) });

/** The text that arrived, and whether the body failed. */
async function readAll({ body }: Response): Promise<{ readonly text: string; readonly broken: boolean }> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of body ?? []) text += decoder.decode(chunk, { stream: true });
    return { text, broken: false };
  } catch {
    return { text, broken: true };
  }
}

const SCRIPTED: readonly [string, (options: FaultPeerOptions) => Promise<Peer>][] = [
  [
    'faultFetch',
    async (options) => {
      const play = faultFetch(options);
      return { fetch: play, url: 'http://test', requests: play.requests, async [Symbol.asyncDispose]() {} };
    },
  ],
  [
    'faultServer',
    async (options) => {
      const server = await faultServer(options);
      return { ...server, fetch };
    },
  ],
];

describe.each(SCRIPTED)('%s', (_name, start) => {
  test('serves a card that clients can use, and records the requests', async () => {
    await using peer = await start({ script: { GetTask: { value: { id: 't' } } }, log: true, card: { name: 'Mine' } });
    const card = await bodyOf<AgentCard>(await peer.fetch(`${peer.url}/.well-known/agent-card.json`));
    expect(card.name).toBe('Mine');
    expect(card.supportedInterfaces.map(({ url }) => url)).toEqual([peer.url, peer.url]);
    expect(card.capabilities).toMatchObject({ streaming: true, extensions: [{ uri: 'urn:parley:a2a:log:v1' }] });
    expect(await (await peer.fetch(`${peer.url}/tasks/t?historyLength=2`)).json()).toEqual({ id: 't' });
    expect(await (await postRpc(peer, 'GetTask', { id: 't' })).json()).toEqual({ jsonrpc: '2.0', id: 7, result: { id: 't' } });
    expect(peer.requests.map(({ operation, binding, params }) => ({ operation, binding, params }))).toEqual([
      { operation: 'GetAgentCard', binding: 'rest', params: {} },
      { operation: 'GetTask', binding: 'rest', params: { id: 't', historyLength: 2 } },
      { operation: 'GetTask', binding: 'jsonrpc', params: { id: 't' } },
    ]);
  });

  test('plays one leg per request, and repeats the last one', async () => {
    const legs = [503, { status: 429, headers: { 'retry-after': '2' } }, { value: { id: 't' } }];
    await using peer = await start({ script: { SendMessage: legs } });
    const seen: (string | number | null)[] = [];
    for (let n = 0; n < 4; n += 1) {
      const response = await postRest(peer, '/message:send');
      seen.push(response.status, response.headers.get('retry-after'));
      await response.text();
    }
    expect(seen).toEqual([503, null, 429, '2', 200, null, 200, null]);
  });

  test('refuses an operation that is not in the script, in the format of the binding', async () => {
    await using peer = await start({ script: { SendMessage: { error: new A2AError('RATE_LIMITED', 'slowly') } } });
    expect(await (await postRpc(peer, 'CancelTask')).json()).toMatchObject({ id: 7, error: { code: -32601 } });
    expect((await postRest(peer, '/tasks/t:cancel')).status).toBe(404);
    expect((await postRest(peer, '/nowhere')).status).toBe(404);
    expect(await (await postRpc(peer, 'SendMessage')).json()).toMatchObject({ error: { code: -31004, message: 'slowly' } });
    expect((await postRest(peer, '/message:send')).status).toBe(429);
  });

  test('streams events with and without seq, errors, and raw text', async () => {
    const events = [WORKING, { seq: 4, response: DONE }, ': beat\n\n', { error: new A2AError('AGENT_UNAVAILABLE', 'gone') }];
    await using peer = await start({ script: { SendStreamingMessage: { events } } });
    const rest = await readAll(await postRest(peer, '/message:stream'));
    const parts = rest.text.split('\n\n');
    expect(rest.broken).toBe(false);
    expect(parts.slice(0, 3)).toEqual([`data: ${JSON.stringify(WORKING)}`, `data: ${JSON.stringify(DONE)}\nid: 4`, ': beat']);
    expect(parts[3]).toMatch(/^event: error\ndata: \{"error":\{"code":503/);
    const rpc = await readAll(await postRpc(peer, 'SendStreamingMessage'));
    expect(rpc.text.split('\n\n')[0]).toBe(`data: {"jsonrpc":"2.0","id":7,"result":${JSON.stringify(WORKING)}}`);
  });

  test('ends a stream as scripted: properly, dropped, cut at a byte, or with garbage', async () => {
    const legs = [
      { events: [WORKING] },
      { events: [WORKING], finish: 'drop' },
      { events: [WORKING, DONE], cutAfterBytes: 10 },
      { events: [WORKING], finish: 'garbage', garbage: 'what?' },
    ] as const;
    await using peer = await start({ script: { SendStreamingMessage: legs } });
    const frame = `data: ${JSON.stringify(WORKING)}\n\n`;
    expect(await readAll(await postRest(peer, '/message:stream'))).toEqual({ text: frame, broken: false });
    expect(await readAll(await postRest(peer, '/message:stream'))).toEqual({ text: frame, broken: true });
    expect(await readAll(await postRest(peer, '/message:stream'))).toEqual({ text: frame.slice(0, 10), broken: true });
    expect(await readAll(await postRest(peer, '/message:stream'))).toEqual({ text: `${frame}what?`, broken: false });
  });

  test('stalls until the caller aborts, before the headers and after them', async () => {
    await using peer = await start({ script: { SendStreamingMessage: ['stall', { events: [WORKING], finish: 'stall' }] } });
    const open = (signal: AbortSignal) =>
      peer.fetch(`${peer.url}/message:stream`, { method: 'POST', headers: HEADERS, body: JSON.stringify(MESSAGE), signal });
    const first = new AbortController();
    const waiting = open(first.signal);
    while (peer.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    first.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    const second = new AbortController();
    const reader = (await open(second.signal)).body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('TASK_STATE_WORKING');
    const silent = reader?.read();
    second.abort();
    await expect(silent).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('a drop before the headers is a failed fetch', async () => {
    await using peer = await start({ script: { SendMessage: 'drop' } });
    await expect(postRest(peer, '/message:send')).rejects.toThrow('fetch failed');
  });

  test('a function chooses the leg by the request', async () => {
    await using peer = await start({ script: { GetTask: ({ headers }) => ({ value: { id: headers['x-id'] } }) } });
    expect(await (await peer.fetch(`${peer.url}/tasks/t`, { headers: { 'x-id': 'mine' } })).json()).toEqual({ id: 'mine' });
  });
});

describe('delays', () => {
  test('each phase takes its time by the given clock, and an abort stops it', async () => {
    const clock = manualClock();
    const delays = { headersMs: 10, firstByteMs: 20, chunkMs: 30 };
    const peer = faultFetch({ script: { SendStreamingMessage: { events: [WORKING, DONE], delays } }, acceptMs: 5, clock });
    const seen: string[] = [];
    const leaving = new AbortController();
    const read = async (): Promise<void> => {
      const init = { method: 'POST', headers: HEADERS, body: JSON.stringify(MESSAGE), signal: leaving.signal };
      const response = await peer('http://test/message:stream', init);
      seen.push('headers');
      for await (const _chunk of response.body ?? []) seen.push('chunk');
    };
    const reading = read();
    const at = async (ms: number): Promise<readonly string[]> => {
      await clock.tick(ms);
      await clock.tick();
      return seen;
    };
    await clock.tick();
    expect([peer.requests.length, ...(await at(4))]).toEqual([0]);
    expect([...(await at(1)), peer.requests.length]).toEqual([1]);
    expect(await at(9)).toEqual([]);
    expect(await at(1)).toEqual(['headers']);
    expect(await at(19)).toEqual(['headers']);
    expect(await at(1)).toEqual(['headers', 'chunk']);
    expect(await at(29)).toEqual(['headers', 'chunk']);
    leaving.abort();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    expect(clock.pending).toBe(0);
  });

  test('a server reads a new connection after acceptMs', async () => {
    const clock = manualClock();
    await using server = await faultServer({ script: { GetTask: { value: { id: 't' } } }, acceptMs: 1_000, clock });
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const answer = new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(bytes.toString())));
    socket.write('GET /tasks/t HTTP/1.1\r\nhost: x\r\n\r\n');
    while (clock.pending === 0) await clock.tick();
    await clock.tick(999);
    expect(server.requests.length).toBe(0);
    await clock.tick(1);
    expect(await answer).toMatch(/^HTTP\/1\.1 200/);
    socket.destroy();
  });

  test('closing a server drops waiting callers, and a second close has no effect', async () => {
    const server = await faultServer({ script: { SendMessage: 'stall' } });
    const waiting = fetch(`${server.url}/message:send`, { method: 'POST', headers: HEADERS, body: JSON.stringify(MESSAGE) });
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([server.close(), server.close()]);
    await expect(waiting).rejects.toThrow('fetch failed');
    await expect(fetch(server.url)).rejects.toThrow('fetch failed');
  });
});

const agent = () =>
  createAgent({
    name: 'Counter',
    async *execute() {
      yield* ['one ', 'two ', 'three'];
    },
  });

const NETWORKS: readonly [string, (plan: NetworkPlan) => Promise<Peer>][] = [
  [
    'withFaults',
    async (plan) => {
      const faulty = withFaults(createTestFetch(agent()), plan);
      return { fetch: faulty, url: 'http://test', requests: faulty.requests, async [Symbol.asyncDispose]() {} };
    },
  ],
  [
    'faultProxy',
    async (plan) => {
      const listening = await listen(agent(), { port: 0 });
      const proxy = await faultProxy({ target: listening.url, plan });
      const stop = async (): Promise<void> => {
        await proxy.close();
        await listening.close({ drainMs: 0 });
      };
      return { ...proxy, fetch, [Symbol.asyncDispose]: stop };
    },
  ],
];

describe.each(NETWORKS)('%s', (_name, start) => {
  test('passes everything that the plan does not name, with a card that leads through the proxy', async () => {
    await using peer = await start(() => undefined);
    const card = await bodyOf<AgentCard>(await peer.fetch(`${peer.url}/.well-known/agent-card.json`));
    const { url, additionalInterfaces } = card as AgentCard & { url: string; additionalInterfaces: { url: string }[] };
    expect([...card.supportedInterfaces, ...additionalInterfaces].map((one) => one.url)).toEqual(Array(6).fill(peer.url));
    expect(url).toBe(peer.url);
    const { text, broken } = await readAll(await postRpc(peer, 'SendStreamingMessage'));
    expect([broken, text.split('\n\n').length]).toEqual([false, 7]); // task, working, three chunks, completed, and the end
    expect(peer.requests.map(({ operation }) => operation)).toEqual(['GetAgentCard', 'SendStreamingMessage']);
  });

  test('cuts, ends and corrupts after a byte or a frame, or one byte beside it', async () => {
    let plan: ReturnType<NetworkPlan>;
    await using peer = await start(() => plan);
    const read = async (next: typeof plan) => {
      plan = next;
      return readAll(await postRest(peer, '/message:stream'));
    };
    const whole = (await read(undefined)).text;
    const frame = whole.indexOf('\n\n', whole.indexOf('\n\n') + 1) + 2;
    const lengthOf = ({ text, broken }: { text: string; broken: boolean }) => (broken ? -text.length : text.length);
    expect(lengthOf(await read({ do: 'drop', afterBytes: 0 }))).toBe(-0);
    expect(lengthOf(await read({ do: 'drop', afterBytes: 9 }))).toBe(-9);
    expect(lengthOf(await read({ do: 'drop', afterFrames: 2 }))).toBe(-frame);
    expect(lengthOf(await read({ do: 'drop', afterFrames: 2, plus: -1 }))).toBe(1 - frame);
    expect(lengthOf(await read({ do: 'drop', afterFrames: 2, plus: 1 }))).toBe(-1 - frame);
    expect(lengthOf(await read({ do: 'end', afterFrames: 2 }))).toBe(frame);
    expect((await read({ do: 'garbage', afterFrames: 2 })).text.slice(frame)).toContain('data: {"garbage\n\n');
    expect(lengthOf(await read({ do: 'drop', afterFrames: 99 }))).toBe(whole.length);
  });

  test('stalls until the caller aborts the body', async () => {
    await using peer = await start(() => ({ do: 'stall', afterFrames: 1 }));
    const leaving = new AbortController();
    const init = { method: 'POST', headers: HEADERS, body: JSON.stringify(MESSAGE), signal: leaving.signal };
    const response = await peer.fetch(`${peer.url}/message:stream`, init);
    const reader = response.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    const silent = reader?.read();
    leaving.abort();
    await expect(silent).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('refuses, loses, and answers instead of the agent', async () => {
    const faults = [{ do: 'refuse' }, { do: 'lose' }, { do: 'answer', status: 503, headers: { 'retry-after': '1' } }] as const;
    await using peer = await start((_request, index) => faults[index]);
    await expect(postRest(peer, '/message:send')).rejects.toThrow('fetch failed');
    await expect(postRest(peer, '/message:send')).rejects.toThrow('fetch failed');
    const instead = await postRest(peer, '/message:send');
    expect([instead.status, instead.headers.get('retry-after')]).toEqual([503, '1']);
    await instead.text();
    const list = await bodyOf<{ tasks: unknown[] }>(await peer.fetch(`${peer.url}/tasks`, { headers: HEADERS }));
    expect(list.tasks.length).toBe(1); // the request whose answer was lost
  });
});

test('a proxy with an unreachable target drops its callers', async () => {
  const gone = await faultServer({ script: {} });
  await gone.close();
  await using proxy = await faultProxy({ target: gone.url, plan: () => undefined });
  await expect(fetch(`${proxy.url}/tasks/t`)).rejects.toThrow('fetch failed');
});

test('an invalid position is refused at once', async () => {
  const plan: NetworkPlan = () => ({ do: 'drop', afterBytes: 1, afterFrames: 1 });
  const faulty = withFaults(createTestFetch(agent()), plan);
  await expect(faulty('http://test/-/health')).rejects.toThrow('set afterBytes or afterFrames, not both');
  const beside = withFaults(createTestFetch(agent()), () => ({ do: 'drop', plus: -2 }));
  await expect(beside('http://test/-/health')).rejects.toThrow('plus must be an integer of at least -1, got -2');
  const half = withFaults(createTestFetch(agent()), () => ({ do: 'drop', afterBytes: 1.5 }));
  await expect(half('http://test/-/health')).rejects.toThrow('afterBytes and afterFrames must be whole numbers, got 1.5');
  await expect(faultProxy({ target: 'ftp://x', plan: () => undefined })).rejects.toThrow('target must be an http URL, got "ftp://x"');
});

test('an operation with an empty list of legs is an error of the script', async () => {
  await expect(faultFetch({ script: { GetTask: [] } })('http://test/tasks/t')).rejects.toThrow('the script of GetTask has no legs');
});
