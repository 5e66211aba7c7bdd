/** Loopback servers for tests with real sockets. They close when the test ends. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Server as NetServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { HttpRequest } from '../../src/client/transports/exchange.js';
import { CERT, KEY } from './certificate.js';

export interface Served {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /** The total number of accepted connections. */
  connections(): number;
}

export async function serveHttp(listener: RequestListener, host = '127.0.0.1'): Promise<Served> {
  return startServer(createServer({ keepAliveTimeout: 60_000 }, listener), 'http', host);
}

export async function serveHttps(listener: RequestListener): Promise<Served> {
  return startServer(createSecureServer({ cert: CERT, key: KEY }, listener), 'https', '127.0.0.1');
}

/** Accepts connections and sends nothing. */
export async function serveSilence(): Promise<{ readonly port: number; readonly sockets: readonly Socket[] }> {
  const sockets: Socket[] = [];
  const server = createSocketServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
  });
  await listenOn(server, '127.0.0.1');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

async function startServer(server: Server, scheme: string, host: string): Promise<Served> {
  let connections = 0;
  server.on(scheme === 'https' ? 'secureConnection' : 'connection', () => {
    connections += 1;
  });
  await listenOn(server, host);
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const { port } = server.address() as AddressInfo;
  const authority = host.includes(':') ? `[${host}]` : host;
  return { url: `${scheme}://${authority}:${port}`, port, server, connections: () => connections };
}

function listenOn(server: NetServer, host: string): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(0, host, done);
  });
}

export const requestTo = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  headers: {},
  signal: undefined,
  timeouts: {},
  ...more,
});

/** Runs the event loop until the condition is true, without a time limit. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((next) => setImmediate(next));
}
