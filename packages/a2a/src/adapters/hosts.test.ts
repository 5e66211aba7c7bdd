// The same tests on every host, inside the real framework.
import { expect, test } from 'vitest';
import { bodyOf, endpointsOf, restErrorOf, taskOf, userMessage, V1 } from '../../test/endpoints.js';
import { HOSTS } from '../../test/hosts.js';
import type { AgentCard } from '../protocol/types.js';
import type { Sink } from '../server/call.js';
import { createAgent } from '../server/create-agent.js';
import { memoryStore } from '../stores/memory.js';
import type { TaskStore } from '../stores/store.js';
import { scriptedExecutor } from '../testing/scripted-executor.js';

const echo = { name: 'Echo', auth: 'none', execute: async ({ text }: { text: string }) => text } as const;
/** A frame of 8 KiB. */
const frame = (seq: number) => ({
  json: `{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"},"metadata":{"x":"${'x'.repeat(8_100)}"}}}`,
  seq,
});

/** An agent that streams `count` frames as fast as the reader accepts them, and then nothing more. */
function pouring(count: number) {
  const closed = deferred<void>();
  const state = { sent: 0, closed: closed.promise };
  const open = (sink: Sink) => {
    const pour = (): void => {
      while (state.sent < count) if (!sink.send([frame(state.sent++)])) return;
    };
    setImmediate(pour);
    return { resume: () => setImmediate(pour), close: () => closed.resolve() };
  };
  const answer = async () => ({ kind: 'stream', extensions: [], open }) as const;
  return { agent: createAgent({ ...echo, interceptors: [() => answer] }), state };
}

/** Waits until a number has stopped growing for several event-loop iterations. */
async function settled(read: () => number): Promise<number> {
  let last = read();
  for (let still = 0; still < 500; still++) {
    await new Promise(setImmediate);
    if (read() !== last) still = 0;
    last = read();
  }
  return last;
}

async function answerOf(asked: Promise<Response>) {
  const response = await asked;
  return { status: response.status, headers: response.headers, body: await bodyOf(response) };
}

function deferred<T>(): { readonly promise: Promise<T>; resolve(value: T): void } {
  let resolve = (_: T): void => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve: (value) => resolve(value) };
}

for (const { name, hasSocket, start } of HOSTS) {
  test(`D30: ${name}: the card contains the address that the caller used`, async () => {
    await using host = await start(createAgent(echo));
    const response = await host.knock('/.well-known/agent-card.json');
    const { supportedInterfaces } = await bodyOf<AgentCard>(response);
    // Two bindings in two versions.
    expect(supportedInterfaces.map(({ url }) => url)).toEqual(Array(4).fill(host.url));
    const again = await host.knock('/.well-known/agent-card.json', { headers: { 'if-none-match': response.headers.get('etag') ?? '' } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await host.knock('/.well-known/agent-card.json', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test(`D20: ${name}: it is live while it serves, and ready from the first answer of the store until it closes`, async () => {
    const inner = memoryStore();
    const first = deferred<void>();
    const beat: TaskStore['beat'] = async (...call) => first.promise.then(() => inner.beat(...call));
    const agent = createAgent({ ...echo, store: { ...inner, beat } });
    await using host = await start(agent);
    const ask = async (path: string): Promise<unknown[]> => {
      const { status, headers, ...response } = await answerOf(host.knock(path));
      expect([headers.get('cache-control'), headers.get('content-type')]).toEqual(['no-store', 'application/json']);
      return [status, response.body, headers.get('retry-after')];
    };
    const alive = [200, { status: 'ok' }, null];
    expect([await ask('/-/live'), await ask('/-/health')]).toEqual([alive, alive]);
    expect(await ask('/-/ready')).toEqual([503, { status: 'starting' }, '1']);
    first.resolve();
    await settled(() => Number(agent.readiness === 'ready'));
    expect(await ask('/-/ready')).toEqual([200, { status: 'ready' }, null]);
    const head = await host.knock('/-/ready', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    await agent.close();
    expect(await ask('/-/ready')).toEqual([503, { status: 'closing' }, '1']);
    expect([await ask('/-/live'), await ask('/-/health')]).toEqual([alive, alive]);
  });

  test(`D20: ${name}: it is not ready while its store cannot be reached, but stays live`, async () => {
    const inner = memoryStore();
    const beat: TaskStore['beat'] = () => Promise.reject(new Error('connect ECONNREFUSED'));
    const agent = createAgent({ ...echo, store: { ...inner, beat } });
    await using host = await start(agent);
    await settled(() => Number(agent.readiness === 'unavailable'));
    const { status, body } = await answerOf(host.knock('/-/ready'));
    expect([status, body]).toEqual([503, { status: 'unavailable' }]);
    expect((await host.knock('/-/live')).status).toBe(200);
  });

  test(`D30: ${name}: a page of the host may be bytes, and may cover everything below a path`, async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const headers = { 'content-type': 'image/png' };
    const routes = [
      {
        path: '/-/pictures/*',
        handle: ({ path }: { path: string }) => ({ status: path.endsWith('none') ? 404 : 200, headers, body: bytes }),
      },
    ];
    await using host = await start(createAgent(echo), { routes });
    const response = await host.knock('/-/pictures/of/the/sea');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
    expect((await host.knock('/-/pictures/none')).status).toBe(404);
    const head = await host.knock('/-/pictures/a', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test(`G47: ${name}: a task sent over one binding can be read over the other`, async () => {
    await using host = await start(createAgent(echo));
    const [rpc, rest] = endpointsOf(host.knock);
    const task = taskOf(await rpc.call('SendMessage', userMessage('grüße ��')));
    expect(task.artifacts?.[0]?.parts).toEqual([{ text: 'grüße ��' }]);
    expect((await rest.call('GetTask', { id: task.id })).result).toEqual(task);
    expect((await rpc.call('GetTask', { id: 'none' })).error?.code).toBe(-32001);
    expect((await rest.call('GetTask', { id: 'none' })).status).toBe(404);
  });

  test(`D4: ${name}: a stream has ids, and its reader resumes with the last one`, async () => {
    const executor = scriptedExecutor([
      { do: 'working' },
      { do: 'gate', name: 'go' },
      { do: 'append', artifactId: 'a', text: 'x' },
      { do: 'complete' },
    ]);
    await using host = await start(createAgent({ name: 'Gate', auth: 'none', executor }));
    for (const door of endpointsOf(host.knock)) {
      const stream = await door.stream('SendStreamingMessage', userMessage('x'));
      const first = await stream.next();
      await stream.cancel();
      executor.open('go');
      const again = await door.stream('SubscribeToTask', { id: first?.result?.task?.id }, { 'last-event-id': first?.id ?? '' });
      const rest = await again.rest();
      expect(rest.map(({ id }) => id)).toEqual(['3', '4', '5']);
      expect(rest.at(-1)?.result?.statusUpdate?.status.state).toBe('TASK_STATE_COMPLETED');
    }
  });

  test(`${name}: the disconnect of a client is noticed`, async () => {
    const { agent, state } = pouring(1);
    await using host = await start(agent);
    const [, rest] = endpointsOf(host.knock);
    const stream = await rest.stream('SubscribeToTask', { id: 't' });
    expect((await stream.next())?.id).toBe('0');
    await stream.cancel();
    await state.closed;
  });

  test(`${name}: a client that does not read pauses the stream, and gets all of it when it reads again`, async () => {
    const count = 2_000; // 16 MiB: more than the buffers on the path hold
    const { agent, state } = pouring(count);
    await using host = await start(agent);
    const [, rest] = endpointsOf(host.knock);
    const stream = await rest.stream('SubscribeToTask', { id: 't' });
    expect(await settled(() => state.sent)).toBeLessThan(count);
    for (let n = 0; n < count; n++) expect((await stream.next())?.id).toBe(String(n));
    expect(state.sent).toBe(count);
    await stream.cancel();
    await state.closed;
  });

  test(`D21: ${name}: a body at the limit is accepted, one byte more is 413 in the correct binding`, async () => {
    const limit = 100_000;
    await using host = await start(createAgent({ ...echo, maxBodyBytes: limit }));
    const sized = (envelope: (text: string) => string, size: number): string => envelope('x'.repeat(size - envelope('').length));
    const rest = (text: string) => JSON.stringify({ message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text }] } });
    const rpc = (text: string) => `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":${rest(text)}}`;
    const post = (path: string, body: string) =>
      host.knock(path, { method: 'POST', headers: { ...V1, 'content-type': 'application/json' }, body });
    expect((await post('/message:send', sized(rest, limit))).status).toBe(200);
    expect((await post('/', sized(rpc, limit))).status).toBe(200);
    const large = await post('/message:send', sized(rest, limit + 1));
    expect([large.status, (await restErrorOf(large))?.reason]).toEqual([413, 'CONTENT_TOO_LARGE']);
    const largeRpc = await post('/', sized(rpc, limit + 1));
    expect([largeRpc.status, await largeRpc.json()]).toMatchObject([413, { jsonrpc: '2.0', id: null, error: { code: -31007 } }]);
  });

  test(`D31: ${name}: pages of allowed origins may call, others may not`, async () => {
    await using host = await start(createAgent(echo), { cors: { origins: ['https://app.test'] } });
    const ask = (origin: string) =>
      host.knock('/message:send', { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } });
    expect((await ask('https://app.test')).headers.get('access-control-allow-origin')).toBe('https://app.test');
    expect((await ask('https://evil.test')).headers.get('access-control-allow-origin')).toBeNull();
  });

  if (hasSocket) {
    test(`${name}: connections are kept for the next request, also after errors and streams`, async () => {
      await using host = await start(createAgent(echo));
      const [rpc, rest] = endpointsOf(host.knock);
      for (let n = 0; n < 20; n++) {
        expect((await rpc.call('SendMessage', userMessage('x'))).headers.get('connection')).not.toBe('close');
        expect((await rest.call('GetTask', { id: 'none' })).headers.get('connection')).not.toBe('close');
        await (await rpc.stream('SendStreamingMessage', userMessage('x'))).rest();
      }
    });
  }
}
