/** Stops a server without cutting off replies in progress. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Agent } from '../../server/agent.js';

const GRACE_MS = 2_000;
const POLL_MS = 20;

/**
 * Stops listening at once. The returned function lets replies finish, closes idle connections, and after a grace period closes all others.
 */
export type Stop = () => () => Promise<void>;

/**
 * Create it with the server: Node does not count a connection that never carried a request as idle, so connections are tracked from the
 * start.
 */
export function createStopper(server: Server, agent: Pick<Agent, 'readiness'>): Stop {
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
