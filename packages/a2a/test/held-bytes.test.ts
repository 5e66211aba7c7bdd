// The bytes that a host holds for its callers: bodies that it reads, and replies that their callers do not read.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { fetchHandler } from '../src/adapters/fetch.js';
import { listen } from '../src/adapters/node.js';
import type { Agent, AgentOptions } from '../src/server/index.js';
import { createAgent } from '../src/server/index.js';
import { endpointsOf, fetchAt, restEndpoint, taskOf, userMessage, V1 } from './endpoints.js';

const MiB = 1024 * 1024;
const as = (name: string) => ({ authorization: name });

/** Callers are named by their header. A message that is a number gets an artifact with that many characters. */
function agentWith(limits: Partial<AgentOptions>): Agent {
  return createAgent({
    name: 'Bytes',
    auth: (request) => ({ id: request.header('authorization') ?? '' }),
    executor: {
      async execute({ text }, events) {
        for (let left = Number(text) || 1; left > 0; left -= MiB) await events.appendText('long', 'x'.repeat(Math.min(left, MiB)));
        await events.complete();
      },
    },
    ...limits,
  });
}

async function serve(limits: Partial<AgentOptions>) {
  const listening = await listen(agentWith(limits), { port: 0 });
  return { ...listening, [Symbol.asyncDispose]: () => listening.close({ drainMs: 0 }) };
}

interface Upload {
  readonly socket: Socket;
  /** The answer so far. */
  text(): string;
}

interface UploadStart {
  readonly caller: string;
  /** The header that gives the length of the body. */
  readonly length: string;
  readonly part?: string;
  readonly path?: string;
}

/** Sends the head of a request and a part of its body. */
async function upload(port: number, { caller, length, part = '', path = '/message:send' }: UploadStart): Promise<Upload> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  await once(socket, 'connect');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const head = [`POST ${path} HTTP/1.1`, 'Host: localhost', 'A2A-Version: 1.0', 'Content-Type: application/json'];
  socket.write(`${[...head, `Authorization: ${caller}`, length].join('\r\n')}\r\n\r\n${part}`);
  return { socket, text: () => text };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await nextTurn();
}

/** The first line and the retry hint of the answer. */
async function refusalOf({ text, socket }: Upload): Promise<readonly (string | undefined)[]> {
  await until(() => text().includes('}}'));
  socket.destroy();
  return [/^HTTP\/1.1 (\d+)/.exec(text())?.[1], /retry-after: (\d+)/i.exec(text())?.[1], /"reason":"(\w+)"/.exec(text())?.[1]];
}

describe('F67: bodies that are being read', () => {
  const body = JSON.stringify(userMessage('1'));
  const padded = (length: number): string => body + ' '.repeat(length - body.length);

  /** Occupies `length` bytes of the caller's share, until the rest is sent. */
  async function occupy(port: number, caller: string, length: number): Promise<Upload> {
    const begun = await upload(port, { caller, length: `Content-Length: ${length}`, part: '{' });
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    return begun;
  }

  test('F67: a body within the share of its caller is read, one byte more is 429 with Retry-After, and others are served', async () => {
    await using server = await serve({ maxHeldBytesPerCaller: 1_000 });
    const first = await occupy(server.port, 'ann', 600);
    const fits = await occupy(server.port, 'ann', 400);
    expect(fits.text()).toBe('');
    fits.socket.destroy();
    for (let turn = 0; turn < 50; turn++) await nextTurn();
    expect(await refusalOf(await upload(server.port, { caller: 'ann', length: 'Content-Length: 401' }))).toEqual([
      '429',
      '1',
      'RATE_LIMITED',
    ]);
    expect((await restEndpoint(fetchAt(server.url)).call('SendMessage', userMessage('1'), as('bob'))).status).toBe(200);
    first.socket.write(padded(600).slice(1));
    await until(() => first.text().includes('TASK_STATE_COMPLETED'));
    const next = await occupy(server.port, 'ann', 1_000);
    next.socket.write(padded(1_000).slice(1));
    await until(() => next.text().includes('TASK_STATE_COMPLETED'));
    first.socket.destroy();
    next.socket.destroy();
  });

  test('F67: bodies of all callers above the total are 503 with Retry-After', async () => {
    await using server = await serve({ maxHeldBytesPerCaller: 1_000, maxHeldBytes: 1_500 });
    const [ann, bob] = [await occupy(server.port, 'ann', 1_000), await occupy(server.port, 'bob', 500)];
    expect(await refusalOf(await upload(server.port, { caller: 'cyd', length: 'Content-Length: 1' }))).toEqual([
      '503',
      '1',
      'AGENT_UNAVAILABLE',
    ]);
    expect(bob.text()).toBe('');
    ann.socket.destroy();
    bob.socket.destroy();
  });

  test('F67: a body without a length counts as it arrives', async () => {
    await using server = await serve({ maxHeldBytesPerCaller: 1_000 });
    const first = await occupy(server.port, 'ann', 600);
    const chunked = await upload(server.port, {
      caller: 'ann',
      length: 'Transfer-Encoding: chunked',
      part: `190\r\n${' '.repeat(0x190)}\r\n`,
    });
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    expect(chunked.text()).toBe('');
    chunked.socket.write('1\r\n \r\n');
    expect(await refusalOf(chunked)).toEqual(['429', '1', 'RATE_LIMITED']);
    first.socket.destroy();
  });

  test('F67: JSON-RPC: a refused body is 429 with the id null', async () => {
    await using server = await serve({ maxHeldBytesPerCaller: 1_000 });
    const first = await occupy(server.port, 'ann', 1_000);
    const rpc = await upload(server.port, { caller: 'ann', length: 'Content-Length: 10', path: '/' });
    expect(await refusalOf(rpc)).toEqual(['429', '1', 'RATE_LIMITED']);
    expect(rpc.text()).toContain('"id":null');
    first.socket.destroy();
  });
});

/** Creates a task of about this size and returns its id. */
async function createTask(url: string, caller: string, chars: number): Promise<string> {
  const [, rest] = endpointsOf(fetchAt(url));
  const params = { ...userMessage(String(chars)), configuration: { returnImmediately: true, historyLength: 0 } };
  const { id } = taskOf(await rest.call('SendMessage', params, as(caller)));
  for (;;) {
    const { result } = await rest.call('ListTasks', { status: 'TASK_STATE_COMPLETED' }, as(caller));
    if (result?.tasks.some((task) => task.id === id)) return id;
  }
}

describe('F63: replies that wait for their reader', () => {
  test('F63: while an answer waits, its caller gets 429 for more reads, can send messages, and other callers are served', async () => {
    await using server = await serve({ maxHeldBytesPerCaller: MiB });
    const id = await createTask(server.url, 'ann', 16 * MiB);
    const other = await createTask(server.url, 'bob', 10);
    const [rpc, rest] = endpointsOf(fetchAt(server.url));
    for (const path of ['/tasks?includeArtifacts=true', `/tasks/${id}`]) {
      const socket = connect({ port: server.port, host: '127.0.0.1' }).pause();
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nA2A-Version: 1.0\r\nAuthorization: ann\r\n\r\n`);
      await once(socket, 'readable'); // the answer has begun, and is not read
      expect((await rest.call('GetTask', { id }, as('ann'))).status).toBe(429);
      for (const method of ['GetTask', 'ListTasks', 'SubscribeToTask'] as const) {
        const { error, headers } = await rpc.call(method, method === 'ListTasks' ? {} : { id }, as('ann'));
        expect([error?.code, error?.reason, headers.get('retry-after')], method).toEqual([-31004, 'RATE_LIMITED', '1']);
      }
      expect((await rest.call('SendMessage', userMessage('1'), as('ann'))).status).toBe(200);
      expect((await rest.call('GetTask', { id: other }, as('bob'))).status).toBe(200);
      socket.destroy();
      while ((await rest.call('ListTasks', {}, as('ann'))).status !== 200);
    }
  });

  test('F63: the total of all callers is 503, and an answer in progress is not cut', async () => {
    await using server = await serve({ maxHeldBytesPerCaller: MiB, maxHeldBytes: 2 * MiB });
    const [long, short] = [await createTask(server.url, 'ann', 16 * MiB), await createTask(server.url, 'bob', 2 * MiB)];
    const slow = await fetch(`${server.url}/tasks/${long}`, { headers: { ...V1, ...as('ann') } });
    const [, rest] = endpointsOf(fetchAt(server.url));
    const { status, error } = await rest.call('GetTask', { id: short }, as('bob'));
    expect([status, error?.reason]).toEqual([503, 'AGENT_UNAVAILABLE']);
    expect((await slow.text()).length).toBeGreaterThan(16 * MiB);
    while ((await rest.call('GetTask', { id: short }, as('bob'))).status !== 200);
  });

  test('F63: on a fetch host, an answer counts until it is read or its reader leaves', async () => {
    const handle = fetchHandler(agentWith({ maxHeldBytesPerCaller: 150_000 }));
    const ask = (path: string, init: RequestInit = {}) =>
      handle(new Request(`http://agent.test${path}`, { ...init, headers: { ...V1, ...as('ann'), 'content-type': 'application/json' } }));
    const sent = await ask('/message:send', { method: 'POST', body: JSON.stringify(userMessage('100000')) });
    const { id } = taskOf({ result: await sent.json() } as never);
    const unread = await ask(`/tasks/${id}`);
    expect([unread.status, (await ask(`/tasks/${id}`)).status]).toEqual([200, 429]);
    await unread.body?.cancel();
    const read = await ask(`/tasks/${id}`);
    expect((await read.text()).includes('x'.repeat(100_000))).toBe(true);
    expect((await ask(`/tasks/${id}`)).status).toBe(200);
  });
});

describe('F63: pages of lists', () => {
  test('F63: a page ends at 4 MiB and continues by its token, the total stays exact, and a larger task is a page of its own', async () => {
    await using server = await serve({});
    const ids: string[] = [];
    for (const size of [1, 5 * MiB, 2.1 * MiB, 1.9 * MiB, 1]) ids.unshift(await createTask(server.url, 'ann', Math.floor(size)));
    const [, rest] = endpointsOf(fetchAt(server.url));
    const pages: (readonly string[])[] = [];
    let pageToken: string | undefined;
    do {
      const params = { includeArtifacts: true, ...(pageToken && { pageToken }) };
      const { result } = await rest.call('ListTasks', params, as('ann'));
      pages.push(result?.tasks.map(({ id }) => id) ?? []);
      expect([result?.totalSize, result?.pageSize]).toEqual([5, 50]);
      pageToken = result?.nextPageToken;
    } while (pageToken);
    expect(pages).toEqual([[ids[0], ids[1]], [ids[2]], [ids[3]], [ids[4]]]);
    const { result: short } = await rest.call('ListTasks', {}, as('ann'));
    expect(short?.tasks).toHaveLength(5);
  });
});
