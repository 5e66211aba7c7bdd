/** Serves an agent on `node:http`. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopbackName, loopbackGuard } from '../bindings/loopback.js';
import { checkPublicUrl, type HandlerOptions } from '../bindings/options.js';
import { createHandler } from '../bindings/route.js';
import { A2AError } from '../protocol/errors.js';
import type { Agent, CloseOptions } from '../server/agent.js';
import { createListener, type NodeHandler } from './node/listener.js';
import { createStopper, type Stop } from './node/stopper.js';
import { checkAgent, requireAuth } from './requirements.js';

export type { CorsOptions, HandlerOptions, OwnRoute } from '../bindings/options.js';
export type { Agent, CloseOptions } from '../server/agent.js';
export type { WireReply, WireRequest, WireStream } from '../wire/http.js';

export interface ListenOptions extends HandlerOptions {
  /** 0 takes any free port. Default 4000. */
  readonly port?: number;
  /** Default 127.0.0.1. Another address than loopback wants the agent's `auth` to be given. */
  readonly host?: string;
  /** How long a whole request, body included, may take to arrive. Default 60,000. */
  readonly requestTimeoutMs?: number;
  /** How long a connection without a request is kept. Default 65,000: longer than load balancers keep theirs. */
  readonly keepAliveMs?: number;
}

export interface Listening {
  /** The address listened on, with the base path. */
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /**
   * Takes no more connections, drains the agent (`drainMs`, 30 s), then closes what is still open. With `lameDuckMs` it serves on for so
   * long before, and only `/-/ready` says that it is going away.
   */
  close(options?: CloseOptions): Promise<void>;
}

/** Starts a server for the agent; resolves when it listens. */
export async function listen(agent: Agent, options: ListenOptions = {}): Promise<Listening> {
  const { port = 4000, host = '127.0.0.1', basePath = '' } = options;
  checkAgent(agent);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new A2AError('INVALID_PARAMS', `listen needs a port from 0 to 65535, got ${JSON.stringify(port)}`);
  }
  const isLocal = isLoopbackName(host.toLowerCase());
  if (!isLocal) requireAuth(agent, host);
  const publicUrl = options.publicUrl === undefined ? undefined : checkPublicUrl(options.publicUrl);
  const ownUrl = (): string => toUrl(host, portOf(server));
  const handler = createHandler(
    agent,
    { ...options, anonymousList: options.anonymousList ?? (isLocal ? 'all' : 'context') },
    {
      // Nobody can call 0.0.0.0: there the card says what the caller called.
      ...(isWildcard(host) ? undefined : { ownUrl }),
      ...(isLocal ? { allowHost: loopbackGuard(publicUrl) } : undefined),
    },
  );
  const server = startServer(agent, handler, options);
  const stop = createStopper(server, agent);
  await listening(server, port, host);
  return {
    url: `${ownUrl()}${basePath.replace(/\/+$/, '')}`,
    port: portOf(server),
    server,
    close: (how) => close(agent, stop, how),
  };
}

async function close(agent: Agent, stop: Stop, how: CloseOptions = {}): Promise<void> {
  const closed = agent.close(how);
  if (how.lameDuckMs) await lameDuck(agent, closed, how.lameDuckMs);
  const finish = stop();
  try {
    await closed;
  } finally {
    await finish();
  }
}

/** Until the time is over; or the agent is closed, because somebody else has begun to before. */
function lameDuck({ settings }: Agent, closed: Promise<void>, delayMs: number): Promise<void> {
  return new Promise((resume) => {
    const takeBack = settings.clock.after(delayMs, resume);
    const onClosed = (): void => {
      takeBack();
      resume();
    };
    closed.then(onClosed, onClosed);
  });
}

/** The agent as a listener for a server of your own; `auth` has to be given, because only you know who reaches it. */
export function nodeHandler(agent: Agent, options: HandlerOptions = {}): NodeHandler {
  requireAuth(agent, 'A server of your own');
  const listener = createListener(agent, createHandler(agent, options));
  return (message, response) => listener(message, response);
}

function startServer(agent: Agent, handler: ReturnType<typeof createHandler>, options: ListenOptions): Server {
  const { requestTimeoutMs = 60_000, keepAliveMs = 65_000 } = options;
  const listener = createListener(agent, handler);
  const server = createServer({
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(requestTimeoutMs, 20_000),
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: Math.min(requestTimeoutMs, 5_000),
  });
  server.on('request', (message, response) => listener(message, response));
  // A client that asks before it sends a body is told after its credentials were looked at, not before.
  server.on('checkContinue', (message, response) => listener(message, response, { sendContinue: () => response.writeContinue() }));
  return server;
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function portOf(server: Server): number {
  // A TCP server that listens has an address with a port.
  return (server.address() as AddressInfo).port;
}

function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || host === '';
}

function toUrl(host: string, port: number): string {
  if (isWildcard(host)) return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
