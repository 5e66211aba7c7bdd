/** The operations by name, and the convenience methods on top of them. */
import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { ClientInterceptor } from '../../src/client/call.js';
import type { Client } from '../../src/client/client.js';
import { connect, createClient } from '../../src/client/create-client.js';
import { A2AError } from '../../src/protocol/errors.js';
import type { StreamResponse, Task } from '../../src/protocol/types.js';
import type { AgentExecutor } from '../../src/server/executor/executor.js';
import { at, cardWith, scriptedAgent, scriptedExchange, taskWith } from './scripted-agent.js';
import { BINDINGS, serve } from './served-agent.js';

const said = (text: string) => ({ message: { messageId: crypto.randomUUID(), role: 'ROLE_USER' as const, parts: [{ text }] } });

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe.each(BINDINGS)('over %s', (binding) => {
  test('A18: each method sends the operation of its name', async () => {
    const { options, requests } = serve({ auth: () => ({ id: 'me' }), extendedCard: () => cardWith() }, { binding });
    const client = createClient('http://test', options);
    const { task } = await client.sendMessage(said('hi'));
    const id = task?.id ?? '';
    const push = { taskId: id, id: 'p-1' };
    await client.getTask({ id });
    await client.listTasks({});
    await client.getExtendedAgentCard({});
    const refused = [
      () => client.cancelTask({ id }),
      () => all(client.subscribeToTask({ id })),
      () => client.createTaskPushNotificationConfig({ taskId: id, url: 'http://hook.test' }),
      () => client.getTaskPushNotificationConfig(push),
      () => client.listTaskPushNotificationConfigs({ taskId: id }),
      () => client.deleteTaskPushNotificationConfig(push),
    ];
    const reasons: string[] = [];
    for (const attempt of refused)
      reasons.push(
        await attempt().then(
          () => 'none',
          ({ reason }) => reason,
        ),
      );
    expect(reasons).toEqual(['TASK_NOT_CANCELABLE', 'UNSUPPORTED_OPERATION', ...Array<string>(4).fill('PUSH_NOTIFICATION_NOT_SUPPORTED')]);
    await all(client.sendStreamingMessage(said('hi')));
    expect(requests.map(({ operation }) => operation)).toEqual([
      'GetAgentCard',
      'SendMessage',
      'GetTask',
      'ListTasks',
      'GetExtendedAgentCard',
      'CancelTask',
      'SubscribeToTask',
      'CreateTaskPushNotificationConfig',
      'GetTaskPushNotificationConfig',
      'ListTaskPushNotificationConfigs',
      'DeleteTaskPushNotificationConfig',
      'SendStreamingMessage',
    ]);
  });

  test('G57: listTasks requests the second page by its token, and tasks() does so automatically', async () => {
    const { options, requests } = serve({}, { binding });
    const client = createClient('http://test', options);
    for (const text of ['a', 'b', 'c']) await client.send(text, { contextId: null });
    const first = await client.listTasks({ pageSize: 2 });
    const second = await client.listTasks({ pageSize: 2, pageToken: first.nextPageToken });
    expect([first.tasks.length, second.tasks.length, second.nextPageToken]).toEqual([2, 1, '']);
    const before = requests.length;
    const ids = (await all(client.tasks({ pageSize: 2 }))).map(({ id }) => id);
    expect(ids).toEqual([...first.tasks, ...second.tasks].map(({ id }) => id));
    expect(requests.length - before).toBe(2);
  });

  test('G57: the metadata of a cancel reaches the executor', async () => {
    let reason: unknown;
    const executor: AgentExecutor = {
      async execute(context, events) {
        await events.working('on it');
        await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
      },
      async cancel(context) {
        reason = context.metadata;
      },
    };
    const { options } = serve({ executor }, { binding });
    const client = createClient('http://test', options);
    const reply = await client.send('wait', { returnImmediately: true });
    const id = reply.kind === 'task' ? reply.taskId : '';
    const task = await client.cancelTask({ id, metadata: { why: 'bored' } });
    expect(task.status.state).toBe('TASK_STATE_CANCELED');
    expect(reason).toEqual({ why: 'bored' });
  });

  test('G3, F70: the messages of a conversation share a context and no task id; other messages start a context each', async () => {
    const { options } = serve({}, { binding });
    const client = createClient('http://test', options);
    const chat = client.conversation();
    const one = await chat.send('one');
    const other = await client.send('of another person');
    const two = await chat.run('two').result;
    const three = await chat.send('three', { contextId: null });
    const four = await chat.send('four');
    expect(two.contextId).toBe(one.contextId);
    expect(two.kind === 'task' && two.taskId).not.toBe(one.kind === 'task' && one.taskId);
    expect(three.contextId).not.toBe(one.contextId);
    expect([four.contextId, chat.contextId]).toEqual([three.contextId, three.contextId]);
    expect(new Set([one.contextId, other.contextId, (await client.send('again')).contextId]).size).toBe(3);
    expect((await client.conversation(one.contextId).send('five')).contextId).toBe(one.contextId);
  });
});

test('G57: push notification configs can be created, read, listed and deleted', async () => {
  const config = { id: 'p-1', taskId: 't-1', url: 'http://hook.test' };
  const { options, transport } = scriptedAgent({
    react: ({ method }) =>
      method === 'ListTaskPushNotificationConfigs' ? { configs: [config] } : method.startsWith('Delete') ? {} : config,
  });
  const client = createClient('http://agent.test', options);
  expect(await client.createTaskPushNotificationConfig({ taskId: 't-1', url: 'http://hook.test' })).toEqual(config);
  expect(await client.getTaskPushNotificationConfig({ taskId: 't-1', id: 'p-1' })).toEqual(config);
  expect((await client.listTaskPushNotificationConfigs({ taskId: 't-1' })).configs).toEqual([config]);
  expect(await client.deleteTaskPushNotificationConfig({ taskId: 't-1', id: 'p-1' })).toEqual({});
  expect(transport.calls.map(({ params }) => params)).toEqual([
    { taskId: 't-1', url: 'http://hook.test' },
    { taskId: 't-1', id: 'p-1' },
    { taskId: 't-1' },
    { taskId: 't-1', id: 'p-1' },
  ]);
});

test('tasks() ends when a server returns the same page token forever', async () => {
  const { options, transport } = scriptedAgent({
    react: () => ({ tasks: [taskWith()], nextPageToken: 'same', pageSize: 1, totalSize: 9 }),
  });
  expect(await all(createClient('http://agent.test', options).tasks())).toHaveLength(2);
  expect(transport.calls).toHaveLength(2);
});

test('leaving the loop over tasks() requests no further page', async () => {
  const { options, transport } = scriptedAgent({
    react: () => ({ tasks: [taskWith()], nextPageToken: 'next', pageSize: 1, totalSize: 9 }),
  });
  for await (const _ of createClient('http://agent.test', options).tasks()) break;
  expect(transport.calls).toHaveLength(1);
});

describe('contexts', () => {
  const answering = (contextId: string) =>
    scriptedAgent({ react: () => ({ task: taskWith({ contextId }) }), options: { allowOrigins: ['http://agent.test'] } });

  const sentBy = ({ transport }: ReturnType<typeof answering>) =>
    transport.calls.map(({ params }) => ('message' in params ? params.message.contextId : ''));

  test('F70: a client that two people share continues no conversation of its own', async () => {
    const agent = answering('c-1');
    const client = createClient('http://one.test', agent.options);
    await client.send('hi');
    await client.send('hi');
    await client.run('hi', { mode: 'poll' }).result;
    await client.send('hi', { contextId: 'mine' });
    expect(sentBy(agent)).toEqual([undefined, undefined, undefined, 'mine']);
  });

  test('G4: two agents never share a context', async () => {
    const [one, two] = [answering('c-one'), answering('c-two')];
    const first = createClient('http://one.test', one.options).conversation();
    const second = createClient('http://two.test', two.options).conversation();
    for (const chat of [first, second, first, second]) await chat.send('hi');
    expect([...sentBy(one), ...sentBy(two)]).toEqual([undefined, 'c-one', undefined, 'c-two']);
  });

  test('G4: an empty context id counts as none', async () => {
    const agent = answering('');
    const chat = createClient('http://agent.test', agent.options).conversation();
    expect((await chat.send('hi')).contextId).toBeUndefined();
    await chat.send('hi');
    expect(sentBy(agent)).toEqual([undefined, undefined]);
  });

  test('a message for a task is sent without the remembered context, and an explicit contextId wins', async () => {
    const { options, transport } = answering('c-1');
    const chat = createClient('http://agent.test', options).conversation();
    await chat.send('hi');
    await chat.send('more', { taskId: 't-1' });
    await chat.send({ parts: [{ text: 'hi' }], contextId: 'c-own' });
    await chat.send('hi', { contextId: 'c-said' });
    await chat.send({ parts: [{ text: 'hi' }], contextId: 'c-own' }, { contextId: null });
    const sent = transport.calls.map(({ params }) => ('message' in params ? [params.message.taskId, params.message.contextId] : []));
    expect(sent).toEqual([
      [undefined, undefined],
      ['t-1', undefined],
      [undefined, 'c-own'],
      [undefined, 'c-said'],
      [undefined, undefined],
    ]);
  });
});

describe('P59', () => {
  /** The loop of a caller that does not know whether the agent can stream. */
  async function finalState(client: Client): Promise<string | undefined> {
    let state: string | undefined;
    for await (const { task, statusUpdate } of client.sendStreamingMessage(said('hi')))
      state = task?.status.state ?? statusUpdate?.status.state ?? state;
    return state;
  }

  test.each(BINDINGS)('P59: one loop collects the same from agents with and without streaming (%s)', async (binding) => {
    for (const streaming of [true, false]) {
      const { options, requests } = serve({ capabilities: { streaming } }, { binding });
      expect(await finalState(createClient('http://test', options))).toBe('TASK_STATE_COMPLETED');
      expect(requests.at(-1)?.operation).toBe(streaming ? 'SendStreamingMessage' : 'SendMessage');
    }
  });

  const streaming = cardWith({ capabilities: { streaming: true } });
  const refusal = new A2AError('UNSUPPORTED_OPERATION', 'no streams here', { peer: 'Echo' });
  const working: StreamResponse = { task: taskWith({ status: { state: 'TASK_STATE_WORKING' } }) };

  test('P59: when an agent declares streaming but refuses it, the message is sent once without a stream', async () => {
    const { options, transport } = scriptedAgent({
      card: streaming,
      react: ({ method }) => (method === 'SendMessage' ? { task: taskWith() } : refusal),
    });
    expect(await finalState(createClient('http://agent.test', options))).toBe('TASK_STATE_COMPLETED');
    expect(transport.calls.map(({ method }) => method)).toEqual(['SendStreamingMessage', 'SendMessage']);
    expect(transport.calls[0]?.idempotencyKey).toBe(transport.calls[1]?.idempotencyKey);
  });

  test('P59: a refusal inside the stream, before the first event, also falls back to SendMessage', async () => {
    const { options } = scriptedAgent({
      card: streaming,
      react: ({ method }) => (method === 'SendMessage' ? { task: taskWith() } : [refusal]),
    });
    expect(await finalState(createClient('http://agent.test', options))).toBe('TASK_STATE_COMPLETED');
  });

  test('P59: after the first event, and for any other error, nothing is sent again', async () => {
    for (const fault of [[working, refusal], new A2AError('INTERNAL_ERROR', 'oops', { peer: 'Echo' })]) {
      const { options, transport } = scriptedAgent({ card: streaming, react: () => fault });
      await expect(finalState(createClient('http://agent.test', options))).rejects.toBeInstanceOf(A2AError);
      expect(transport.calls).toHaveLength(1);
    }
  });

  test('P59: a Message is the last event, even when the peer keeps the stream open', async () => {
    const message = { messageId: 'm', role: 'ROLE_AGENT' as const, parts: [{ text: 'hello' }] };
    const { options } = scriptedAgent({ card: streaming, react: () => [{ message }, working] });
    expect(await all(createClient('http://agent.test', options).sendStreamingMessage(said('hi')))).toEqual([{ message }]);
  });

  test('P59: when the card does not declare streaming, a stream is used only with assumeStreaming', async () => {
    const { options, transport } = scriptedAgent({
      react: ({ method }) => (method === 'SendMessage' ? { task: taskWith() } : [{ task: taskWith() }]),
    });
    await finalState(createClient('http://agent.test', options));
    await finalState(createClient('http://agent.test', { ...options, assumeStreaming: true }));
    expect(transport.calls.map(({ method }) => method)).toEqual(['SendMessage', 'SendStreamingMessage']);
  });
});

describe('interceptors', () => {
  const noting =
    (log: string[], name: string): ClientInterceptor =>
    (next) =>
    async (call) => {
      log.push(`b${name}`);
      const reply = await next(call);
      log.push(`a${name}`);
      return reply;
    };

  test('P58: run in order before a call and in reverse after it', async () => {
    const log: string[] = [];
    const { options, transport } = scriptedAgent({ react: () => taskWith() });
    const interceptors = [noting(log, '1'), noting(log, '2'), noting(log, '3')];
    await createClient(cardWith(), { ...options, interceptors }).getTask({ id: 't' });
    expect(log).toEqual(['b1', 'b2', 'b3', 'a3', 'a2', 'a1']);
    expect(transport.calls).toHaveLength(1);
  });

  test('P58: one that returns without next() skips the inner interceptors and the transport', async () => {
    const log: string[] = [];
    const answers: ClientInterceptor = () => async () => {
      log.push('b2');
      log.push('a2');
      return { kind: 'value', value: taskWith({ id: 'made up' }), extensions: [] };
    };
    const { options, transport, exchange } = scriptedAgent();
    const client = createClient(cardWith(), { ...options, interceptors: [noting(log, '1'), answers, noting(log, '3')] });
    expect((await client.getTask({ id: 't' })).id).toBe('made up');
    expect(log).toEqual(['b1', 'b2', 'a2', 'a1']);
    expect([...transport.calls, ...exchange.requests]).toEqual([]);
  });

  test('P58: one may answer a streaming call with a single value instead of a stream', async () => {
    const answers: ClientInterceptor = () => async () => ({ kind: 'value', value: { task: taskWith() }, extensions: [] });
    const { options } = scriptedAgent({ options: { interceptors: [answers], assumeStreaming: true } });
    expect(await all(createClient(cardWith(), options).sendStreamingMessage(said('hi')))).toEqual([{ task: taskWith() }]);
  });

  test('P58: they also see the request for the card, and a value they throw becomes an A2AError', async () => {
    const seen: string[] = [];
    const { options } = scriptedAgent();
    const watching: ClientInterceptor = (next) => (call) => {
      seen.push(call.method);
      if (call.method === 'GetTask') throw 'a text';
      return next(call);
    };
    const error = await createClient('http://agent.test', { ...options, interceptors: [watching] })
      .getTask({ id: 't' })
      .catch((thrown) => thrown);
    expect(seen).toEqual(['GetAgentCard', 'GetTask']);
    expect(error).toBeInstanceOf(A2AError);
    expect(error.cause).toBe('a text');
  });
});

describe('call', () => {
  const rpc = (answer: object) =>
    scriptedExchange({ headers: { 'content-type': 'application/json' }, body: { jsonrpc: '2.0', id: 1, ...answer } });

  test('A23: calls a method of an extension with its params and returns its result', async () => {
    const exchange = rpc({ result: ['any', { thing: 1 }] });
    const client = createClient(cardWith(), { exchange, retry: false });
    expect(await client.call('memory/search', { query: 'x' })).toEqual(['any', { thing: 1 }]);
    expect(JSON.parse(exchange.requests[0]?.body ?? '')).toMatchObject({ method: 'memory/search', params: { query: 'x' } });
  });

  test('A23: keeps the code and the data of an error', async () => {
    const detail = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '2s' };
    const client = createClient(cardWith(), { exchange: rpc({ error: { code: -32050, message: 'busy', data: [detail] } }), retry: false });
    await expect(client.call('memory/search')).rejects.toMatchObject({
      name: 'A2AError',
      code: -32050,
      message: 'busy',
      retryAfterMs: 2000,
      details: [detail],
    });
  });

  test('A23: an invalid response is a transport error', async () => {
    const html = scriptedExchange({ status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' });
    await expect(createClient(cardWith(), { exchange: html, retry: false }).call('x')).rejects.toMatchObject({ httpStatus: 502 });
    await expect(createClient(cardWith(), { exchange: rpc({}), retry: false }).call('x')).rejects.toMatchObject({ kind: 'serialization' });
  });

  test('A23: uses the JSON-RPC interface at any position; without one, only methods of the protocol can be called', async () => {
    const [rest, jsonRpc] = [at('HTTP+JSON', 'http://agent.test/rest'), at('JSONRPC', 'http://agent.test/rpc')];
    const exchange = rpc({ result: 1 });
    await createClient(cardWith({ supportedInterfaces: [rest, jsonRpc] }), { exchange, retry: false }).call('x');
    expect(exchange.requests[0]?.url).toBe('http://agent.test/rpc');
    const { options } = serve({}, { binding: 'rest' });
    const client = createClient('http://test', options);
    await expect(client.call('x')).rejects.toMatchObject({ reason: 'UNSUPPORTED_OPERATION' });
    expect(await client.call('ListTasks', {})).toMatchObject({ tasks: [] });
  });

  test('A23: a streaming method is refused', async () => {
    const { options } = scriptedAgent();
    await expect(createClient('http://agent.test', options).call('SubscribeToTask', { id: 't' })).rejects.toMatchObject({
      kind: 'validation',
    });
  });
});

describe('the lifetime of a client', () => {
  const closing = () => {
    let closed = 0;
    const exchange = Object.assign(scriptedExchange({ body: cardWith() }), {
      async close() {
        closed += 1;
      },
    });
    return { exchange, count: () => closed };
  };

  test('G12: after close(), also when repeated, calls are refused, and an exchange that was passed in stays open', async () => {
    const { exchange, count } = closing();
    const client = createClient('http://agent.test', { exchange, retry: false });
    const same = client.withHeaders({ 'x-a': '1' });
    await Promise.all([client.close(), client.close()]);
    await client.close();
    for (const attempt of [
      () => client.send('hi'),
      () => client.card(),
      () => client.ping(),
      () => client.call('x'),
      () => all(client.tasks()),
      () => same.send('hi'),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ name: 'A2AError', message: /was closed/ });
    }
    expect([exchange.requests.length, count()]).toEqual([0, 0]);
    expect((await createClient('http://agent.test', { exchange }).card()).name).toBe('Echo');
  });

  test('G12: await using closes the client, also when the block throws', async () => {
    const { exchange } = closing();
    let used: Client | undefined;
    const block = async () => {
      await using client = createClient('http://agent.test', { exchange, retry: false });
      used = client;
      await client.card();
      throw new Error('mid-ask');
    };
    await expect(block()).rejects.toThrow('mid-ask');
    await expect(used?.card()).rejects.toThrow('was closed');
  });

  test('G12: a connect that fails does not close an exchange that was passed in', async () => {
    const { exchange, count } = closing();
    await expect(connect('http://agent.test', { exchange, retry: false, prefer: 'rest' })).rejects.toBeInstanceOf(A2AError);
    expect(count()).toBe(0);
  });

  test('G12: exchange and fetch together are refused, because requests can use only one of them', () => {
    const { exchange } = closing();
    expect(() => createClient('http://agent.test', { exchange, fetch })).toThrow(/either exchange or fetch, not both/);
    expect(() => createClient('http://agent.test', { exchange, fetchOptions: {} })).toThrow(/fetchOptions have no effect/);
  });

  test('A23: url is the address that the client was created with', () => {
    const { options } = scriptedAgent();
    expect(createClient('http://agent.test/one', options).url).toBe('http://agent.test/one');
    expect(createClient(new URL('http://agent.test/one'), options).url).toBe('http://agent.test/one');
  });
});

test('a send with a scope ends when the scope aborts, and carries its trace and depth', async () => {
  const parent = new AbortController();
  const scope = { signal: parent.signal, depth: 1, rootTaskId: 'root', trace: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
  let received: Task | undefined;
  const { options, transport } = scriptedAgent({
    react: (call) => {
      received = taskWith();
      return new Promise((_, reject) => {
        call.signal?.addEventListener('abort', () => reject(call.signal?.reason));
        parent.abort(new Error('parent was canceled'));
      });
    },
  });
  await expect(createClient('http://agent.test', options).send('hi', { scope })).rejects.toMatchObject({ reason: 'ABORTED' });
  expect(received).toBeDefined();
  expect(transport.calls[0]?.headers.traceparent).toBe(scope.trace);
  expect(JSON.stringify(transport.calls[0]?.params)).toContain('"depth":2');
});

test('a complete message that is sent or run with a scope keeps its own metadata', async () => {
  const { options, transport } = scriptedAgent();
  const client = createClient('http://agent.test', options);
  const scope = { signal: new AbortController().signal, depth: 0 };
  const message = { parts: [{ text: 'hi' }], metadata: { mine: 1 } };
  await client.send(message, { scope });
  await client.run(message, { scope, mode: 'poll' }).result;
  await client.send(message, { scope, messageMetadata: { other: 2 } });
  const sent = transport.calls.map(({ params }) => ('message' in params ? params.message.metadata : undefined));
  const depth = { 'urn:parley:a2a:delegation:v1': { depth: 1 } };
  expect(sent).toEqual([
    { mine: 1, ...depth },
    { mine: 1, ...depth },
    { other: 2, ...depth },
  ]);
});

test('a run beyond the depth limit is refused before its card is fetched', () => {
  const { options, exchange } = scriptedAgent();
  const scope = { signal: new AbortController().signal, depth: 8 };
  expect(() => createClient('http://agent.test', options).run('hi', { scope })).toThrow(A2AError);
  expect(exchange.requests).toHaveLength(0);
});

test('a send with a scope leaves no listener on the signals', async () => {
  const parent = new AbortController();
  const { options } = scriptedAgent();
  const client = createClient('http://agent.test', options);
  const caller = new AbortController();
  for (const text of ['one', 'two']) await client.send(text, { scope: { signal: parent.signal, depth: 0 }, signal: caller.signal });
  expect(getEventListeners(parent.signal, 'abort')).toEqual([]);
  expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
});
