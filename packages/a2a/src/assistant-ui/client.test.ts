import * as peer from '@assistant-ui/react-a2a';
import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { at, cardWith } from '../../test/client/scripted-agent.js';
import { type Answer, json, scriptedFetch, sse } from '../../test/client/scripted-fetch.js';
import { manualClock } from '../testing/manual-clock.js';
import { A2AClient } from './client.js';
import type { A2AClientOptions, ParleyOptions } from './client-options.js';
import type { UseA2ARuntimeOptions } from './options.js';
import type { A2AMessage, A2AStreamEvent } from './types.js';

const TASK = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };
const HELLO: A2AMessage = { messageId: 'm', role: 'user', parts: [{ text: 'Hello' }] };
const AGENT = 'http://agent.test';

interface Script {
  readonly answer?: Answer;
  readonly card?: Answer | undefined;
  readonly own?: ParleyOptions;
}

function clientOf(options: Partial<A2AClientOptions> = {}, { answer = json(TASK), card, own }: Script = {}) {
  const script = scriptedFetch(answer, card);
  const client = new A2AClient({ baseUrl: AGENT, ...options }, { fetch: script.fetch, retry: false, ...own });
  return { client, script };
}

async function all(stream: AsyncGenerator<A2AStreamEvent, string | undefined>) {
  const events: A2AStreamEvent[] = [];
  for (;;) {
    const step = await stream.next();
    if (step.done) return { events, returned: step.value };
    events.push(step.value);
  }
}

afterEach(() => vi.unstubAllGlobals());

test('the client has the constructor and methods of react-a2a, with the same types', () => {
  expectTypeOf<A2AClient>().toExtend<Pick<peer.A2AClient, keyof peer.A2AClient>>();
  expectTypeOf<Omit<Pick<peer.A2AClient, keyof peer.A2AClient>, never>>().toExtend<Omit<Pick<A2AClient, keyof A2AClient>, 'parley'>>();
  expectTypeOf<A2AClientOptions>().toEqualTypeOf<peer.A2AClientOptions>();
  type Options = Omit<UseA2ARuntimeOptions, 'client' | 'messageContent'>;
  expectTypeOf<Options>().toEqualTypeOf<Omit<peer.UseA2ARuntimeOptions, 'client'>>();
  const { client } = clientOf();
  const missing = Object.getOwnPropertyNames(peer.A2AClient.prototype).filter((name) => !(name in client));
  // The private members of react-a2a.
  expect(missing).toEqual(['getBasePath', 'getHeaders', 'throwResponseError', 'fetchJSON', 'parseSSE']);
});

describe('U1: request URLs', () => {
  test.each<[string, Partial<A2AClientOptions>, string]>([
    ['the base URL', { baseUrl: AGENT }, '/tasks/t'],
    ['a base URL with a trailing slash', { baseUrl: `${AGENT}/` }, '/tasks/t'],
    ['a base URL with a path', { baseUrl: `${AGENT}/agents/one/` }, '/agents/one/tasks/t'],
    ['a base path', { basePath: 'v1' }, '/v1/tasks/t'],
    ['a base path with slashes', { basePath: '//v1/x//' }, '/v1/x/tasks/t'],
    ['an empty base path', { basePath: '/' }, '/tasks/t'],
    ['a tenant', { tenant: 'my org' }, '/my%20org/tasks/t'],
    ['an empty tenant', { tenant: '' }, '/tasks/t'],
    ['base URL, base path and tenant together', { baseUrl: `${AGENT}/a/`, basePath: '/v1', tenant: 'a/b' }, '/a/v1/a%2Fb/tasks/t'],
  ])('%s', async (_name, options, path) => {
    const { client, script } = clientOf(options);
    await client.getTask('t');
    expect(script.calls.map((asked) => asked.path)).toEqual([path]);
  });

  test('the card URL contains neither base path nor tenant', async () => {
    const { client, script } = clientOf({ baseUrl: `${AGENT}/a/`, basePath: '/v1', tenant: 'x' }, { card: json(cardWith()) });
    await client.getAgentCard();
    expect(script.cards.map(({ url }) => url)).toEqual([`${AGENT}/a/.well-known/agent-card.json`]);
  });

  test('in a browser the base URL may be relative to the page', async () => {
    vi.stubGlobal('location', { href: 'http://page.test/chat/room?x=1' });
    for (const [baseUrl, url] of [
      ['/api', 'http://page.test/api/tasks/t'],
      ['', 'http://page.test/tasks/t'],
    ] as const) {
      const { client, script } = clientOf({ baseUrl });
      await client.getTask('t');
      expect(script.calls.at(-1)?.url).toBe(url);
    }
  });

  test('without a page a relative base URL fails the call, not the constructor', async () => {
    const { client, script } = clientOf({ baseUrl: '/api' });
    await expect(client.getTask('t')).rejects.toMatchObject({ name: 'A2AError', code: 400, message: expect.stringContaining('"/api"') });
    expect(script.calls).toEqual([]);
  });

  test('an invalid base URL is refused by the constructor', () => {
    for (const baseUrl of [undefined, 'ftp://agent.test', 'http://user:secret@agent.test']) {
      expect(() => clientOf({ baseUrl: baseUrl as string })).toThrow(expect.objectContaining({ name: 'A2AError', code: 400 }));
    }
  });
});

describe('U2: request headers', () => {
  test('headers of the caller override the defaults, except Content-Type and A2A-Extensions', async () => {
    const headers = { Authorization: 'Bearer x', 'A2A-Version': '1.1', 'Content-Type': 'text/plain', 'A2A-Extensions': 'z' };
    const { client, script } = clientOf({ headers, extensions: ['urn:a', 'urn:b'] }, { answer: json({ task: TASK }) });
    await client.sendMessage(HELLO);
    expect(Object.fromEntries(script.calls[0]?.headers ?? [])).toEqual({
      accept: 'application/a2a+json, application/json',
      authorization: 'Bearer x',
      'a2a-version': '1.1',
      'content-type': 'application/a2a+json',
      'a2a-extensions': 'urn:a, urn:b',
    });
  });

  test('the headers have the same names and values as in react-a2a', async () => {
    const options = { baseUrl: AGENT, headers: () => ({ 'X-Mine': '1' }), extensions: ['urn:a'] };
    const { client, script } = clientOf(options, { answer: json({ task: TASK }) });
    const theirs = scriptedFetch(json({ task: TASK }));
    vi.stubGlobal('fetch', theirs.fetch);
    await client.sendMessage(HELLO);
    await new peer.A2AClient(options).sendMessage(HELLO);
    expect(Object.fromEntries(script.calls[0]?.headers ?? [])).toEqual(Object.fromEntries(theirs.calls[0]?.headers ?? []));
  });

  test('a streaming call accepts text/event-stream, whatever the caller sets', async () => {
    const { client, script } = clientOf({ headers: { Accept: 'text/html' } }, { answer: sse({ task: TASK }) });
    await all(client.streamMessage(HELLO));
    expect(script.calls[0]?.headers.get('accept')).toMatch(/^text\/event-stream/);
  });

  test('headers are read for each request, so a new token is sent with the next call', async () => {
    let token = 1;
    const object: Record<string, string> = { Authorization: '1' };
    for (const headers of [object, () => ({ Authorization: `${token}` }), async () => ({ Authorization: `${token}` })]) {
      const { client, script } = clientOf({ headers });
      token = 1;
      object.Authorization = '1';
      await client.getTask('t');
      token = 2;
      object.Authorization = '2';
      await client.getTask('t');
      expect(script.calls.map((asked) => asked.headers.get('authorization'))).toEqual(['1', '2']);
    }
  });

  test('an error in the headers function fails the call', async () => {
    const { client, script } = clientOf({
      headers: () => {
        throw new Error('signed out');
      },
    });
    await expect(client.getTask('t')).rejects.toMatchObject({ name: 'A2AError', code: 400 });
    expect(script.calls).toEqual([]);
  });
});

test('U3: fetch options are passed on, except those that the client sets itself', async () => {
  const smuggled = {
    credentials: 'include',
    cache: 'no-store',
    method: 'DELETE',
    body: 'x',
    headers: { 'x-smuggled': '1' },
    signal: AbortSignal.abort(),
  };
  const { client, script } = clientOf({ fetchOptions: smuggled as A2AClientOptions['fetchOptions'] });
  await client.getTask('t');
  const [asked] = script.calls;
  expect(asked?.init).toMatchObject({ credentials: 'include', cache: 'no-store', method: 'GET', body: null });
  expect(asked?.headers.has('x-smuggled')).toBe(false);
  expect(asked?.init.signal?.aborted).not.toBe(true);
});

describe('U4: every method has its path, and a signal as the last parameter', () => {
  const config = { taskId: 't/1', id: 'c 1', url: 'http://hook.test' };
  const page = { tasks: [TASK], nextPageToken: 'n', pageSize: 1, totalSize: 2 };
  const METHODS: [string, (client: A2AClient, signal?: AbortSignal) => Promise<unknown>, string, Response][] = [
    ['sendMessage', (client, signal) => client.sendMessage(HELLO, {}, { k: 1 }, signal), 'POST /message:send', json({ task: TASK })],
    ['streamMessage', (client, signal) => all(client.streamMessage(HELLO, {}, {}, signal)), 'POST /message:stream', sse({ task: TASK })],
    ['getTask', (client, signal) => client.getTask('t/1', 0, signal), 'GET /tasks/t%2F1?historyLength=0', json(TASK)],
    ['listTasks', (client, signal) => client.listTasks({ pageSize: 1 }, signal), 'GET /tasks?pageSize=1', json(page)],
    ['cancelTask', (client, signal) => client.cancelTask('t/1', { k: 1 }, signal), 'POST /tasks/t%2F1:cancel', json(TASK)],
    ['subscribeToTask', (client, signal) => all(client.subscribeToTask('t/1', signal)), 'POST /tasks/t%2F1:subscribe', sse({ task: TASK })],
    ['getExtendedAgentCard', (client, signal) => client.getExtendedAgentCard(signal), 'GET /extendedAgentCard', json(cardWith())],
    [
      'createTaskPushNotificationConfig',
      (client, signal) => client.createTaskPushNotificationConfig(config, signal),
      'POST /tasks/t%2F1/pushNotificationConfigs',
      json(config),
    ],
    [
      'getTaskPushNotificationConfig',
      (client, signal) => client.getTaskPushNotificationConfig('t/1', 'c 1', signal),
      'GET /tasks/t%2F1/pushNotificationConfigs/c%201',
      json(config),
    ],
    [
      'listTaskPushNotificationConfigs',
      (client, signal) => client.listTaskPushNotificationConfigs('t/1', { pageSize: 2, pageToken: 'p' }, signal),
      'GET /tasks/t%2F1/pushNotificationConfigs?pageSize=2&pageToken=p',
      json({ configs: [config] }),
    ],
    [
      'deleteTaskPushNotificationConfig',
      (client, signal) => client.deleteTaskPushNotificationConfig('t/1', 'c 1', signal),
      'DELETE /tasks/t%2F1/pushNotificationConfigs/c%201',
      new Response(null, { status: 204 }),
    ],
  ];

  test.each(METHODS)('%s', async (_name, call, request, answer) => {
    const { client, script } = clientOf({}, { answer });
    await call(client);
    expect(script.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([request]);
  });

  test.each(METHODS)('%s rejects with the reason of its signal, as in react-a2a', async (_name, call, _request, answer) => {
    for (const reason of [undefined, new Error('The user left')]) {
      const { client, script } = clientOf({}, { answer });
      const theirs = scriptedFetch(answer);
      vi.stubGlobal('fetch', theirs.fetch);
      const signal = AbortSignal.abort(reason);
      await expect(call(client, signal)).rejects.toBe(signal.reason);
      // The classes differ only in private members.
      await expect(call(new peer.A2AClient({ baseUrl: AGENT }) as unknown as A2AClient, signal)).rejects.toBe(signal.reason);
      expect(script.calls).toEqual([]);
    }
    expect(AbortSignal.abort().reason.name).toBe('AbortError');
  });

  test('subscribeToTask uses GET if the server supports only GET', async () => {
    const answer: Answer = ({ method }) => (method === 'GET' ? sse({ task: TASK }) : new Response('', { status: 405 }));
    const { client, script } = clientOf({}, { answer });
    expect((await all(client.subscribeToTask('t'))).events).toHaveLength(1);
    expect(script.calls.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  test('a webhook without a taskId is refused before a request is sent', async () => {
    const { client, script } = clientOf();
    const create = client.createTaskPushNotificationConfig({ url: 'http://hook.test' });
    await expect(create).rejects.toMatchObject({ name: 'A2AError', code: 400, message: expect.stringContaining('taskId') });
    expect(script.calls).toEqual([]);
  });

  test('ids that are invalid in a path are refused before a request is sent', async () => {
    const { client, script } = clientOf();
    for (const id of ['', '..', '\ud800']) await expect(client.getTask(id)).rejects.toMatchObject({ name: 'A2AError', code: 400 });
    expect(script.calls).toEqual([]);
  });
});

test('U5: .proto field names become JSON names, except inside metadata and data', async () => {
  const inside = { task_state: 'TASK_STATE_X', role: 'ROLE_USER' };
  const task = {
    id: 't',
    context_id: 'c',
    status: {
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: { message_id: 'm', role: 'ROLE_AGENT', content: [{ data: inside }], parts: [] },
    },
    artifacts: [{ artifact_id: 'a', parts: [{ text: 'x', media_type: 'text/plain' }], metadata: inside }],
    metadata: inside,
  };
  const { client } = clientOf({}, { answer: json(task) });
  expect(await client.getTask('t')).toEqual({
    id: 't',
    contextId: 'c',
    status: { state: 'input_required', message: { messageId: 'm', role: 'agent', parts: [{ data: inside }] } },
    artifacts: [{ artifactId: 'a', parts: [{ text: 'x', mediaType: 'text/plain' }], metadata: inside }],
    metadata: inside,
  });
});

test('U6: the body has ROLE_USER and the query TASK_STATE_WORKING; times and bytes are normalized', async () => {
  const { client, script } = clientOf({}, { answer: ({ method }) => json(method === 'GET' ? {} : { task: TASK }) });
  const metadata = { role: 'user' };
  await client.sendMessage({ ...HELLO, parts: [{ raw: 'QQ', mediaType: 'x/y' }] }, { historyLength: 2 }, metadata);
  await client.listTasks({
    status: 'working',
    statusTimestampAfter: '2026-01-01T02:00:00+02:00',
    includeArtifacts: false,
    contextId: undefined,
  });
  expect(script.calls[0]?.body).toEqual({
    message: { messageId: 'm', role: 'ROLE_USER', parts: [{ raw: 'QQ==', mediaType: 'x/y' }] },
    configuration: { historyLength: 2 },
    metadata,
  });
  const query = new URL(script.calls[1]?.url ?? '').searchParams;
  expect(Object.fromEntries(query)).toEqual({
    status: 'TASK_STATE_WORKING',
    statusTimestampAfter: '2026-01-01T00:00:00Z',
    includeArtifacts: 'false',
  });
});

describe('U7: responses of 0.3 servers and JSON-RPC servers are understood', () => {
  const status = { state: 'input-required' };
  test.each<[string, unknown, object]>([
    ['a task with a kind field', { kind: 'task', id: 't', status }, { id: 't', status: { state: 'input_required' } }],
    ['the state unknown', { task: { id: 't', status: { state: 'unknown' } } }, { id: 't', status: { state: 'unspecified' } }],
    [
      'a JSON-RPC envelope',
      { jsonrpc: '2.0', id: 1, result: { kind: 'task', id: 't', status } },
      { id: 't', status: { state: 'input_required' } },
    ],
    [
      'nested files',
      { kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'file', file: { uri: 'http://x', mimeType: 'a/b', name: 'n' } }] },
      { messageId: 'm', role: 'agent', parts: [{ url: 'http://x', mediaType: 'a/b', filename: 'n' }] },
    ],
  ])('%s', async (_name, body, expected) => {
    const { client } = clientOf({}, { answer: json(body) });
    expect(await client.sendMessage(HELLO)).toEqual(expected);
  });

  test('flat events in JSON-RPC envelopes', async () => {
    const frame = { jsonrpc: '2.0', id: 1, result: { kind: 'status-update', taskId: 't', contextId: 'c', final: true, status } };
    const { client } = clientOf({}, { answer: sse(frame) });
    expect((await all(client.streamMessage(HELLO))).events).toEqual([
      { type: 'statusUpdate', event: { taskId: 't', contextId: 'c', status: { state: 'input_required' } } },
    ]);
  });

  test('a JSON-RPC error is thrown with its HTTP status and its data', async () => {
    const error = { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'No such task', data: { a: 1 } } };
    const expected = { name: 'A2AError', code: 404, status: 'NOT_FOUND', message: 'No such task', details: [{ a: 1 }] };
    await expect(clientOf({}, { answer: json(error) }).client.getTask('t')).rejects.toMatchObject(expected);
    const stream = clientOf({}, { answer: sse({ task: TASK }, error) }).client.streamMessage(HELLO);
    await expect(all(stream)).rejects.toMatchObject(expected);
  });
});

describe('U8: missing fields get default values', () => {
  test('in cards', async () => {
    const { client } = clientOf({}, { card: json({ name: 'Bare', skills: null }) });
    expect(await client.getAgentCard()).toEqual({
      name: 'Bare',
      description: '',
      version: '',
      supportedInterfaces: [],
      capabilities: {},
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [],
    });
  });

  test('in lists and tasks', async () => {
    expect(await clientOf({}, { answer: json({}) }).client.listTasks()).toEqual({
      tasks: [],
      nextPageToken: '',
      pageSize: 0,
      totalSize: 0,
    });
    expect(await clientOf({}, { answer: json({}) }).client.listTaskPushNotificationConfigs('t')).toEqual({ configs: [] });
    expect(await clientOf({}, { answer: json({ id: 't' }) }).client.getTask('t')).toEqual({ id: 't', status: { state: 'unspecified' } });
  });

  test.each([{ name: '' }, {}, { name: 'n', skills: 'x' }, { name: 'n', description: 5 }, null])(
    'except that %j is not a card',
    async (card) => {
      await expect(clientOf({}, { card: json(card) }).client.getAgentCard()).rejects.toMatchObject({
        name: 'A2AError',
        message: expect.stringMatching(/card/i),
      });
    },
  );
});

describe('U9: an invalid response is refused with an error that names the operation', () => {
  test.each<[unknown, string]>([
    [{}, 'SendMessage'],
    [null, 'SendMessage'],
    [{ task: { id: '', status: {} } }, 'task.id'],
    [{ task: { id: 't', status: { state: 'dreaming' } } }, 'dreaming'],
    [{ message: { messageId: '', role: 'agent', parts: [] } }, 'messageId'],
    [{ message: { messageId: 'm', role: 'stranger', parts: [] } }, 'stranger'],
    [{ message: { messageId: 'm', role: 'agent', parts: 'x' } }, 'parts'],
    [{ message: { messageId: 'm', role: 'agent', parts: ['x'] } }, 'parts[0]'],
  ])('%j', async (body, named) => {
    const failed = clientOf({}, { answer: json(body) }).client.sendMessage(HELLO);
    await expect(failed).rejects.toMatchObject({ name: 'A2AError', code: 500, message: expect.stringContaining('SendMessage') });
    await expect(failed).rejects.toThrow(named);
  });
});

describe('U11: a stream', () => {
  const done = { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } };

  test('is read correctly with any chunk size and any line ending', async () => {
    const text = [TASK, TASK].map((task) => `data: ${JSON.stringify({ task: { ...task, metadata: { text: 'ü€��' } } })}`).join('\r\r');
    const bytes = new TextEncoder().encode(`\ufeff: hello\r\n\r\n${text}\n\n`);
    for (const size of [1, 2, 3, 7, bytes.length]) {
      const body = new ReadableStream({
        start(controller) {
          for (let from = 0; from < bytes.length; from += size) controller.enqueue(bytes.slice(from, from + size));
          controller.close();
        },
      });
      const { client } = clientOf({}, { answer: () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }) });
      const { events } = await all(client.streamMessage(HELLO));
      expect(events.map((event) => event.type === 'task' && event.task.metadata)).toEqual([{ text: 'ü€��' }, { text: 'ü€��' }]);
    }
  });

  test('that ends in the middle of an event does not yield that event', async () => {
    const { client } = clientOf({}, { answer: sse({ task: TASK }, `data: ${JSON.stringify(done)}\n`) });
    const stream = client.streamMessage(HELLO);
    expect((await stream.next()).value).toMatchObject({ type: 'task' });
    await expect(stream.next()).rejects.toMatchObject({ name: 'A2AError', code: 503, status: 'UNAVAILABLE' });
  });

  test('with another content type is refused, and its body is canceled', async () => {
    let canceled = false;
    const body = new ReadableStream({
      cancel() {
        canceled = true;
      },
    });
    const { client } = clientOf({}, { answer: () => new Response(body, { headers: { 'content-type': 'text/html' } }) });
    await expect(all(client.streamMessage(HELLO))).rejects.toMatchObject({
      name: 'A2AError',
      message: expect.stringContaining('text/html'),
    });
    expect(canceled).toBe(true);
  });

  test('is closed when its reader leaves, even if canceling the body fails', async () => {
    let canceled = 0;
    const answer = () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify({ task: TASK })}\n\n`)),
          cancel() {
            canceled += 1;
            throw new Error('will not');
          },
        }),
        { headers: { 'content-type': 'text/event-stream' } },
      );
    for await (const event of clientOf({}, { answer }).client.streamMessage(HELLO)) {
      expect(event.type).toBe('task');
      break;
    }
    expect(canceled).toBe(1);
  });

  test('that is idle ends with the reason of its signal', async () => {
    const leaving = new AbortController();
    const answer: Answer = ({ init }) =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify({ task: TASK })}\n\n`));
            init.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
          },
        }),
        { headers: { 'content-type': 'text/event-stream' } },
      );
    const stream = clientOf({}, { answer }).client.subscribeToTask('t', leaving.signal);
    await stream.next();
    const next = stream.next();
    leaving.abort();
    await expect(next).rejects.toBe(leaving.signal.reason);
  });
});

describe('U12: unreadable events', () => {
  const good = { task: TASK };
  test('are skipped, and the generator returns the problem of the first one', async () => {
    const { client } = clientOf({}, { answer: sse(good, `data: ${'garbage '.repeat(50)}\n\n`, { nothing: 1 }, good) });
    const { events, returned } = await all(client.streamMessage(HELLO));
    expect(events).toHaveLength(2);
    expect(returned).toContain('garbage');
    expect(returned?.length).toBeLessThanOrEqual(120);
  });

  test('are not reported for a correct stream', async () => {
    expect((await all(clientOf({}, { answer: sse(good) }).client.subscribeToTask('t'))).returned).toBeUndefined();
  });

  test('break the stream of a run, which then reconnects', async () => {
    const { client } = clientOf({}, { answer: sse(good, 'data: garbage\n\n'), own: { reconnect: { maxRetries: 0 } } });
    await expect(client.parley.watch('t').result).rejects.toMatchObject({ name: 'A2AReconnectError' });
  });
});

describe('7.3(12): the interfaces of the card are used', () => {
  const rpc = (answer: unknown) => (asked: { body: unknown }) =>
    json({ jsonrpc: '2.0', id: (asked.body as { id?: number }).id, result: answer });

  test('an agent that supports only JSON-RPC is called with JSON-RPC', async () => {
    const card = cardWith({ supportedInterfaces: [at('JSONRPC', `${AGENT}/rpc`)] });
    const { client, script } = clientOf({ tenant: 'x' }, { card: json(card), answer: rpc({ task: TASK }) });
    expect(await client.sendMessage(HELLO)).toMatchObject({ id: 't', status: { state: 'working' } });
    expect(script.calls[0]).toMatchObject({
      path: '/rpc',
      body: { method: 'SendMessage', params: { tenant: 'x', message: { role: 'ROLE_USER' } } },
    });
  });

  test('getAgentCard returns the card as the agent wrote it', async () => {
    const card = cardWith({ supportedInterfaces: [at('GRPC', 'agent.test:50051')] });
    const { client } = clientOf({ extensions: ['urn:mine'] }, { card: json(card) });
    expect(await client.getAgentCard()).toEqual(card);
  });

  test('streaming is used unless the card says false', async () => {
    for (const [streaming, path] of [
      [undefined, '/message:stream'],
      [true, '/message:stream'],
      [false, '/message:send'],
    ] as const) {
      const card = cardWith({ supportedInterfaces: [at('HTTP+JSON', AGENT)], capabilities: streaming === undefined ? {} : { streaming } });
      const { client, script } = clientOf(
        {},
        { card: json(card), answer: ({ path }) => (path.endsWith('send') ? json({ task: TASK }) : sse({ task: TASK })) },
      );
      expect((await all(client.streamMessage(HELLO))).events).toMatchObject([{ type: 'task', task: { id: 't' } }]);
      expect(script.calls.map((asked) => asked.path)).toEqual([path]);
    }
  });

  test('the card is fetched once for all calls and streams', async () => {
    const card = cardWith({ supportedInterfaces: [at('HTTP+JSON', AGENT)] });
    const { client, script } = clientOf(
      {},
      { card: json(card), answer: ({ method }) => (method === 'GET' ? json(TASK) : sse({ task: TASK })) },
    );
    await Promise.all([client.getAgentCard(), client.getTask('t'), all(client.streamMessage(HELLO)), client.parley.card()]);
    await all(client.subscribeToTask('t'));
    expect(script.cards).toHaveLength(1);
  });
});

describe('no hidden limits on calls', () => {
  const MINUTE_MS = 60_000;

  test('a send and a stream have only the timeouts that are set', async () => {
    for (const [timeouts, outcome] of [
      [undefined, 'waits'],
      [{ firstByteMs: MINUTE_MS }, 504],
    ] as const) {
      const clock = manualClock();
      const leaving = new AbortController();
      const answer: Answer = ({ init }) =>
        new Promise((_resolve, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
      const { client, script } = clientOf({}, { answer, own: { clock, ...(timeouts && { timeouts }) } });
      const outcomes: unknown[] = [];
      const keep = (error: { code?: number }) => outcomes.push(error.code);
      const running = [
        client.sendMessage(HELLO, undefined, undefined, leaving.signal).catch(keep),
        all(client.streamMessage(HELLO, undefined, undefined, leaving.signal)).catch(keep),
      ];
      while (script.calls.length < 2) await clock.tick();
      await clock.tick(60 * MINUTE_MS);
      expect(outcomes).toEqual(outcome === 'waits' ? [] : [outcome, outcome]);
      leaving.abort();
      await Promise.all(running);
      expect(clock.pending).toBe(0);
    }
  });

  test('the next call is sent however often the agent failed before', async () => {
    const { client, script } = clientOf({}, { answer: new Response('', { status: 503 }) });
    for (let tries = 1; tries <= 5; tries += 1) {
      await expect(client.getTask('t')).rejects.toMatchObject({ code: 503 });
      expect(script.calls).toHaveLength(tries);
    }
  });

  test('the context of one message is not used for the next', async () => {
    const { client, script } = clientOf({}, { answer: json({ task: { ...TASK, status: { state: 'TASK_STATE_COMPLETED' } } }) });
    for (const text of ['one', 'two']) await client.parley.send(text);
    expect(script.calls.map(({ body }) => (body as { message: { contextId?: string } }).message.contextId)).toEqual([undefined, undefined]);
  });
});
