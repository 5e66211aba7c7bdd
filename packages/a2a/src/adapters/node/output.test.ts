// Clients that do not read, or that send requests before they have read the answers.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createAgent } from '../../server/create-agent.js';
import { type ManualClock, manualClock } from '../../testing/manual-clock.js';
import type { HeldBytes, WireOutput, WireReply } from '../../wire/http.js';
import { HEARTBEAT } from '../../wire/sse.js';
import { type ListenOptions, listen, type OwnRoute } from '../node.js';

const BIG = 'x'.repeat(16 * 1024 * 1024); // more than the operating system buffers

interface Served extends AsyncDisposable {
  readonly port: number;
  /** The server's ends of the connections. */
  readonly sockets: readonly Socket[];
}

async function serve(handle: OwnRoute['handle'], options: ListenOptions & { readonly clock?: ManualClock } = {}): Promise<Served> {
  const { clock, ...more } = options;
  const agent = createAgent({ name: 'Output', execute: async ({ text }) => text, ...(clock && { clock }) });
  const listening = await listen(agent, { port: 0, routes: [{ path: '/out/*', handle }], ...more });
  const sockets: Socket[] = [];
  listening.server.on('connection', (socket) => sockets.push(socket));
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await listening.close({ drainMs: 0 });
  };
  return { port: listening.port, sockets, [Symbol.asyncDispose]: close };
}

const reply = (body: string | Uint8Array): WireReply => ({ status: 200, headers: { 'content-type': 'text/plain' }, body });

/** Counts without a bound. */
function reserved(bytes: number): HeldBytes {
  const held = {
    bytes,
    reserve: () => {},
    set(now: number) {
      held.bytes = now;
    },
  };
  return held;
}

/** A connection that does not read until `resume` is called. */
async function dial(port: number): Promise<{ readonly socket: Socket; readonly closed: Promise<void>; text(): string }> {
  const socket = connect({ port, host: '127.0.0.1' }).pause();
  socket.on('error', () => {});
  await once(socket, 'connect');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).pause();
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  return { socket, closed, text: () => Buffer.concat(chunks).toString() };
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

async function turns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn();
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await nextTurn();
}

describe('F60: several requests on one connection', () => {
  test('F60: the next request starts when the answer to the previous one is finished, and the answers keep their order', async () => {
    const started: string[] = [];
    const gates = new Map<string, (reply: WireReply) => void>();
    await using server = await serve(({ path }) => {
      started.push(path);
      return new Promise((resolve) => gates.set(path, resolve));
    });
    const { socket, text } = await dial(server.port);
    socket.resume().write(get('/out/1') + get('/out/2') + get('/out/3'));
    for (const n of [1, 2, 3]) {
      await until(() => started.length === n);
      await turns();
      expect(started).toEqual(['/out/1', '/out/2', '/out/3'].slice(0, n));
      gates.get(`/out/${n}`)?.(reply(`answer ${n}.`));
    }
    await until(() => text().includes('answer 3.'));
    expect(text().match(/answer \d\./g)).toEqual(['answer 1.', 'answer 2.', 'answer 3.']);
  });

  test('F60: while a client reads no answer, one answer is made, and only a part of it is in the buffer of its connection', async () => {
    let made = 0;
    await using server = await serve(() => {
      made += 1;
      return reply(BIG);
    });
    const { socket, text } = await dial(server.port);
    socket.write(get('/out/big').repeat(3));
    await until(() => (server.sockets[0]?.writableLength ?? 0) > 0 && made > 0);
    await turns();
    expect(made).toBe(1);
    expect(server.sockets[0]?.writableLength).toBeLessThan(256 * 1024);
    let read = 0;
    socket.on('data', ({ length }: Buffer) => {
      read += length;
    });
    socket.resume();
    await until(() => read > 3 * BIG.length);
    expect(made).toBe(3);
    expect(text().split(BIG)).toHaveLength(4);
  });

  test('F60: 64 requests may wait for an answer; one more ends the connection', async () => {
    await using server = await serve(({ path }) => reply(`answer ${path}.`));
    const [allowed, excessive] = [await dial(server.port), await dial(server.port)];
    allowed.socket.resume().write(get('/out/ok').repeat(65));
    excessive.socket.resume().write(get('/out/no').repeat(66));
    await excessive.closed;
    await until(() => allowed.text().split('answer /out/ok.').length === 66);
    expect(allowed.socket.destroyed).toBe(false);
  });
});

describe('F60: long replies', () => {
  test.each([
    ['one byte per character', 'abcdefghij'.repeat(50_000)],
    ['several bytes per character', `a${'é€😀'.repeat(80_000)}`],
    ['exactly one slice', 'x'.repeat(64 * 1024)],
    ['one byte more than a slice', 'x'.repeat(64 * 1024 + 1)],
  ])('F60: a reply with %s arrives unchanged, with its length', async (_, body) => {
    await using server = await serve(() => reply(body));
    const response = await fetch(`http://127.0.0.1:${server.port}/out/text`);
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(body)));
    expect((await response.text()) === body).toBe(true);
  });

  test('F60: HEAD has the length and no body', async () => {
    await using server = await serve(() => reply('x'.repeat(200_000)));
    const response = await fetch(`http://127.0.0.1:${server.port}/out/text`, { method: 'HEAD' });
    expect([response.headers.get('content-length'), await response.text()]).toEqual(['200000', '']);
  });

  test('F60: the text of a stream that is longer than a slice arrives unchanged, and its reader is paused meanwhile', async () => {
    const long = `${'é€😀'.repeat(80_000)}.`;
    let paused = false;
    const open = (output: WireOutput) => {
      paused = !output.write(long);
      return {
        resume() {
          output.write('the end');
          output.end();
        },
        close: () => {},
      };
    };
    await using server = await serve(() => ({ status: 200, headers: {}, body: { open } }));
    const response = await fetch(`http://127.0.0.1:${server.port}/out/stream`);
    expect((await response.text()) === `${long}the end`).toBe(true);
    expect(paused).toBe(true);
  });
});

/** While the operating system fills its buffers, bytes still leave: so the exact time is unknown. */
async function untilEnded({ sockets }: Served, clock: ManualClock): Promise<void> {
  while (sockets[0]?.destroyed === false) await clock.tick(1_000);
}

describe('F63: clients that do not read', () => {
  /** Opens a stream whose text never ends. */
  const endless = (onClose: () => void) => (output: WireOutput) => {
    const pump = (): void => {
      while (output.write('x'.repeat(10_000)));
    };
    pump();
    return { resume: pump, close: onClose };
  };

  test.each([
    ['a text', () => reply(BIG)],
    ['bytes', () => reply(Buffer.from(BIG))],
    ['a stream', () => ({ status: 200, headers: {}, body: { open: endless(() => {}) } })],
  ] as const)('F63: a connection on which %s waits ends after writeTimeoutMs in which no byte left, and not earlier', async (_, handle) => {
    const clock = manualClock();
    await using server = await serve(handle, { clock, writeTimeoutMs: 6_000 });
    const { socket } = await dial(server.port);
    socket.write(get('/out/big'));
    await until(() => (server.sockets[0]?.writableLength ?? 0) > 0);
    await clock.tick(5_000);
    expect(server.sockets[0]?.destroyed).toBe(false);
    await untilEnded(server, clock);
  });

  test('F63: the default of writeTimeoutMs is 30 seconds', async () => {
    const clock = manualClock();
    await using server = await serve(() => reply(BIG), { clock });
    const { socket } = await dial(server.port);
    socket.write(get('/out/big'));
    await until(() => (server.sockets[0]?.writableLength ?? 0) > 0);
    await clock.tick(29_000);
    expect(server.sockets[0]?.destroyed).toBe(false);
    await untilEnded(server, clock);
  });

  test('F63: a client that reads slowly is not disconnected, although it takes longer than writeTimeoutMs', async () => {
    const clock = manualClock();
    await using server = await serve(() => reply(BIG), { clock, writeTimeoutMs: 6_000 });
    const { socket } = await dial(server.port);
    let read = 0;
    socket.on('data', ({ length }: Buffer) => {
      read += length;
    });
    socket.write(get('/out/big'));
    await until(() => (server.sockets[0]?.writableLength ?? 0) > 0);
    for (let round = 1; round <= 8; round++) {
      socket.resume();
      await until(() => read > round * 1024 * 1024);
      socket.pause();
      await turns();
      await clock.tick(2_000);
    }
    expect(server.sockets[0]?.destroyed).toBe(false);
    socket.resume();
    await until(() => read > BIG.length);
  });

  test('F63: a connection without waiting bytes is not watched: an idle stream stays open', async () => {
    const clock = manualClock();
    const open = (output: WireOutput) => {
      output.write('hello');
      return { resume: () => {}, close: () => {} };
    };
    await using server = await serve(() => ({ status: 200, headers: {}, body: { open } }), { clock, writeTimeoutMs: 6_000 });
    const { socket, text } = await dial(server.port);
    socket.resume().write(get('/out/stream'));
    await until(() => text().includes('hello'));
    await clock.tick(60_000);
    expect(server.sockets[0]?.destroyed).toBe(false);
  });

  test('F63: the bytes that a stream has reserved count until its first event, whatever is sent to keep the connection open', async () => {
    const held = reserved(100_000);
    let output: WireOutput | undefined;
    const open = (opened: WireOutput) => {
      output = opened;
      return { resume: () => {}, close: () => {} };
    };
    await using server = await serve(() => ({ status: 200, headers: {}, body: { open }, held }));
    const { socket, text } = await dial(server.port);
    socket.resume().write(get('/out/stream'));
    await until(() => output !== undefined);
    output?.write(HEARTBEAT);
    await until(() => text().includes(HEARTBEAT));
    await turns();
    expect(held.bytes).toBe(100_000);
    output?.write('data: a short event\n\n');
    await until(() => text().includes('a short event'));
    await until(() => held.bytes === 0);
  });

  test('F63: the bytes that a stream has reserved do not count after it ended without an event', async () => {
    const held = reserved(100_000);
    const open = (output: WireOutput) => {
      output.end();
      return { resume: () => {}, close: () => {} };
    };
    await using server = await serve(() => ({ status: 200, headers: {}, body: { open }, held }));
    expect(await (await fetch(`http://127.0.0.1:${server.port}/out/stream`)).text()).toBe('');
    await until(() => held.bytes === 0);
  });

  test('writeTimeoutMs must be a positive number', async () => {
    await expect(serve(() => reply(''), { writeTimeoutMs: 0 })).rejects.toThrow('writeTimeoutMs');
  });
});
