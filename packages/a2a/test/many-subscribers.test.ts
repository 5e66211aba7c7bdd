/** P52: two thousand streams on one task: one never reads, and a thousand disconnect. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeHandler } from '../src/adapters/node.js';
import type { Frame } from '../src/server/advanced.js';
import { type Agent, createAgent, type TaskEvents } from '../src/server/index.js';
import { callerOf, gate } from './harness.js';
import { refusal, until } from './looking.js';

const SUBSCRIBERS = 2_000;
const HELD_BYTES = 256 * 1024;
const MiB = 1024 * 1024;
/** Together 10 MiB for each reader: more than the operating system may hold for a connection that is not read (about 4 MiB on Linux). */
const CHUNKS = 320;
const CHUNK_BYTES = 32 * 1024;

/** How many streams can have a socket: each needs two descriptors here, and the process needs some for itself. */
function affordableSockets(): number {
  const limit = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  const files = limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit);
  return Math.max(100, Math.min(SUBSCRIBERS, Math.floor(files / 2) - 300));
}

/** An agent that publishes when the test calls `speak`. */
function speaker() {
  const steps: ((events: TaskEvents) => Promise<void>)[] = [];
  let next = gate();
  const agent = createAgent({
    name: 'Speaker',
    auth: 'none',
    maxReadersPerTask: SUBSCRIBERS,
    maxReadersPerCaller: SUBSCRIBERS,
    executor: {
      async execute(_, events) {
        await events.task();
        await events.flush();
        for (;;) {
          await next.passed;
          next = gate();
          for (const step of steps.splice(0)) await step(events);
          if (events.isFinal) return;
        }
      },
    },
  });
  const speak = (step: (events: TaskEvents) => Promise<void>): Promise<void> =>
    new Promise((resolve) => {
      steps.push((events) => step(events).then(resolve));
      next.open();
    });
  return { agent, speak };
}

/** What the server wrote to one stream. */
interface Served {
  readonly reply: ServerResponse;
  writes: number;
}

/** The agent on loopback sockets, with responses that the test can inspect. */
async function serve(agent: Agent) {
  const served = new Map<number, Served>();
  const handle = nodeHandler(agent);
  const server = createServer((message, reply) => {
    const entry: Served = { reply, writes: 0 };
    served.set(message.socket.remotePort ?? 0, entry);
    const write = reply.write.bind(reply) as (text: string) => boolean;
    reply.write = (text: string): boolean => {
      entry.writes += 1;
      return write(text);
    };
    handle(message, reply);
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 });
  await once(server, 'listening');
  onTestFinished(async () => {
    await agent.close({ drainMs: 0 });
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, forget: () => served.clear(), of: ({ socket }: Client): Served | undefined => served.get(socket.localPort ?? 0) };
}

/** A subscriber over a socket. It keeps the last data that it read. */
class Client {
  readonly socket: Socket;
  bytes = 0;
  #last = '';

  constructor(port: number, id: string) {
    this.socket = connect(port, '127.0.0.1').on('error', () => {});
    this.socket.write(`GET /tasks/${id}:subscribe HTTP/1.1\r\nHost: 127.0.0.1\r\nA2A-Version: 1.0\r\n\r\n`);
  }

  read(): this {
    this.socket.on('data', (piece) => {
      this.bytes += piece.length;
      this.#last = (this.#last + piece.toString('latin1', Math.max(0, piece.length - 400))).slice(-400);
    });
    return this;
  }

  hasLast(text: string): boolean {
    return this.#last.includes(text);
  }

  leave(): void {
    this.socket.destroy();
  }
}

/** A subscriber without a socket. */
class InProcess {
  bytes = 0;
  leave = (): void => {};
  #last = '';

  static async subscribe(agent: Agent, id: string): Promise<InProcess> {
    const reply = await callerOf(agent).handle('SubscribeToTask', { id });
    if (reply.kind !== 'stream') throw new Error('no stream');
    const reader = new InProcess();
    const reading = reply.open({ send: (frames) => reader.#see(frames), end: () => {} });
    reader.leave = () => reading.close();
    return reader;
  }

  #see(frames: readonly Frame[]): true {
    for (const { json } of frames) this.bytes += json.length;
    this.#last = frames.at(-1)?.json ?? this.#last;
    return true;
  }

  hasLast(text: string): boolean {
    return this.#last.includes(text);
  }
}

type Subscriber = Client | InProcess;

const all = (readers: readonly Subscriber[], text: string): Promise<void> => until(() => readers.every((reader) => reader.hasLast(text)));

const say =
  (text: string) =>
  async (events: TaskEvents): Promise<void> => {
    await events.working(text);
    await events.flush();
  };

describe('P52: two thousand subscribers of one task', () => {
  test('P52: a subscriber that never reads holds at most 256 KiB while several MiB are published, and delays neither the writer nor other readers', async () => {
    const { agent, speak } = speaker();
    const server = await serve(agent);
    const { id } = await callerOf(agent).task('go', { returnImmediately: true });
    const slow = new Client(server.port, id);
    // Only some have sockets. The cost for the writer does not depend on that, and gigabytes need not be moved here.
    const clients = Array.from({ length: 49 }, () => new Client(server.port, id).read());
    const others = await Promise.all(Array.from({ length: SUBSCRIBERS - 50 }, () => InProcess.subscribe(agent, id)));
    const fast = [...clients, ...others];
    await all(fast, '"task"');
    await until(() => server.of(slow)?.writes === 1);
    const held = server.of(slow)?.reply;
    if (held === undefined) throw new Error('the slow subscriber has no response');
    let most = 0;
    const chunk = 'x'.repeat(CHUNK_BYTES);
    const look = async (): Promise<void> => {
      most = Math.max(most, held.writableLength);
      await nextTurn();
    };
    await speak(async (events) => {
      for (let n = 0; n < CHUNKS; n += 1) {
        await events.appendText('a', `${n} ${chunk}`);
        await events.flush();
        if (n % 8 === 7) await look();
      }
      await events.working('that was all');
      await events.flush();
    });
    await all(fast, 'that was all');
    for (let turn = 0; turn < 100; turn += 1) await look();
    expect(Math.min(...fast.map(({ bytes }) => bytes)), 'every other subscriber has everything').toBeGreaterThan(CHUNKS * CHUNK_BYTES);
    expect(held.writableNeedDrain, 'while the slow subscriber is behind').toBe(true);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(HELD_BYTES);

    slow.read();
    await all([slow], 'that was all');
    expect(slow.bytes, 'the slow subscriber misses nothing').toBe(clients[0]?.bytes);
    await speak((events) => events.complete());
    for (const { socket } of clients) socket.destroy();
  }, 60_000);

  test('P52: a thousand subscribers that disconnect are removed: their places are free, no event is written to them, their memory is released', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const { agent, speak } = speaker();
    const server = await serve(agent);
    const { id } = await callerOf(agent).task('go', { returnImmediately: true });
    const used = async (): Promise<number> => {
      for (let turn = 0; turn < 20; turn += 1) await nextTurn();
      collect();
      return process.memoryUsage().heapUsed;
    };
    const base = await used();
    const sockets = affordableSockets();
    const clients = Array.from({ length: sockets }, () => new Client(server.port, id).read());
    const others = await Promise.all(Array.from({ length: SUBSCRIBERS - sockets }, () => InProcess.subscribe(agent, id)));
    const readers: Subscriber[] = [...clients, ...others];
    await all(readers, '"task"');
    expect(await refusal(callerOf(agent).subscribe(id)), 'all places are taken').toMatchObject({ reason: 'RATE_LIMITED' });
    await speak(say('to all'));
    await all(readers, 'to all');
    const busy = await used();

    const [leavers, stayers] = [readers.filter((_, n) => n % 2 === 0), readers.filter((_, n) => n % 2 === 1)];
    const heard = new Map(leavers.map((reader) => [reader, reader.bytes]));
    const served = (list: readonly Subscriber[]) => list.flatMap((reader) => (reader instanceof Client ? [server.of(reader)] : []));
    const written = { leavers: served(leavers), stayers: served(stayers) };
    for (const reader of leavers) reader.leave();
    await until(() => written.leavers.every((each) => each?.reply.destroyed));
    const writes = written.stayers.map((each) => each?.writes ?? 0);
    for (const each of written.leavers) if (each) each.writes = 0;
    await speak(say('to the others'));
    await all(stayers, 'to the others');
    expect(leavers.every((reader) => reader.bytes === heard.get(reader))).toBe(true);
    expect(written.leavers.filter((each) => each?.writes !== 0)).toEqual([]);
    expect(
      written.stayers.map((each, index) => (each?.writes ?? 0) - (writes[index] ?? 0)),
      'and once to each of the others',
    ).toEqual(writes.map(() => 1));
    const again = await Promise.all(leavers.map(() => InProcess.subscribe(agent, id)));
    expect(await refusal(callerOf(agent).subscribe(id)), 'exactly as many free places as disconnects').toMatchObject({
      reason: 'RATE_LIMITED',
    });

    for (const reader of [...stayers, ...again]) reader.leave();
    await until(() => written.stayers.every((each) => each?.reply.destroyed));
    await speak(say('to no reader'));
    heard.clear();
    for (const list of [clients, others, readers, leavers, stayers, again, written.leavers, written.stayers]) list.length = 0;
    server.forget();
    const after = await used();
    expect(after - base, `${base} before, ${busy} with all of them, ${after} afterwards`).toBeLessThan(
      Math.max(4 * MiB, (busy - base) / 4),
    );
    await speak((events) => events.complete());
  }, 60_000);
});
