/** A proxy in front of PostgreSQL that loses selected statements or responses. */
import { connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  /** The URL of the database through the proxy. */
  readonly url: string;
  /** The next statement that contains the text reaches the server; its response is lost, and the connection is closed. */
  loseAnswerOf(text: string): void;
  /** The next statement that contains the text is lost before the server, and the connection is closed. */
  loseRequest(text: string): void;
  /** Drops all data from now on, without closing a connection. */
  freeze(): void;
  thaw(): void;
  /** The number of losses. */
  readonly lost: number;
  close(): Promise<void>;
}

type Rule = { readonly text: string; readonly loses: 'request' | 'answer' };

/** Listens on a free port of 127.0.0.1 and forwards everything to the database. */
export async function cuttingProxy(database: string): Promise<CuttingProxy> {
  const { port, hostname } = new URL(database);
  const sockets = new Set<Socket>();
  let rule: Rule | undefined;
  let isFrozen = false;
  let lost = 0;

  const lose = (...ends: readonly Socket[]): void => {
    rule = undefined;
    lost += 1;
    for (const end of ends) end.destroy();
  };
  const server = createServer((client) => {
    const inner = connect(Number(port), hostname);
    let isCutting = false;
    for (const socket of [client, inner]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    client.on('close', () => inner.destroy());
    inner.on('close', () => client.destroy());
    client.on('data', (data) => {
      if (isFrozen) return;
      const isMeant = rule !== undefined && data.includes(rule.text);
      if (isMeant && rule?.loses === 'request') return lose(client, inner);
      if (isMeant) isCutting = true;
      inner.write(data);
    });
    inner.on('data', (data) => {
      if (isFrozen) return;
      if (isCutting) return lose(client, inner);
      client.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const own = Object.assign(new URL(database), { port: address.port });

  return {
    url: own.href,
    loseAnswerOf(text) {
      rule = { text, loses: 'answer' };
    },
    loseRequest(text) {
      rule = { text, loses: 'request' };
    },
    freeze() {
      isFrozen = true;
    },
    thaw() {
      isFrozen = false;
    },
    get lost() {
      return lost;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
