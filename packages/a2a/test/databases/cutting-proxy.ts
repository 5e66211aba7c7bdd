/** A network in front of PostgreSQL that loses what it is told to lose. */
import { connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  /** The database as seen through it. */
  readonly url: string;
  /** The next statement that contains the text reaches the server; its answer is lost, and so is the connection. */
  loseAnswerOf(text: string): void;
  /** The next statement that contains the text is lost on its way, and so is the connection. */
  loseRequest(text: string): void;
  /** What comes from now on is neither passed on nor refused. */
  freeze(): void;
  thaw(): void;
  /** How often something was lost. */
  readonly lost: number;
  close(): Promise<void>;
}

type Rule = { readonly text: string; readonly loses: 'request' | 'answer' };

/** Listens on a free port of 127.0.0.1 and passes everything on to the database. */
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
  if (address === null || typeof address === 'string') throw new Error('a server that listens has a port');
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
