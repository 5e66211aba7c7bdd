/** Serves an agent on `node:http`. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { isLoopbackName, loopbackGuard } from '../bindings/loopback-guard.js';
import { checkPublicUrl, HANDLER_RULES, type HandlerOptions } from '../bindings/options.js';
import { createHandler } from '../bindings/route.js';
import { checkOptions, type OptionRules } from '../platform/check-options.js';
import { anything, aPositiveNumber } from '../platform/option-rules.js';
import { withoutTrailingSlashes } from '../platform/trailing-slashes.js';
import { A2AError } from '../protocol/errors.js';
import type { Agent, CloseOptions } from '../server/agent.js';
import { createListener, type NodeHandler } from './node/listener.js';
import { checkAgent, requireAuth } from './requirements.js';

export type { CorsOptions, HandlerOptions, OwnRoute } from '../bindings/options.js';
export type { Agent, CloseOptions } from '../server/agent.js';
export type { WireReply, WireRequest, WireStream } from '../wire/http.js';

/** Options of `listen`: the address, timeouts, and the options of every host. */
export interface ListenOptions extends HandlerOptions {
  /** 0 selects any free port. Default 4000. */
  readonly port?: number;
  /** The address to bind. Default 127.0.0.1. An address other than loopback requires the agent's `auth`. */
  readonly host?: string;
  /** Milliseconds in which a whole request, including its body, must arrive. Default 60,000. */
  readonly requestTimeoutMs?: number;
  /** Milliseconds that an idle connection is kept. Default 65,000, which is longer than load balancers keep theirs. */
  readonly keepAliveMs?: number;
  /**
   * Milliseconds after which a connection ends when bytes of a reply or of a stream wait and none leaves. A client that reads slowly is not
   * affected. Default 30,000.
   */
  readonly writeTimeoutMs?: number;
}

/** A running server: read its `url`, and call `close` to stop it. */
export interface Listening {
  /** The address of the server, including the base path. */
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /**
   * Accepts no more connections, drains the agent (`drainMs`, 30 s), then closes the remaining connections. With `lameDuckMs`, it first
   * continues to serve for that time, and only `/-/ready` reports that it is closing.
   */
  close(options?: CloseOptions): Promise<void>;
}

/** An option without a rule does not compile. */
const LISTEN_RULES: OptionRules<ListenOptions> = {
  ...HANDLER_RULES,
  port: anything,
  host: anything,
  requestTimeoutMs: anything,
  keepAliveMs: anything,
  writeTimeoutMs: aPositiveNumber,
};

/**
 * Starts a server for the agent; resolves when it listens.
 *
 * @example
 * ```ts
 * import { closeOnSignals, listen } from '@parley/a2a/node';
 * import { createAgent } from '@parley/a2a/server';
 *
 * const agent = createAgent({ name: 'Echo', execute: async (context) => context.text });
 * const server = await listen(agent, { port: 4000 });
 * console.log(`The agent listens on ${server.url}`);
 * closeOnSignals(server);
 * ```
 */
export async function listen(agent: Agent, options: ListenOptions = {}): Promise<Listening> {
  const { port = 4000, host = '127.0.0.1', basePath = '' } = options;
  checkAgent(agent);
  checkOptions('listen', options, LISTEN_RULES);
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
      // A client cannot call 0.0.0.0: there the card contains the address that the caller used.
      ...(isWildcard(host) ? undefined : { ownUrl }),
      ...(isLocal ? { allowHost: loopbackGuard(publicUrl), refusePages: true } : undefined),
    },
  );
  const server = startServer(agent, handler, options);
  const stop = createStopper(server, agent);
  await listening(server, port, host);
  return {
    url: `${ownUrl()}${withoutTrailingSlashes(basePath)}`,
    port: portOf(server),
    server,
    close: (how) => close(agent, stop, how),
  };
}

/**
 * Returns a request listener for a server of your own. The agent needs `auth`, because the library cannot know which callers reach that
 * server.
 */
export function nodeHandler(agent: Agent, options: HandlerOptions = {}): NodeHandler {
  requireAuth(agent, 'A server of your own');
  checkOptions('nodeHandler', options, HANDLER_RULES);
  const listener = createListener(agent, createHandler(agent, options));
  return (message, response) => listener(message, response);
}

function startServer(agent: Agent, handler: ReturnType<typeof createHandler>, options: ListenOptions): Server {
  const { requestTimeoutMs = 60_000, keepAliveMs = 65_000 } = options;
  const listener = createListener(agent, handler, options.writeTimeoutMs);
  const server = createServer({
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(requestTimeoutMs, 20_000),
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: Math.min(requestTimeoutMs, 5_000),
  });
  server.on('request', (message, response) => listener(message, response));
  // A client that sends `Expect: 100-continue` gets its answer after its credentials were checked, not before.
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
  // A listening TCP server has an address with a port.
  return (server.address() as AddressInfo).port;
}

function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || host === '';
}

function toUrl(host: string, port: number): string {
  if (isWildcard(host)) return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
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

/** Resolves after the delay, or earlier if the agent is already closed because another call has closed it. */
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

/** How long replies in progress may take after the agent has closed. */
const GRACE_MS = 2_000;
const POLL_MS = 20;

/**
 * Stops listening at once. The returned function lets replies finish, closes idle connections, and after a grace period closes all others.
 */
type Stop = () => () => Promise<void>;

/**
 * Create it with the server: Node does not count a connection that never carried a request as idle, so connections are tracked from the
 * start.
 */
function createStopper(server: Server, agent: Pick<Agent, 'readiness'>): Stop {
  const unused = new Set<Socket>();
  const onRequest = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    unused.delete(socket);
    // A refused client then retries on a new connection, which a load balancer may send to another node.
    if (agent.readiness !== 'ready') response.shouldKeepAlive = false;
  };
  // One function for all connections, without `once`, which would allocate two more per connection.
  const onClose = function (this: Socket): void {
    unused.delete(this);
  };
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.on('close', onClose);
  });
  server.prependListener('request', onRequest).prependListener('checkContinue', onRequest);
  const dropIdle = (): void => {
    server.closeIdleConnections();
    for (const socket of unused) socket.destroy();
  };
  return () => {
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    return () => finish(server, closed, dropIdle);
  };
}

async function finish(server: Server, closed: Promise<void>, dropIdle: () => void): Promise<void> {
  // A connection becomes idle when its reply was sent, and Node emits no event for that.
  const poll = setInterval(dropIdle, POLL_MS);
  const last = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  dropIdle();
  try {
    await closed;
  } finally {
    clearInterval(poll);
    clearTimeout(last);
  }
}
