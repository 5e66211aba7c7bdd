/** Messages that a server sends at an unexpected moment. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { Connections, within } from './connections.js';
import { postgresStore } from './index.js';

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5, type);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const LET_IN = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);
const GOES_AWAY = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'));

test('a server that shuts down in the moment of the connect fails calls, but does not end the process', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end(Buffer.concat([LET_IN, GOES_AWAY])));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const store = postgresStore(`postgresql://user@127.0.0.1:${port}/postgres`, { patienceMs: 100 });
  onTestFinished(async () => {
    await store.close();
    server.close();
  });
  await expect(store.now()).rejects.toBeInstanceOf(Error); // without a listener, the process would have ended here
});

describe('F61: the timeout of a statement', () => {
  const block = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

  test('F61: an answer that arrived while the event loop was blocked is not too late', async () => {
    const connections = Connections.many(inject('postgresUrl'), 1);
    onTestFinished(() => connections.close());
    await connections.use(5_000, (ask) => ask('SELECT 1'));
    const answer = connections.use(200, async (ask) => {
      const [first] = await Promise.all([ask('SELECT 1'), Promise.resolve().then(() => block(400))]);
      await ask('SELECT 2'); // a second round trip, as in a transaction
      return first;
    });
    expect(await answer).toEqual([[1]]);
  });

  test('F61: a statement without an answer still ends after the timeout', async () => {
    const never = new Promise(() => {});
    await expect(within(20, never)).rejects.toThrow('PostgreSQL did not answer within 20 ms');
    const blocked = within(20, never);
    block(100);
    await expect(blocked).rejects.toThrow('PostgreSQL did not answer');
  });
});
