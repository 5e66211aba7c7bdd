// The handler inside hosts that change Node's objects: middleware, and serverless platforms without a socket.
import { once } from 'node:events';
import { createServer, IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { userMessage } from '../../../test/endpoints.js';
import { createAgent } from '../../server/create-agent.js';
import { manualClock } from '../../testing/manual-clock.js';
import type { HeldBytes, WireOutput, WireReply } from '../../wire/http.js';
import { nodeHandler, type OwnRoute } from '../node.js';
import { NodeRequest } from './request.js';

const BIG = 'x'.repeat(16 * 1024 * 1024); // more than the operating system buffers

function handlerOf(handle: OwnRoute['handle'], clock = manualClock()) {
  const agent = createAgent({ name: 'Hosted', auth: 'none', execute: async ({ text }) => text, clock });
  return nodeHandler(agent, { routes: [{ path: '/out/*', handle }] });
}

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { port: (server.address() as AddressInfo).port, [Symbol.asyncDispose]: close };
}

async function dial(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

function counter(): HeldBytes {
  const held = {
    bytes: 0,
    reserve: (bytes: number) => held.set(bytes),
    set(bytes: number) {
      held.bytes = bytes;
    },
  };
  return held;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await nextTurn();
}

const head = (verb: string, path: string, length = 0): string =>
  `${verb} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`;

/** As the middleware `compression` does it: listeners of `drain` belong to another stream, which `on` then returns. */
function divertDrain(response: ServerResponse): void {
  const on = response.on.bind(response);
  const other = new PassThrough();
  const divert = (name: string, listener: () => void): unknown => (name === 'drain' ? other.on(name, listener) : on(name, listener));
  Object.assign(response, { on: divert });
}

test('behind a middleware that replaces on(drain), a text does not count after its client left', async () => {
  const held = counter();
  const handler = handlerOf(() => ({ status: 200, headers: {}, body: BIG, held }));
  await using server = await serve((message, response) => {
    divertDrain(response);
    handler(message, response);
  });
  const socket = (await dial(server.port)).pause();
  socket.write(head('GET', '/out/text'));
  await until(() => held.bytes > 0);
  socket.destroy();
  await until(() => held.bytes === 0);
});

test('behind a middleware that replaces on(drain), a stream is closed when its client left', async () => {
  let isClosed = false;
  const open = (output: WireOutput) => {
    output.write('hello');
    return {
      resume: () => {},
      close() {
        isClosed = true;
      },
    };
  };
  const handler = handlerOf(() => ({ status: 200, headers: {}, body: { open } }));
  await using server = await serve((message, response) => {
    divertDrain(response);
    handler(message, response);
  });
  const socket = await dial(server.port);
  socket.write(head('GET', '/out/stream'));
  await once(socket, 'data');
  socket.destroy();
  await until(() => isClosed);
});

/** The objects that serverless adapters create: plain objects are the sockets, and `write` returns nothing. */
function serverless(method: string, url: string, body = '') {
  const chunks: string[] = [];
  const message = new IncomingMessage({ encrypted: true, remoteAddress: '127.0.0.1' } as unknown as Socket);
  const headers = { host: 'localhost', 'a2a-version': '1.0', 'content-type': 'application/json', 'content-length': `${body.length}` };
  Object.assign(message, { method, url, headers, complete: true, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
  message.push(body);
  message.push(null);
  const response = new ServerResponse(message);
  const none = (): void => {};
  const write = (chunk: string | Buffer, ...more: unknown[]): void => {
    chunks.push(chunk.toString());
    for (const callback of more) if (typeof callback === 'function') callback();
  };
  const socket = { _writableState: {}, writable: true, on: none, removeListener: none, destroy: none, cork: none, uncork: none, write };
  response.assignSocket(socket as unknown as Socket);
  return { message, response, text: () => chunks.join('') };
}

const LONG = '#'.repeat(500_000);

test.each([
  ['a short text', () => ({ status: 200, headers: {}, body: 'short' }), 'short'],
  ['a long text', () => ({ status: 200, headers: {}, body: LONG }), LONG],
  ['bytes', () => ({ status: 200, headers: {}, body: Buffer.from(LONG) }), LONG],
] as const)('on a socket that is a plain object, %s is sent, is no longer counted, and is not watched', async (_, reply, expected) => {
  const clock = manualClock();
  let timers = 0;
  const after: typeof clock.after = (delayMs, ...more) => {
    if (delayMs === 5_000) timers += 1; // a sixth of the default of writeTimeoutMs
    return clock.after(delayMs, ...more);
  };
  const held = counter();
  held.set(1_000_000);
  const handler = handlerOf((): WireReply => ({ ...reply(), held }), { ...clock, after });
  const { message, response, text } = serverless('GET', '/out/text');
  const finished = once(response, 'finish');
  handler(message, response);
  await finished;
  expect(text().endsWith(expected)).toBe(true);
  expect([held.bytes, timers]).toEqual([0, 0]);
});

test('on a socket that is a plain object, a stream goes on after each write', async () => {
  const held = counter();
  let rounds = 0;
  const open = (output: WireOutput) => {
    const pump = (): void => {
      rounds += 1;
      output.write(LONG);
      if (rounds === 3) output.end();
    };
    pump();
    return { resume: pump, close: () => {} };
  };
  const handler = handlerOf(() => ({ status: 200, headers: {}, body: { open }, held }));
  const { message, response, text } = serverless('GET', '/out/stream');
  const finished = once(response, 'finish');
  handler(message, response);
  await finished;
  expect(text().match(/#/g)).toHaveLength(3 * LONG.length);
  expect(held.bytes).toBe(0);
});

test('on a socket that is a plain object, SendMessage gets its answer', async () => {
  const { message, response, text } = serverless('POST', '/message:send', JSON.stringify(userMessage('hello')));
  const finished = once(response, 'finish');
  handlerOf(() => ({ status: 404, headers: {}, body: '' }))(message, response);
  await finished;
  expect(text()).toContain('TASK_STATE_COMPLETED');
});

test('on a socket that is a plain object, a call that waits for its client to leave does not fail', () => {
  const stay = new NodeRequest(serverless('POST', '/').message).onLeave(() => {});
  expect(stay).not.toThrow();
});

/** The result of `body`, called when Node has closed the message of the request. */
async function bodyAfterClose(request: string, begin: (message: IncomingMessage, socket: Socket) => void) {
  const held = counter();
  let socket: Socket | undefined;
  let resolve = (_: Promise<string>): void => {};
  const body = new Promise<string>((settle) => {
    resolve = settle;
  });
  await using server = await serve((message) => {
    message.on('error', () => {});
    message.on('close', () => resolve(new NodeRequest(message).body(1_000, held)));
    if (socket !== undefined) begin(message, socket);
  });
  socket = await dial(server.port);
  socket.write(request);
  return { text: await body.catch((error: Error) => error.message), reserved: held.bytes };
}

test.each([
  ['a part of its body', '{'],
  ['its whole body', '{}'],
])('the body of a client that left after %s is refused and reserves nothing', async (_, part) => {
  const left = await bodyAfterClose(head('POST', '/', 2) + part, (_message, socket) => socket.destroy());
  expect(left).toEqual({ text: 'The body ended early', reserved: 0 });
});

test('an empty body that a middleware has read is an empty text', async () => {
  expect(await bodyAfterClose(head('POST', '/'), (message) => message.resume())).toEqual({ text: '', reserved: 0 });
});

test('a request that a middleware has answered is ignored, and its connection stays usable', async () => {
  const handler = handlerOf(() => ({ status: 200, headers: {}, body: 'agent.' }));
  await using server = await serve((message, response) => {
    response.end('middleware.', () => handler(message, response));
  });
  const socket = await dial(server.port);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  for (let n = 1; n <= 70; n++) {
    socket.write(head('GET', '/out/text'));
    await until(() => text.split('middleware.').length > n || socket.destroyed);
  }
  expect(socket.destroyed).toBe(false);
  expect(text).not.toContain('agent.');
  socket.destroy();
});
