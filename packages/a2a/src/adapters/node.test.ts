// Behavior that only a real socket can show.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { bodyOf, endpointsOf, fetchAt, restEndpoint, taskOf, userMessage, V1 } from '../../test/endpoints.js';
import type { AgentCard } from '../protocol/types.js';
import type { Sink } from '../server/call.js';
import { createAgent } from '../server/create-agent.js';
import { memoryStore } from '../stores/memory.js';
import { manualClock } from '../testing/manual-clock.js';
import { scriptedExecutor } from '../testing/scripted-executor.js';
import { type ListenOptions, listen, nodeHandler } from './node.js';

const echo = { name: 'Echo', execute: async ({ text }: { text: string }) => text } as const;

async function serve(agent = createAgent(echo), options: ListenOptions = {}) {
  const listening = await listen(agent, { port: 0, ...options });
  return { ...listening, [Symbol.asyncDispose]: () => listening.close({ drainMs: 0 }) };
}

/** A connection to which the test writes raw bytes. */
async function dial(port: number): Promise<{ readonly socket: Socket; readonly text: Promise<string> }> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => {});
  // Not `once`, because that rejects on an error, and some of these connections end with one.
  const closed = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(text));
  });
  return { socket, text: closed };
}

const head = (verb: string, path: string, ...headers: readonly string[]): string =>
  `${[`${verb} ${path} HTTP/1.1`, 'Host: localhost', 'A2A-Version: 1.0', 'Content-Type: application/json', ...headers].join('\r\n')}\r\n\r\n`;

const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);

async function isAlive(url: string): Promise<boolean> {
  const [rpc, rest] = endpointsOf(fetchAt(url));
  const task = taskOf(await rpc.call('SendMessage', userMessage('alive')));
  return (await rest.call('GetTask', { id: task.id })).status === 200;
}

test('listen answers on the given port, and close stops it', async () => {
  const server = await serve();
  expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  expect(await isAlive(server.url)).toBe(true);
  await server.close();
  await expect(fetch(server.url)).rejects.toThrow();
});

test('a port that is in use is reported at once', async () => {
  await using server = await serve();
  await expect(listen(createAgent(echo), { port: server.port })).rejects.toThrow(/EADDRINUSE/);
});

test('D31: a host other than loopback requires auth, and "none" is accepted', async () => {
  for (const host of ['0.0.0.0', '::', '192.0.2.1', 'example.com', '']) {
    await expect(listen(createAgent(echo), { port: 0, host }), host).rejects.toThrow(/auth/);
  }
  await using server = await serve(createAgent({ ...echo, auth: 'none' }), { host: '0.0.0.0' });
  expect(await isAlive(`http://127.0.0.1:${server.port}`)).toBe(true);
  expect(() => nodeHandler(createAgent(echo))).toThrow(/auth/);
});

test('D31: anonymous callers list all tasks on loopback, and only by context elsewhere', async () => {
  await using local = await serve();
  await using wide = await serve(createAgent({ ...echo, auth: 'none' }), { host: '0.0.0.0' });
  expect((await restEndpoint(fetchAt(local.url)).call('ListTasks', {})).status).toBe(200);
  const { status, error } = await restEndpoint(fetchAt(wide.url)).call('ListTasks', {});
  expect([status, error?.message]).toEqual([400, expect.stringContaining('contextId')]);
});

test('D30: bound to every address, the card contains the address that the caller used', async () => {
  await using server = await serve(createAgent({ ...echo, auth: 'none' }), { host: '0.0.0.0' });
  for (const name of ['127.0.0.1', 'localhost']) {
    const card = await bodyOf<AgentCard>(await fetch(`http://${name}:${server.port}/.well-known/agent-card.json`));
    expect(card.supportedInterfaces[0]?.url).toBe(`http://${name}:${server.port}`);
  }
});

test('D31: bound to loopback, a page that uses DNS rebinding gets 421', async () => {
  await using server = await serve(createAgent(echo), { publicUrl: 'https://agent.example.com' });
  const ask = async (host: string): Promise<number> => {
    const { socket, text } = await dial(server.port);
    socket.on('end', () => socket.end()).write(`GET /-/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    return statusOf(await text);
  };
  expect([await ask('evil.test'), await ask(`evil.test:${server.port}`)]).toEqual([421, 421]);
  expect([await ask('localhost'), await ask('agent.example.com')]).toEqual([200, 200]);
});

test('D26: a client with Expect: 100-continue is refused or continued after its credentials were checked', async () => {
  const agent = createAgent({ ...echo, auth: (request) => (request.header('authorization') === 'Bearer a' ? { id: 'a' } : undefined) });
  await using server = await serve(agent);
  const body = JSON.stringify(userMessage('x'));
  const ask = (...headers: readonly string[]) => head('POST', '/message:send', 'Expect: 100-continue', 'Connection: close', ...headers);

  const stranger = await dial(server.port);
  stranger.socket.write(ask(`Content-Length: ${body.length}`));
  const [refused] = await once(stranger.socket, 'data');
  expect(statusOf(refused)).toBe(401);
  stranger.socket.destroy();

  const friend = await dial(server.port);
  friend.socket.write(ask('Authorization: Bearer a', `Content-Length: ${body.length}`));
  expect(statusOf((await once(friend.socket, 'data'))[0])).toBe(100);
  friend.socket.on('end', () => friend.socket.end()).write(body);
  expect(await friend.text).toMatch(/TASK_STATE_COMPLETED/);

  const glutton = await dial(server.port);
  glutton.socket.write(ask('Authorization: Bearer a', 'Content-Length: 99999999'));
  expect(statusOf((await once(glutton.socket, 'data'))[0])).toBe(413);
  glutton.socket.destroy();
});

test('D21: a body without end is refused, and its sender can read the reason', async () => {
  await using server = await serve(createAgent({ ...echo, maxBodyBytes: 100_000 }));
  for (const path of ['/', '/message:send']) {
    const { socket, text } = await dial(server.port);
    socket.write(head('POST', path, 'Transfer-Encoding: chunked'));
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    let answered = false;
    const pump = (): void => {
      while (!answered && socket.write(chunk));
    };
    socket.on('drain', pump).once('data', () => {
      answered = true;
      socket.end();
    });
    pump();
    const answer = await text;
    expect([statusOf(answer), answer], path).toEqual([413, expect.stringContaining('CONTENT_TOO_LARGE')]);
    expect(answer).toMatch(/connection: close/i);
  }
  expect(await isAlive(server.url)).toBe(true);
});

test('a small refused body does not close the connection', async () => {
  const agent = createAgent({ ...echo, auth: () => undefined });
  await using server = await serve(agent);
  const { socket, text } = await dial(server.port);
  const body = JSON.stringify(userMessage('x'));
  socket.write(head('POST', '/message:send', `Content-Length: ${body.length}`));
  await once(socket, 'data');
  socket.write(body);
  socket.write(head('GET', '/-/health', 'Connection: close'));
  socket.on('end', () => socket.end());
  const answers = await text;
  expect([statusOf(answers), answers]).toEqual([401, expect.stringContaining('{"status":"ok"}')]);
});

test('a slow body times out, and the server continues', async () => {
  await using server = await serve(createAgent(echo), { requestTimeoutMs: 100 });
  for (const start of [`${head('POST', '/', 'Content-Length: 1000')}{"json`, 'POST / HTTP/1.1\r\nHost: loc']) {
    const { socket, text } = await dial(server.port);
    socket.write(start);
    socket.on('end', () => socket.end());
    expect(statusOf(await text)).toBe(408);
  }
  expect(await isAlive(server.url)).toBe(true);
});

test('half-closed sockets, truncated bodies and garbage end without an error', async () => {
  const errors: unknown[] = [];
  await using server = await serve(createAgent({ ...echo, onError: (error) => errors.push(error) }));
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: userMessage('x') });
  const starts = [
    `${head('POST', '/', 'Content-Length: 1000')}{"json`,
    `${head('POST', '/', 'Transfer-Encoding: chunked')}5\r\n{"jso`,
    head('POST', '/', `Content-Length: ${body.length}`) + body,
    'GET / HT',
    '\u0000\u0001\u0002nonsense\r\n\r\n',
    head('GET', '/\u0000'),
    '',
  ];
  for (const start of starts) {
    const halfClosed = await dial(server.port);
    halfClosed.socket.end(start);
    expect(await halfClosed.text).not.toMatch(/at \w+ \(|node:|\.ts/);
    const cut = await dial(server.port);
    cut.socket.write(start, () => cut.socket.resetAndDestroy());
    await cut.text;
  }
  expect(await isAlive(server.url)).toBe(true);
  expect(errors).toEqual([]);
});

test('a reader that half-closes its socket has disconnected', async () => {
  let left = (): void => {};
  const gone = new Promise<void>((resolve) => {
    left = resolve;
  });
  const open = () => ({ resume: () => {}, close: () => left() });
  const agent = createAgent({ ...echo, interceptors: [() => async () => ({ kind: 'stream', extensions: [], open })] });
  await using server = await serve(agent);
  const { socket } = await dial(server.port);
  socket.write(head('GET', '/tasks/t:subscribe'));
  await once(socket, 'data');
  socket.end();
  await gone;
});

test('a blocking send continues after its caller disconnects', async () => {
  const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'go' }, { do: 'complete', text: 'done' }]);
  await using server = await serve(createAgent({ name: 'Gate', executor }));
  const body = JSON.stringify(userMessage('x', { contextId: 'c1' }));
  const { socket } = await dial(server.port);
  socket.write(head('POST', '/message:send', `Content-Length: ${body.length}`) + body);
  const rest = restEndpoint(fetchAt(server.url));
  while (executor.runs.length === 0) await new Promise(setImmediate);
  socket.destroy();
  executor.open('go');
  const id = executor.runs[0]?.taskId;
  const stream = await rest.stream('SubscribeToTask', { id }, { 'last-event-id': '0' });
  expect((await stream.rest()).at(-1)?.result?.statusUpdate?.status.state).toBe('TASK_STATE_COMPLETED');
});

test('events of one event-loop iteration are sent in one chunk', async () => {
  const sinks: Sink[] = [];
  const frame = (seq: number) => ({ json: '{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}', seq });
  const open = (sink: Sink) => {
    sinks.push(sink);
    return { resume: () => {}, close: () => {} };
  };
  const agent = createAgent({ ...echo, interceptors: [() => async () => ({ kind: 'stream', extensions: [], open })] });
  await using server = await serve(agent);
  const { socket, text } = await dial(server.port);
  socket.write(head('GET', '/tasks/t:subscribe'));
  await once(socket, 'data');
  for (let seq = 1; seq <= 3; seq++) sinks[0]?.send([frame(seq)]);
  sinks[0]?.end({ kind: 'done' });
  socket.on('data', (piece: string) => {
    if (piece.endsWith('0\r\n\r\n')) socket.end();
  });
  const [, body = ''] = (await text).split('\r\n\r\n', 2);
  // The first chunk is the comment that sent the headers.
  const pieces = [...body.matchAll(/([0-9a-f]+)\r\n/g)].map(([, size = '']) => Number.parseInt(size, 16));
  expect(pieces).toHaveLength(2);
});

test('close ends streams with a retry hint, answers pending requests, and accepts no more connections', async () => {
  const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'never' }]);
  const server = await serve(createAgent({ name: 'Gate', executor }));
  const { socket, text } = await dial(server.port);
  const body = JSON.stringify(userMessage('x'));
  socket.write(head('POST', '/message:stream', `Content-Length: ${body.length}`) + body);
  socket.on('end', () => socket.end());
  await once(socket, 'data');
  await dial(server.port); // a connection that never sends anything
  await server.close({ drainMs: 0 });
  expect(await text).toMatch(/retry: 500\n\n/);
  await expect(fetch(server.url)).rejects.toThrow();
});

test('D20: for lameDuckMs a closing server continues to serve, and only reports that it is not ready', async () => {
  const clock = manualClock();
  const server = await serve(createAgent({ ...echo, clock }));
  await clock.tick();
  const ready = async (): Promise<unknown[]> => {
    const response = await fetch(`${server.url}/-/ready`, { headers: { connection: 'close' } });
    return [response.status, await response.json()];
  };
  expect(await ready()).toEqual([200, { status: 'ready' }]);
  let isClosed = false;
  const closed = server.close({ lameDuckMs: 5_000, drainMs: 0 }).then(() => {
    isClosed = true;
  });
  await clock.tick(4_999);
  expect(await ready()).toEqual([503, { status: 'closing' }]);
  const sent = restEndpoint(fetchAt(server.url)).call('SendMessage', userMessage('still here'));
  await clock.tick(0);
  expect(taskOf(await sent).status.state).toBe('TASK_STATE_COMPLETED');
  expect(isClosed).toBe(false);
  await clock.tick(1);
  await closed;
  await expect(fetch(`${server.url}/-/ready`)).rejects.toThrow();
});

test('D20: with an agent that is already closed, the server closes at once without lameDuckMs', async () => {
  const agent = createAgent(echo);
  const server = await serve(agent);
  await agent.close();
  await server.close({ lameDuckMs: 3_600_000 });
  await expect(fetch(server.url)).rejects.toThrow();
});

test.each([{ drainMs: -1 }, { lameDuckMs: -1 }, { lameDuckMs: Number.NaN }])(
  'close(%o) is refused, and the server continues to serve',
  async (how) => {
    await using server = await serve();
    await expect(server.close(how)).rejects.toMatchObject({
      reason: 'INVALID_PARAMS',
      message: expect.stringContaining('must be 0 or more'),
    });
    expect(await isAlive(server.url)).toBe(true);
  },
);

test('D20: while it drains, a connected client can read that it is closing', async () => {
  const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'go' }, { do: 'complete' }]);
  const server = await serve(createAgent({ name: 'Gate', executor }));
  await restEndpoint(fetchAt(server.url)).call('SendMessage', { ...userMessage('x'), configuration: { returnImmediately: true } });
  const { socket, text } = await dial(server.port);
  const closed = server.close();
  socket.write('GET /-/ready HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'end'); // so that the next try may reach another node
  socket.destroy();
  expect(await text).toMatch(/^HTTP\/1\.1 503 [\s\S]*connection: close\r\n[\s\S]*\{"status":"closing"\}$/i);
  executor.open('go');
  await closed;
});

test('D12: a node that is not ready closes each connection after its reply, so that a retry may reach another node; a ready node keeps it', async () => {
  let answer: 'ok' | 'taken' = 'taken';
  const store = memoryStore();
  const agent = createAgent({ ...echo, store: { ...store, beat: async () => answer }, onError: () => {} });
  await using server = await serve(agent);
  const ask = async (): Promise<string> => {
    const { socket, text } = await dial(server.port);
    socket.write('GET /-/ready HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    socket.destroy();
    return text;
  };
  await vi.waitFor(() => expect(agent.readiness).toBe('unavailable'));
  expect(await ask()).toMatch(/^HTTP\/1\.1 503 [\s\S]*connection: close\r\n/i);
  answer = 'ok';
  await vi.waitFor(() => expect(agent.readiness).toBe('ready'), 5_000);
  expect(await ask()).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: keep-alive\r\n/i);
});

test('Kubernetes calls the address of the pod: bound to all addresses, any host name is served', async () => {
  await using server = await serve(createAgent({ ...echo, auth: () => undefined }), { host: '0.0.0.0' });
  for (const path of ['/-/live', '/-/ready']) {
    const { socket, text } = await dial(server.port);
    socket.on('end', () => socket.end()).write(`GET ${path} HTTP/1.1\r\nHost: 10.1.2.3:${server.port}\r\nConnection: close\r\n\r\n`);
    expect(statusOf(await text), path).toBe(200);
  }
});

test('a page of the host with invalid headers is a 500, and the server continues', async () => {
  const errors: unknown[] = [];
  const routes = [{ path: '/-/bad', handle: () => ({ status: 200, headers: { 'x-bad': 'a\nb' }, body: '' }) }];
  await using server = await serve(createAgent({ ...echo, onError: (error) => errors.push(error) }), { routes });
  expect((await fetch(`${server.url}/-/bad`)).status).toBe(500);
  expect(errors).toHaveLength(1);
  expect(await isAlive(server.url)).toBe(true);
});

test('unusual but legal request lines are understood', async () => {
  await using server = await serve();
  const ask = async (request: string): Promise<number> => {
    const { socket, text } = await dial(server.port);
    socket.on('end', () => socket.end()).write(request);
    return statusOf(await text);
  };
  expect(await ask(`GET http://localhost:${server.port}/-/health?x=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)).toBe(200);
  expect(await ask('OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).toBe(405);
  expect(await ask('GET /-/health HTTP/1.0\r\n\r\n')).toBe(200);
  expect(await ask('GET /.well-known/agent-card.json HTTP/1.0\r\n\r\n')).toBe(200);
});

test('D30: with nodeHandler behind a trusted proxy, the card contains the public address', async () => {
  const server = createServer(nodeHandler(createAgent({ ...echo, auth: 'none' }), { trustProxy: true }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const headers = { 'x-forwarded-host': 'agent.example.com', 'x-forwarded-proto': 'https', ...V1 };
  const card = await bodyOf<AgentCard>(await fetch(`http://127.0.0.1:${port}/.well-known/agent-card.json`, { headers }));
  expect(card.supportedInterfaces[0]?.url).toBe('https://agent.example.com');
  server.closeAllConnections();
  server.close();
});
