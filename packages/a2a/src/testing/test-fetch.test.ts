import { describe, expect, test } from 'vitest';
import { endpointsOf, restEndpoint, type Stream, taskOf } from '../../test/endpoints.js';
import { createClient } from '../client/index.js';
import { createAgent } from '../server/create-agent.js';
import { pickFreePort } from './free-port.js';
import { manualClock } from './manual-clock.js';
import { scriptedExecutor } from './scripted-executor.js';
import { createTestFetch, type TestFetch } from './test-fetch.js';

const CARD = '/.well-known/agent-card.json';

function echo() {
  return createAgent({ name: 'Echo', execute: async (context) => context.text });
}

const knocking =
  (fetch: TestFetch, url = 'http://test') =>
  (path: string, init?: RequestInit) =>
    fetch(`${url}${path}`, init);

async function bindingsOf(fetch: TestFetch, url = 'http://test'): Promise<string[]> {
  const card = (await (await fetch(`${url}${CARD}`)).json()) as { supportedInterfaces: { url: string; protocolBinding: string }[] };
  for (const one of card.supportedInterfaces) expect(one.url).toBe(url);
  return card.supportedInterfaces.map(({ protocolBinding }) => protocolBinding);
}

describe('createTestFetch', () => {
  test('G54: an agent without auth is called end to end, over both bindings, and no port is opened', async () => {
    const fetch = createTestFetch(echo());
    expect(await bindingsOf(fetch)).toEqual(['JSONRPC', 'HTTP+JSON', 'JSONRPC', 'HTTP+JSON']);
    for (const door of endpointsOf(knocking(fetch))) {
      const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Hello' }] } as const;
      expect(taskOf(await door.call('SendMessage', { message })).artifacts?.[0]?.parts).toEqual([{ text: 'Hello' }]);
    }
  });

  test('G54: it is created once and shared, and requests are recorded in order', async () => {
    const fetch = createTestFetch(echo());
    const [one, two] = [restEndpoint(knocking(fetch)), restEndpoint(knocking(fetch))];
    const task = taskOf(
      await one.call('SendMessage', { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'x' }] } }, { 'x-mine': '1' }),
    );
    expect((await two.call('GetTask', { id: task.id })).result?.id).toBe(task.id);
    expect(fetch.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /message:send', `GET /tasks/${task.id}`]);
    expect(fetch.requests[0]?.headers).toMatchObject({ 'x-mine': '1', 'a2a-version': '1.0' });
    expect(JSON.parse(fetch.requests[0]?.body ?? '')).toMatchObject({ message: { messageId: 'm-1' } });
    expect(fetch.requests[1]?.body).toBe('');
  });

  test('G54: clients share the agent and nothing else: each has its own conversation', async () => {
    const fetch = createTestFetch(echo());
    const [one, two] = [createClient('http://test', { fetch }), createClient('http://test', { fetch })];
    const [talk, otherTalk] = [one.conversation(), two.conversation()];
    const first = await talk.send('a');
    const [again, other] = [await talk.send('b'), await otherTalk.send('c')];
    expect(again.contextId).toBe(first.contextId);
    expect(other.contextId).not.toBe(first.contextId);
    expect((await two.listTasks({})).tasks).toHaveLength(3);
    await one.close();
    expect((await two.send('d')).text).toBe('d');
  });

  test('G55: a client of an agent with binding rest requests only REST paths', async () => {
    const fetch = createTestFetch(echo(), { binding: 'rest' });
    const client = createClient('http://test', { fetch });
    const { text } = await client.run('streamed').result;
    const reply = await client.send('sent');
    expect([text, reply.text]).toEqual(['streamed', 'sent']);
    expect(fetch.requests.map(({ path }) => path)).toEqual([CARD, '/message:stream', '/message:send']);
    expect(fetch.requests.every(({ binding }) => binding === 'rest')).toBe(true);
  });

  test('G55: with binding rest the card offers only HTTP+JSON', async () => {
    expect(await bindingsOf(createTestFetch(echo(), { binding: 'rest' }))).toEqual(['HTTP+JSON', 'HTTP+JSON']);
    expect(await bindingsOf(createTestFetch(echo(), { binding: 'jsonrpc' }))).toEqual(['JSONRPC', 'JSONRPC']);
  });

  test('an agent below a path announces it on its card and answers there', async () => {
    const url = 'https://agents.test/one';
    const fetch = createTestFetch(echo(), { url, binding: 'rest' });
    expect(await bindingsOf(fetch, url)).toEqual(['HTTP+JSON', 'HTTP+JSON']);
    const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Hello' }] } as const;
    expect(taskOf(await restEndpoint(knocking(fetch, url)).call('SendMessage', { message })).status.state).toBe('TASK_STATE_COMPLETED');
    expect((await fetch('https://agents.test/')).status).toBe(404);
  });

  test('any request handler works, and its card is narrowed too', async () => {
    const inner = createTestFetch(echo());
    const fetch = createTestFetch((request) => inner(request), { binding: 'jsonrpc' });
    expect(await bindingsOf(fetch)).toEqual(['JSONRPC', 'JSONRPC']);
    expect((await fetch('http://test/-/health')).status).toBe(200);
    expect((await fetch(`http://test${CARD}`, { method: 'HEAD' })).status).toBe(200);
  });

  test('another origin is refused like a connection', async () => {
    const fetch = createTestFetch(echo());
    await expect(fetch('http://elsewhere/')).rejects.toMatchObject({ name: 'TypeError', cause: { code: 'ECONNREFUSED' } });
    expect(fetch.requests).toEqual([]);
  });

  test('when a caller aborts a stream that is not being read, the agent notices', async () => {
    const clock = manualClock();
    let beats = 0;
    const after: typeof clock.after = (delayMs, callback, options) => {
      const stop = clock.after(delayMs, callback, options);
      if (delayMs !== 1_234) return stop;
      beats += 1;
      return () => {
        beats -= 1;
        stop();
      };
    };
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'go' }]);
    const agent = createAgent({ name: 'Slow', executor, clock: { ...clock, after }, heartbeatMs: 1_234 });
    const fetch = createTestFetch(agent, { binding: 'rest' });
    const leaving = new AbortController();
    const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'x' }] } as const;
    const door = restEndpoint((path, init) => fetch(`http://test${path}`, { ...init, signal: leaving.signal }));
    let stream: Stream | undefined;
    const opening = door.stream('SendStreamingMessage', { message }).then((opened) => {
      stream = opened;
    });
    while (stream === undefined) await clock.tick();
    await opening;
    expect(beats).toBe(1);
    leaving.abort();
    await clock.tick();
    expect(beats, 'the heartbeat of the last reader').toBe(0);
    await expect(stream.rest()).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('an abort before the answer rejects at once, and an aborted signal sends no request', async () => {
    const fetch = createTestFetch(() => new Promise<Response>(() => {}));
    const leaving = new AbortController();
    const waiting = fetch('http://test/', { signal: leaving.signal });
    leaving.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    const { length } = fetch.requests;
    await expect(fetch('http://test/', { signal: leaving.signal })).rejects.toMatchObject({ name: 'AbortError' });
    expect(fetch.requests.length).toBe(length);
  });

  test('invalid options are refused at once', () => {
    // @ts-expect-error no such binding
    expect(() => createTestFetch(echo(), { binding: 'grpc' })).toThrow("binding must be 'rest' or 'jsonrpc'");
    expect(() => createTestFetch(echo(), { url: 'test' })).toThrow('publicUrl must be');
    // @ts-expect-error options instead of an agent
    expect(() => createTestFetch({ name: 'Echo' })).toThrow('Expected an agent made by createAgent()');
  });
});

describe('pickFreePort', () => {
  test('G56: the returned port can be used', async () => {
    const { createServer } = await import('node:http');
    const port = await pickFreePort();
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', resolve);
    });
    expect(server.address()).toMatchObject({ port, address: '127.0.0.1' });
    await new Promise((resolve) => server.close(resolve));
    expect(await pickFreePort('127.0.0.1')).toBeGreaterThan(0);
  });

  test('G56: an address that is not local is an error that names it', async () => {
    await expect(pickFreePort('192.0.2.1')).rejects.toMatchObject({
      reason: 'INVALID_PARAMS',
      message: 'no free port at 192.0.2.1',
    });
  });
});
