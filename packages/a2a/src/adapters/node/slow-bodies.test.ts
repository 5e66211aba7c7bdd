// Real sockets, because the pace of their bytes is the point. The clock is manual, so that no test waits.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createAgent } from '../../server/create-agent.js';
import { manualClock } from '../../testing/manual-clock.js';
import { listen } from '../node.js';

async function serve() {
  const clock = manualClock();
  let timers = 0;
  const counting: typeof clock = {
    ...clock,
    after(delayMs, callback, options) {
      if (delayMs === 1_000) timers += 1;
      return clock.after(delayMs, callback, options);
    },
  };
  const server = await listen(createAgent({ name: 'Echo', execute: async () => 'ok', clock: counting }), { port: 0 });
  return { clock, timers: () => timers, server, [Symbol.asyncDispose]: () => server.close({ drainMs: 0 }) };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A client that has sent the head of a request with a long body. `bring` resolves when the server has read the bytes. */
async function begin({ server }: Awaited<ReturnType<typeof serve>>, path: string, length = 1_000_000) {
  const accepted = once(server.server, 'connection');
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  const [peer]: Socket[] = await accepted;
  let reply = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    reply += chunk;
  });
  let sent = 0;
  const write = async (text: string): Promise<void> => {
    socket.write(text);
    sent += text.length;
    while ((peer?.bytesRead ?? 0) < sent) await turn();
    await turn();
  };
  const headers = ['Host: localhost', 'A2A-Version: 1.0', 'Content-Type: application/json', `Content-Length: ${length}`];
  await write(`${[`POST ${path} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n`);
  return {
    socket,
    bring: (bytes: number) => write(' '.repeat(bytes)),
    get reply() {
      return reply;
    },
  };
}

test.each(['/', '/message:send'])('F62: a body slower than 1 KiB/s over 10 s gets 408, and its connection ends: POST %s', async (path) => {
  await using host = await serve();
  const client = await begin(host, path);
  const closed = once(client.socket, 'close');
  await client.bring(10 * 1024);
  await host.clock.tick(10_000);
  await client.bring(10 * 1024 - 1);
  await host.clock.tick(9_999);
  expect(client.reply).toBe('');
  await host.clock.tick(1);
  while (client.reply === '') await turn();
  client.socket.end();
  await closed;
  expect(client.reply).toMatch(/^HTTP\/1\.1 408 /);
  expect(client.reply.toLowerCase()).toContain('connection: close');
  expect(client.reply).toContain('The body brought 10239 bytes in 10 s, at least 1024 per second are required (minBodyBytesPerSecond)');
});

test('F62: a client that sends headers and no body gets 408', async () => {
  await using host = await serve();
  const client = await begin(host, '/');
  await host.clock.tick(10_000);
  while (client.reply === '') await turn();
  expect(client.reply).toMatch(/^HTTP\/1\.1 408 /);
  client.socket.destroy();
});

test.each([0, 100])('F62: a short body that stops after %i bytes gets 408, and its rest is discarded', async (bytes) => {
  await using host = await serve();
  const client = await begin(host, '/', 60_000);
  const closed = once(client.socket, 'close');
  await client.bring(bytes);
  await host.clock.tick(10_000);
  while (client.reply === '') await turn();
  expect(client.reply).toMatch(/^HTTP\/1\.1 408 /);
  expect(client.reply.match(/^connection: .*$/gim)).toEqual(['connection: close']);
  await client.bring(60_000 - bytes);
  await closed;
});

test('F62: many requests set at most one timer', async () => {
  await using host = await serve();
  const body = '{"jsonrpc":"2.0","id":1,"method":"ListTasks"}';
  const headers = { 'a2a-version': '1.0', 'content-type': 'application/json' };
  for (let n = 0; n < 5; n++) expect((await fetch(host.server.url, { method: 'POST', headers, body })).status).toBe(200);
  expect(host.timers()).toBeLessThanOrEqual(1);
  await host.clock.tick(60_000);
  expect(host.timers(), 'the timer stops when no body is read').toBeLessThanOrEqual(1);
});
