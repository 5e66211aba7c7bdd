/** Helpers for the tests of both buses: a recording listener, and a connection to the server that can be cut. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { EventBus, Move } from '../../src/bus/bus.js';

/** All calls that a listener received, in order. */
export interface BusRecorder {
  readonly moves: Move[];
  readonly hearing: boolean[];
  stop(): void;
  /** Resolves when `isEnough` returns true; it is checked after each call. */
  until(isEnough: (ear: BusRecorder) => boolean): Promise<void>;
}

export function recordBus(bus: EventBus): BusRecorder {
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const check of [...waiting]) check();
  };
  const stop = bus.listen(
    (moves) => {
      ear.moves.push(...moves);
      wake();
    },
    (hears) => {
      ear.hearing.push(hears);
      wake();
    },
  );
  const ear: BusRecorder = {
    moves: [],
    hearing: [],
    stop,
    until: (isEnough) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!isEnough(ear)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
  return ear;
}

/** Returns the bus when it is connected. */
export async function hearing(bus: EventBus): Promise<EventBus> {
  const ear = recordBus(bus);
  await ear.until(({ hearing }) => hearing.at(-1) === true);
  ear.stop();
  return bus;
}

export function move(id: string, seq: number): Move {
  return { ref: { agent: '', tenant: '', owner: 'owner', id }, seq };
}

export interface Line {
  readonly port: number;
  /** Cuts all connections. */
  cut(): void;
  /** Passes nothing in either direction from now on, without closing a connection. */
  freeze(): void;
  /** Refuses new connections, or accepts them again. */
  refuse(isRefused: boolean): void;
  /** The current number of connections. */
  readonly count: number;
  close(): Promise<void>;
}

/** A server that accepts connections and sends nothing. */
export async function silentServer(): Promise<{ readonly port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => {})));
  return {
    port: await listening(server),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

/** A TCP proxy to a server on this machine. */
export async function lineTo(port: number): Promise<Line> {
  const sockets = new Set<Socket>();
  let isRefused = false;
  const server = createServer((near) => {
    if (isRefused) {
      near.destroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    const cut = (): void => {
      near.destroy();
      far.destroy();
      sockets.delete(near);
    };
    sockets.add(near);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on('error', cut).on('close', cut);
    near.once('frozen', () => {
      near.unpipe().resume();
      far.unpipe().resume();
    });
  });
  return {
    port: await listening(server),
    get count() {
      return sockets.size;
    },
    cut() {
      for (const socket of [...sockets]) socket.destroy();
    },
    freeze() {
      for (const socket of [...sockets]) socket.emit('frozen');
    },
    refuse(value) {
      isRefused = value;
    },
    close: () => {
      for (const socket of [...sockets]) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
