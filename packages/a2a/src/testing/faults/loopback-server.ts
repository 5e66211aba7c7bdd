/** A server within this process, reachable only from this machine. Closing it does not wait for clients. */

import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import type { AsyncDisposal } from '../../platform/async-disposal.js';
import type { Clock } from '../../protocol/clock.js';

export interface LoopbackServer extends AsyncDisposal {
  /** Without trailing slash. */
  readonly url: string;
  /** Drops every connection. Idempotent. */
  close(): Promise<void>;
}

export interface LoopbackOptions {
  readonly clock: Clock;
  /** How long a new connection waits before the server reads from it. */
  readonly acceptMs: number;
}

/** Listens on any free port of 127.0.0.1. */
export async function startLoopbackServer(listener: RequestListener, { clock, acceptMs }: LoopbackOptions): Promise<LoopbackServer> {
  const http = createServer(listener);
  const sockets = new Set<Socket>();
  const tcp = createTcpServer({ pauseOnConnect: acceptMs > 0, noDelay: true }, (socket) => {
    sockets.add(socket);
    const accept = (): void => {
      http.emit('connection', socket);
      if (acceptMs > 0) socket.resume();
    };
    const stopWaiting = acceptMs > 0 ? clock.after(acceptMs, accept) : undefined;
    socket.on('close', () => {
      stopWaiting?.();
      sockets.delete(socket);
    });
    socket.on('error', () => {}); // failing connections are expected here
    if (stopWaiting === undefined) accept();
  });
  await new Promise<void>((resolve, reject) => {
    tcp.once('error', reject);
    tcp.listen(0, '127.0.0.1', resolve);
  });
  const { port } = tcp.address() as AddressInfo; // a listening TCP server has an address
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= new Promise((resolve) => {
      tcp.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
    return closing;
  };
  return { url: `http://127.0.0.1:${port}`, close, [Symbol.asyncDispose]: close };
}

/** The whole body as text. */
export async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Keys are in lower case; repeated headers are joined. */
export function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}
