/** Messages that a server sends at an unexpected moment. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
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
