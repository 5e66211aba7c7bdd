/** Ends a server without cutting off what it is about to say. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Agent } from '../../server/agent.js';

const GRACE_MS = 2_000;
const POLL_MS = 20;

/** Stops listening at once. The function it gives lets replies finish, drops idle connections, and after a moment all others. */
export type Stop = () => () => Promise<void>;

/** Has to know the server from its start: Node does not count a connection that never carried a request among the idle ones. */
export function createStopper(server: Server, agent: Pick<Agent, 'readiness'>): Stop {
  const unused = new Set<Socket>();
  const onRequest = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    unused.delete(socket);
    // Who is refused and tries again does so on another connection, which a balancer may lead to another node.
    if (agent.readiness !== 'ready') response.shouldKeepAlive = false;
  };
  // One function for all connections, and not `once`, which would make two more for each.
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
  // A connection turns idle when its reply is out, and Node tells nobody.
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
