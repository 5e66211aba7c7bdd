// Callers of A2A 0.3: which requests are theirs, what they get, and that nothing of 1.0 changes beside them.
import { describe, expect, test } from 'vitest';
import { findCardFaults } from '../src/compat/v03/faults.js';
import { isV03Method, toRpcName, toSupersetCard } from '../src/compat/v03/index.js';
import { A2AError } from '../src/index.js';
import { METHODS } from '../src/protocol/methods.js';
import { parseAs } from '../src/protocol/parse.js';
import { bearer } from '../src/protocol/security.js';
import type { AgentCard, Part } from '../src/protocol/types.js';
import type { Reading, Sink } from '../src/server/call.js';
import { createAgent, type TaskEvents } from '../src/server/index.js';
import { scriptedExecutor } from '../src/testing/index.js';
import { userMessage, V1 } from './endpoints.js';
import { type Json, saying, sayingProto, v03CallerOf } from './v03-wire.js';

type AgentOptions = Parameters<typeof createAgent>[0];

/** An agent that does what the text says. */
function speaker(options: Partial<AgentOptions> = {}) {
  const seen: Part[][] = [];
  const agent = createAgent({
    name: 'Speaker',
    auth: 'none',
    executor: {
      async execute(context, events) {
        seen.push([...(context.message?.parts ?? [])]);
        switch (context.text) {
          case 'message':
            return events.reply('direct');
          case 'ask':
            await events.appendText('answer', `You said ${await context.requireInput('Which city?')}`);
            return events.complete();
          case 'auth':
            await context.requireAuth('Sign in');
            return events.complete();
          case 'busy':
            throw new A2AError('RATE_LIMITED', 'slow down', { retryAfterMs: 1500 });
          case 'fail':
            await events.working();
            return events.fail(new A2AError('TASK_TIMEOUT', 'too slow', { retryAfterMs: 250 }));
          case 'parts':
            await events.artifact({
              artifactId: 'all',
              parts: [{ text: 't' }, { raw: 'aGk=', filename: 'f', mediaType: 'a/b' }, { data: [1] }],
            });
            return events.complete();
          default:
            await events.working('thinking');
            await events.appendText('answer', 'one ');
            await events.appendText('answer', 'two', { last: true });
            return events.complete();
        }
      },
    },
    ...options,
  } as AgentOptions);
  return { agent, seen, ...v03CallerOf(agent) };
}

describe('D50: the version of a request', () => {
  const { rpc, rest, knock } = speaker();
  const codeOf = async (method: string, params: unknown, headers = {}): Promise<unknown> =>
    (await rpc(method, params, headers)).body.error?.code;

  test.each([
    ['no version', {}],
    ['an empty version', { 'a2a-version': '' }],
    ['0.3', { 'a2a-version': '0.3' }],
    ['0.3 with a patch number', { 'a2a-version': '0.3.0' }],
    ['0.4', { 'a2a-version': '0.4' }],
  ])('D50: a method of 0.3 with %s is served', async (_, headers) => {
    expect((await rpc('message/send', saying('hi'), headers)).body.result).toMatchObject({ kind: 'task', status: { state: 'completed' } });
  });

  test('D50: a method of 0.3 with the version 1.0 is refused, and the error names both ways out', async () => {
    const { body } = await rpc('message/send', saying('hi'), V1);
    expect(body.error).toMatchObject({
      code: -32009,
      data: [{ reason: 'VERSION_NOT_SUPPORTED', metadata: { supportedVersions: '0.3,1.0' } }],
    });
    expect(body.error.message).toBe('message/send belongs to A2A 0.3: call SendMessage, or send the header "A2A-Version: 0.3"');
  });

  test('D50: a method of 1.0 without a version, or with 0.3, is refused, and the error contains the header to add', async () => {
    for (const headers of [{}, { 'a2a-version': '0.3' }] as Record<string, string>[]) {
      const { body } = await rpc('SendMessage', userMessage('hi'), headers);
      expect(body.error).toMatchObject({ code: -32009, message: expect.stringContaining('add the header "A2A-Version: 1.0"') });
    }
    expect((await rpc('SendMessage', userMessage('hi'), V1)).body.result.task.status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('D50: older and unknown versions are refused', async () => {
    for (const version of ['0.2', '0.2.6', '2.0', 'x'])
      expect(await codeOf('message/send', saying('hi'), { 'a2a-version': version })).toBe(-32009);
  });

  test('D50: every method of 0.3 with the version 1.0 is refused in the same way, and tasks/list is of neither version', async () => {
    const names = Object.keys(METHODS).flatMap((method) => (isV03Method(method) ? [toRpcName(method)] : []));
    expect(names).toHaveLength(10);
    for (const name of names) expect(await codeOf(name, {}, V1), name).toBe(-32009);
    expect((await rpc('tasks/list', {}, V1)).body.error).toMatchObject({
      code: -32601,
      message: 'Method not found: A2A 1.0 calls it ListTasks',
    });
  });

  test('D50: a request that is refused before its method is known is answered in the shape of its version', async () => {
    const send = async (body: string, headers = {}): Promise<Json> =>
      (await knock('/', { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })).json();
    for (const body of ['{', '[]', '{"jsonrpc":"2.0","id":1}', '{"jsonrpc":"1.0","id":1,"method":"tasks/get"}']) {
      expect((await send(body)).error.data, body).toMatchObject({ retryable: false, reason: expect.any(String) });
      expect((await send(body, V1)).error.data, body).toMatchObject([{ reason: expect.any(String) }]);
    }
  });

  test('D50: an unknown method is answered in the shape of the version that the header names', async () => {
    expect((await rpc('tasks/list')).body.error).toMatchObject({ code: -32601, data: { reason: 'METHOD_NOT_FOUND', retryable: false } });
    expect((await rpc('Nope', {}, V1)).body.error).toMatchObject({ code: -32601, data: [{ reason: 'METHOD_NOT_FOUND' }] });
    for (const name of ['constructor', '__proto__', 'toString']) expect(await codeOf(name, {})).toBe(-32601);
  });

  test('D50: a path below /v1 without a version is 0.3; with 1.0 it is the tenant v1', async () => {
    expect((await rest('POST', '/v1/message:send', sayingProto('hi'))).body.task.status.state).toBe('TASK_STATE_COMPLETED');
    const { body } = await rest('POST', '/v1/message:send', userMessage('hi'), V1);
    expect(body.task.history[0].parts).toEqual([{ text: 'hi' }]);
    const listed = await rest('GET', '/v1/tasks', undefined, V1);
    expect(listed.body.tasks.map(({ id }: Json) => id)).toEqual([body.task.id]);
    // A task of the tenant v1 is unknown without it.
    expect((await rest('GET', `/v1/tasks/${body.task.id}`)).body).toMatchObject({ code: -32001 });
  });

  test('D50: a path of 1.0 without a version is refused, and the error contains the header to add', async () => {
    const { status, body } = await rest('POST', '/message:send', userMessage('hi'));
    expect([status, body.error.status, body.error.message]).toEqual([
      400,
      'FAILED_PRECONDITION',
      expect.stringContaining('A2A-Version: 1.0'),
    ]);
  });

  test('D50: paths that 0.3 does not have are 404, and wrong verbs 405, in the shape of 0.3', async () => {
    expect(await rest('GET', '/v1/tasks')).toMatchObject({ status: 404, body: { code: -32601, data: { reason: 'METHOD_NOT_FOUND' } } });
    const wrong = await rest('GET', '/v1/message:send');
    expect([wrong.status, wrong.headers.get('allow'), wrong.body.code]).toEqual([405, 'POST', -32601]);
    expect((await knock('/v1/tenant/tasks/x')).status).toBe(404);
  });

  test('D50: with compat: false, only 1.0 is served, and the errors say so', async () => {
    const only = speaker({ compat: false });
    expect((await only.rpc('message/send', saying('hi'))).body.error).toMatchObject({
      code: -32009,
      message: expect.stringContaining('supports only 1.0'),
    });
    expect((await only.rpc('message/send', saying('hi'), V1)).body.error).toMatchObject({
      code: -32601,
      message: expect.stringContaining('SendMessage'),
    });
    expect((await only.rest('POST', '/v1/message:send', sayingProto('hi'))).body.error.message).toContain('supports only 1.0');
    expect((await only.knock('/.well-known/agent.json')).status).toBe(404);
    const card: Json = await (await only.knock('/.well-known/agent-card.json')).json();
    expect(card.url).toBeUndefined();
  });
});

describe('D50: replies over JSON-RPC', () => {
  test('D50, F51: a task has kinds and lower-case states, and 1.0 sees the same task', async () => {
    const { rpc } = speaker();
    const { body } = await rpc('message/send', saying('hi', { metadata: { a: 1 } }));
    const { id, contextId } = body.result;
    expect(body.result).toMatchObject({
      kind: 'task',
      status: { state: 'completed' },
      history: [
        { kind: 'message', role: 'user', taskId: id, parts: [{ kind: 'text', text: 'hi' }], metadata: { a: 1 } },
        { kind: 'message', role: 'agent', parts: [{ kind: 'text', text: 'thinking' }] },
      ],
      artifacts: [{ artifactId: 'answer', parts: [{ kind: 'text', text: 'one two' }] }],
    });
    expect((await rpc('tasks/get', { id, historyLength: 1 })).body.result).toMatchObject({
      kind: 'task',
      id,
      contextId,
      history: [{ role: 'agent' }],
    });
    expect((await rpc('GetTask', { id }, V1)).body.result).toMatchObject({ id, status: { state: 'TASK_STATE_COMPLETED' } });
  });

  test('D50: a direct message', async () => {
    const { body } = await speaker().rpc('message/send', saying('message'));
    expect(body.result).toMatchObject({ kind: 'message', role: 'agent', parts: [{ kind: 'text', text: 'direct' }] });
  });

  test('D50: files and data in both directions', async () => {
    const { rpc, seen } = speaker();
    const parts = [
      { kind: 'text', text: 'parts' },
      { kind: 'file', file: { bytes: 'aGk=', name: 'f.txt', mimeType: 'text/plain' } },
      { kind: 'file', file: { uri: 'https://x.test/f' } },
      { kind: 'data', data: { a: 1 } },
      { kind: 'data', data: { value: [1] }, metadata: { data_part_compat: true } },
    ];
    const { body } = await rpc('message/send', saying('', { parts }));
    expect(seen[0]).toEqual([
      { text: 'parts' },
      { raw: 'aGk=', filename: 'f.txt', mediaType: 'text/plain' },
      { url: 'https://x.test/f' },
      { data: { a: 1 } },
      { data: [1] },
    ]);
    expect(body.result.artifacts[0].parts).toEqual([
      { kind: 'text', text: 't' },
      { kind: 'file', file: { bytes: 'aGk=', name: 'f', mimeType: 'a/b' } },
      { kind: 'data', data: { value: [1] }, metadata: { data_part_compat: true } },
    ]);
  });

  test('D50: `blocking: false` returns at once, and without it the call blocks', async () => {
    const executor = scriptedExecutor([{ do: 'gate', name: 'go' }, { do: 'complete' }]);
    const { rpc } = speaker({ executor, taskAfterMs: 0 });
    const { body } = await rpc('message/send', { ...saying('hi'), configuration: { blocking: false } });
    expect(body.result.status.state).toBe('submitted');
    const blocked = rpc('tasks/get', { id: body.result.id });
    expect((await blocked).body.result.status.state).toBe('submitted');
    executor.open('go');
    const waiting = rpc('message/send', { ...saying('again'), configuration: { acceptedOutputModes: [] } });
    executor.open('go');
    expect((await waiting).body.result.status.state).toBe('completed');
  });

  test('D50: cancel, an ended task, an unknown task and push have the codes of A2A', async () => {
    const { rpc } = speaker();
    const { body } = await rpc('message/send', saying('ask'));
    const { id } = body.result;
    expect(body.result.status).toMatchObject({ state: 'input-required', message: { parts: [{ kind: 'text', text: 'Which city?' }] } });
    expect((await rpc('tasks/cancel', { id })).body.result.status.state).toBe('canceled');
    const done = (await rpc('message/send', saying('hi'))).body.result.id;
    expect((await rpc('tasks/cancel', { id: done })).body.error).toMatchObject({ code: -32002, data: { reason: 'TASK_NOT_CANCELABLE' } });
    expect((await rpc('tasks/get', { id: 'none' })).body.error.code).toBe(-32001);
    expect((await rpc('message/send', saying('more', { taskId: done }))).body.error.code).toBe(-32004);
    const config = { taskId: id, pushNotificationConfig: { url: 'https://x.test/hook' } };
    expect((await rpc('tasks/pushNotificationConfig/set', config)).body.error.code).toBe(-32003);
    for (const name of ['get', 'list', 'delete']) {
      const { error } = (await rpc(`tasks/pushNotificationConfig/${name}`, { id, pushNotificationConfigId: 'c' })).body;
      expect(error.code, name).toBe(-32003);
    }
  });

  test('D50: errors carry reason, retry hint and chain as one object', async () => {
    const { body } = await speaker().rpc('message/send', saying('busy'));
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -31004, message: 'slow down', data: { reason: 'RATE_LIMITED', retryable: true, retryAfter: 1.5 } },
    });
  });

  test('D50: the reply to a question continues the task', async () => {
    const { rpc } = speaker();
    const { id, contextId } = (await rpc('message/send', saying('ask'))).body.result;
    const { result } = (await rpc('message/send', saying('Lisbon', { taskId: id, contextId }))).body;
    expect([result.id, result.status.state, result.artifacts[0].parts[0].text]).toEqual([id, 'completed', 'You said Lisbon']);
  });
});

describe('D50: streams', () => {
  const finals = (events: readonly { data: Json }[]): unknown[] =>
    events.flatMap(({ data }) => {
      const update = data.result?.kind === 'status-update' ? data.result : (data.statusUpdate ?? undefined);
      return update === undefined ? [] : [[update.status.state, update.final]];
    });

  test.each([
    [
      'hi',
      [
        ['working', false],
        ['completed', true],
      ],
    ],
    ['ask', [['input-required', true]]],
    [
      'fail',
      [
        ['working', false],
        ['failed', true],
      ],
    ],
  ])('D50: JSON-RPC: the last status of the stream of "%s" is final', async (text, expected) => {
    const { events } = await speaker().rpcStream('message/stream', saying(text));
    expect(finals(events)).toEqual(expected);
    expect(events[0]?.data).toMatchObject({ jsonrpc: '2.0', id: 7, result: { kind: 'task' } });
  });

  test.each([
    [
      'hi',
      [
        ['TASK_STATE_WORKING', false],
        ['TASK_STATE_COMPLETED', true],
      ],
    ],
    ['ask', [['TASK_STATE_INPUT_REQUIRED', true]]],
  ])('D50: HTTP+JSON: the last status of the stream of "%s" is final', async (text, expected) => {
    const { events } = await speaker().restStream('/v1/message:stream', sayingProto(text));
    expect(finals(events)).toEqual(expected);
    expect(events.find(({ data }) => data.artifactUpdate)?.data.artifactUpdate?.artifact.parts ?? [{ text: 'one ' }]).toEqual([
      { text: 'one ' },
    ]);
  });

  test('D50: a status that turned out to be the last one is sent again with `final`', async () => {
    const { rpcStream } = speaker({
      executor: scriptedExecutor([{ do: 'call', run: (_, events) => events.status('TASK_STATE_AUTH_REQUIRED', 'Sign in') }]),
    });
    const { events } = await rpcStream('message/stream', saying('x'));
    expect(finals(events)).toEqual([
      ['auth-required', false],
      ['auth-required', true],
    ]);
    const [first, again] = events.slice(-2);
    expect(again?.data.result).toEqual({ ...first?.data.result, final: true });
    expect(again?.id).toBeUndefined();
  });

  /** An agent whose streams consist of these events. */
  function streaming(...events: (object | string)[]) {
    const open = (sink: Sink): Reading => {
      queueMicrotask(() => {
        try {
          sink.send(events.map((event, index) => ({ json: typeof event === 'string' ? event : JSON.stringify(event), seq: index + 1 })));
          sink.end({ kind: 'done' });
        } catch {
          // The reader of the log ignores a sink that throws, too.
        }
      });
      return { resume() {}, close() {} };
    };
    return speaker({ interceptors: [() => async () => ({ kind: 'stream', extensions: [], open })] });
  }
  const ids = { taskId: 't', contextId: 'c' };
  const working = { statusUpdate: { ...ids, status: { state: 'TASK_STATE_WORKING' } } };

  test('D50: a Task after a status is the end: the status is not sent again', async () => {
    const done = { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } };
    const { events } = await streaming(working, done).rpcStream('message/stream', saying('x'));
    expect(events.map(({ data }) => [data.result.kind, data.result.status.state])).toEqual([
      ['status-update', 'working'],
      ['task', 'completed'],
    ]);
  });

  test('D50: an event that cannot be translated ends the stream with an error', async () => {
    const { events } = await streaming('not JSON').rpcStream('message/stream', saying('x'));
    expect(events.map(({ name, data }) => [name, data.error.code])).toEqual([['error', -32603]]);
  });

  test('D50: a direct message is the whole stream', async () => {
    const { events } = await speaker().rpcStream('message/stream', saying('message'));
    expect(events.map(({ data }) => data.result.kind)).toEqual(['message']);
  });

  test('D50: an error before the first event is the only event, because clients of 0.3 accept only streams', async () => {
    const { rpcStream } = speaker();
    for (const [method, params, code] of [
      ['message/stream', saying('busy'), -31004],
      ['tasks/resubscribe', { id: 'none' }, -32001],
      ['message/stream', {}, -32602],
    ] as const) {
      const { events } = await rpcStream(method, params);
      expect(events.map(({ name, data }) => [name, data.id, data.error.code])).toEqual([['error', 7, code]]);
    }
  });

  test('D50: over HTTP+JSON, an error before the first event has its HTTP status and the bare body', async () => {
    const { rest } = speaker();
    expect(await rest('POST', '/v1/message:stream', sayingProto('busy'))).toMatchObject({ status: 429, body: { code: -31004 } });
    expect(await rest('POST', '/v1/tasks/none:subscribe')).toMatchObject({ status: 404, body: { code: -32001 } });
    expect(await rest('GET', '/v1/tasks/none:subscribe')).toMatchObject({ status: 404, body: { code: -32001 } });
  });

  test('D50, D4: tasks/resubscribe with Last-Event-ID gets exactly the events after it', async () => {
    const { rpcStream, restStream } = speaker();
    const { events } = await rpcStream('message/stream', saying('hi'));
    const id = events[0]?.data.result.id;
    for (let cut = 1; cut < events.length; cut += 1) {
      const after = { 'last-event-id': String(events[cut - 1]?.id) };
      const rest = await rpcStream('tasks/resubscribe', { id }, after);
      expect(rest.events.map(({ id: seq, data }) => [seq, data.result])).toEqual(
        events.slice(cut).map(({ id: seq, data }) => [seq, data.result]),
      );
      const proto = await restStream(`/v1/tasks/${id}:subscribe`, undefined, after);
      expect(proto.events.map(({ id: seq }) => seq)).toEqual(events.slice(cut).map(({ id: seq }) => seq));
    }
    const ended = await rpcStream('tasks/resubscribe', { id });
    expect(ended.events[0]?.data.error.code).toBe(-32004);
  });

  test('D50: a subscription stays open at a question, so that the question is not final there', async () => {
    const { rpc, knock } = speaker();
    const { id, contextId } = (await rpc('message/send', saying('ask'))).body.result;
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/resubscribe', params: { id } });
    const response = await knock('/', { method: 'POST', headers: { 'content-type': 'application/json', 'last-event-id': '0' }, body });
    await rpc('message/send', saying('Rome', { taskId: id, contextId }));
    const text = await response.text();
    const updates = [...text.matchAll(/"state":"([a-z-]+)"[^\n]*"final":(true|false)/g)].map(([, state, final]) => [state, final]);
    expect(updates[0]).toEqual(['input-required', 'false']);
    expect(updates.at(-1)).toEqual(['completed', 'true']);
  });
});

describe('D50: what every caller has', () => {
  test('D50, D17: a repeated send with an idempotency key gets the same task, over both bindings', async () => {
    const { rpc, rest, agent, seen } = speaker();
    const key = { 'idempotency-key': 'an-order-with-a-long-enough-key' };
    const message = saying('hi');
    const [first, second] = await Promise.all([rpc('message/send', message, key), rpc('message/send', message, key)]);
    expect(second.body.result.id).toBe(first.body.result.id);
    expect((await rpc('message/send', saying('other'), key)).body.error).toMatchObject({
      code: -31009,
      data: { reason: 'IDEMPOTENCY_CONFLICT' },
    });
    const proto = sayingProto('hi');
    const other = { 'idempotency-key': 'another-order-with-a-long-key' };
    const sent = [await rest('POST', '/v1/message:send', proto, other), await rest('POST', '/v1/message:send', proto, other)];
    expect(sent[1]?.body.task.id).toBe(sent[0]?.body.task.id);
    expect(seen).toHaveLength(2);
    await agent.close({ drainMs: 0 });
  });

  test('D50, D17: a message of the plain dialect without an id can be repeated with its key', async () => {
    const { rpc, seen } = speaker();
    const key = { 'idempotency-key': 'a-plain-order-with-a-long-key' };
    const plain = { message: { role: 'user', parts: [{ type: 'text', text: 'hi' }] } };
    const replies = await Promise.all([rpc('message/send', plain, key), rpc('message/send', plain, key)]);
    replies.push(await rpc('message/send', plain, key));
    expect(new Set(replies.map(({ body }) => body.result?.id)).size).toBe(1);
    expect(seen).toHaveLength(1);
  });

  test('D50: extensions come in either header and go back in the header of 0.3', async () => {
    const { rpc, rest } = speaker();
    const uri = 'urn:parley:a2a:log:v1';
    for (const name of ['x-a2a-extensions', 'a2a-extensions']) {
      const { headers } = await rpc('message/send', saying('hi'), { [name]: uri });
      expect([headers.get('x-a2a-extensions'), headers.get('a2a-extensions')]).toEqual([uri, null]);
      expect((await rest('POST', '/v1/message:send', sayingProto('hi'), { [name]: uri })).headers.get('x-a2a-extensions')).toBe(uri);
    }
    const { headers } = await rpc('SendMessage', userMessage('hi'), { ...V1, 'x-a2a-extensions': uri });
    expect(headers.get('a2a-extensions'), '1.0 has another header').toBeNull();
  });

  test('D50: credentials are required as in 1.0, and the owner of a task is the same caller', async () => {
    const { rpc, rest, rpcStream } = speaker({
      security: bearer(),
      auth: (request) =>
        request.header('authorization') === 'Bearer a'
          ? { id: 'a' }
          : request.header('authorization') === 'Bearer b'
            ? { id: 'b' }
            : undefined,
    });
    const [a, b] = [{ authorization: 'Bearer a' }, { authorization: 'Bearer b' }];
    expect((await rpc('message/send', saying('hi'))).status).toBe(401);
    const refused = await rest('POST', '/v1/message:send', sayingProto('hi'));
    expect([refused.status, refused.body.code, refused.headers.get('www-authenticate')]).toEqual([401, -31001, 'Bearer']);
    const { id } = (await rpc('message/send', saying('hi'), a)).body.result;
    expect((await rpc('tasks/get', { id }, b)).body.error.code).toBe(-32001);
    expect((await rpc('GetTask', { id }, { ...V1, ...a })).body.result.id).toBe(id);
    expect((await rpcStream('tasks/resubscribe', { id }, { ...b, 'last-event-id': '1' })).events[0]?.data.error.code).toBe(-32001);
  });
});

describe('D50: HTTP+JSON', () => {
  test('D50: snake_case names, `request` for the message, and numbers for roles are understood', async () => {
    const { rest, seen } = speaker();
    const request = {
      message_id: 'm-1',
      context_id: 'c-1',
      role: 1,
      content: [{ text: 'x' }, { file: { file_with_bytes: 'aGk=', mime_type: 'text/plain' } }, { data: { data: { a: 1 } } }],
    };
    const configuration = { accepted_output_modes: ['text/plain'], history_length: 0, blocking: true };
    const { body } = await rest('POST', '/v1/message:send', { request, configuration });
    expect(seen[0]).toEqual([{ text: 'x' }, { raw: 'aGk=', mediaType: 'text/plain' }, { data: { a: 1 } }]);
    // 0 cannot be told from absent in this model, so the whole history comes.
    expect(body.task).toMatchObject({
      contextId: 'c-1',
      history: [{ messageId: 'm-1', role: 'ROLE_USER', content: expect.any(Array) }, {}],
    });
  });

  test('D50: a configuration without `blocking` returns at once, because this model cannot tell false from absent', async () => {
    const executor = scriptedExecutor([{ do: 'gate', name: 'go' }, { do: 'complete' }]);
    const { rest } = speaker({ executor, taskAfterMs: 0 });
    const { body } = await rest('POST', '/v1/message:send', { ...sayingProto('hi'), configuration: { acceptedOutputModes: [] } });
    expect(body.task.status.state).toBe('TASK_STATE_SUBMITTED');
    const canceled = await rest('POST', `/v1/tasks/${body.task.id}:cancel`);
    expect([canceled.status, canceled.body.status.state]).toEqual([200, 'TASK_STATE_CANCELLED']);
    executor.open('go');
  });

  test('D50: get takes historyLength in both spellings', async () => {
    const { rest } = speaker();
    const { id } = (await rest('POST', '/v1/message:send', sayingProto('hi'))).body.task;
    for (const query of ['historyLength=1', 'history_length=1']) {
      expect((await rest('GET', `/v1/tasks/${id}?${query}`)).body.history).toHaveLength(1);
    }
    expect((await rest('GET', `/v1/tasks/${id}?historyLength=0`)).body.history, 'a query can tell 0 from absent').toBeUndefined();
  });
});

describe('D50: long results', () => {
  test('D50: are the same as if they were translated at once, over both bindings', async () => {
    const { rpc, rest } = speaker({
      async execute(_: unknown, events: TaskEvents) {
        await events.working('begun');
        for (let index = 0; index < 30; index += 1) {
          const parts = [{ text: `${index} `.repeat(10_000) }, { data: [index] }];
          await events.artifact({ artifactId: `a${index}`, parts });
        }
        const many = Array.from({ length: 2_500 }, (_, index) => ({ data: { index } }));
        await events.artifact({ artifactId: 'many', name: 'Many', parts: many });
      },
      executor: undefined,
    } as never);
    const { result } = (await rpc('message/send', saying('hi'))).body;
    expect(JSON.stringify(result).length).toBeGreaterThan(600_000);
    expect(Object.keys(result).sort()).toEqual(['artifacts', 'contextId', 'history', 'id', 'kind', 'status']);
    const many = result.artifacts.pop();
    expect([many.artifactId, many.name, many.parts.length, many.parts[2_400]]).toEqual([
      'many',
      'Many',
      2_500,
      { kind: 'data', data: { index: 2_400 } },
    ]);
    expect(result.artifacts.map(({ artifactId, parts }: Json) => [artifactId, parts.length, parts[1].data])).toEqual(
      Array.from({ length: 30 }, (_, index) => [`a${index}`, 2, { value: [index] }]),
    );
    expect(result.history.map(({ kind, role }: Json) => [kind, role])).toEqual([
      ['message', 'user'],
      ['message', 'agent'],
    ]);
    const reads = await Promise.all([1, 2, 3].map(() => rpc('tasks/get', { id: result.id })));
    for (const { body } of reads) expect(body.result).toEqual({ ...result, artifacts: [...result.artifacts, many] });
    const proto = (await rest('GET', `/v1/tasks/${result.id}`)).body;
    expect([proto.status.state, proto.artifacts.length, proto.artifacts[29].parts[1], proto.history[0].content]).toEqual([
      'TASK_STATE_COMPLETED',
      31,
      { data: { data: { value: [29] } }, metadata: { data_part_compat: true } },
      [{ text: 'hi' }],
    ]);
  });
});

describe('D50: bad input', () => {
  test.each([
    [
      'an unknown kind of part',
      { parts: [{ kind: 'video', text: 'x' }] },
      'message.parts[0].kind must be "text", "file" or "data", got "video"',
    ],
    ['a kind that is not a text', { parts: [{ kind: 7, text: 'x' }] }, 'message.parts[0].kind must be "text", "file" or "data", got 7'],
    ['an unknown role', { role: 'assistant' }, 'message.role must be "user" or "agent", got "assistant"'],
    ['a file without content', { parts: [{ kind: 'file' }] }, 'message.parts[0].file must be an object with bytes or uri'],
    ['an empty file', { parts: [{ kind: 'file', file: {} }] }, 'message.parts[0] must have exactly one of'],
    ['no parts', { parts: undefined }, 'message.parts'],
    ['parts that are not a list', { parts: 'hi' }, 'message.parts must be'],
    ['a role that is a list', { role: [[]] }, 'message.role must be "user" or "agent", got a list'],
    ['no id', { messageId: undefined }, 'message.messageId'],
    ['a part that is not an object', { parts: ['hi'] }, 'message.parts[0] must be'],
  ])('D50: %s is -32602, and the error names the member', async (_, more, words) => {
    const { body } = await speaker().rpc('message/send', saying('x', more));
    expect(body.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining(words),
      data: { reason: 'INVALID_PARAMS', retryable: false },
    });
  });

  test.each([[null], ['text'], [[]], [7], [{}], [{ message: null }], [{ message: 'hi' }], [{ message: [], configuration: 3 }]])(
    'D50: the params %j are -32602 over both bindings',
    async (params) => {
      const { rpc, rest } = speaker();
      expect((await rpc('message/send', params)).body.error.code).toBe(-32602);
      const { body } = await rest('POST', '/v1/message:send', params);
      expect([-32602, -32600]).toContain(body.code);
    },
  );

  test('D50: `blocking` must be true or false', async () => {
    const { body } = await speaker().rpc('message/send', { ...saying('x'), configuration: { blocking: 'no' } });
    expect(body.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('configuration.blocking must be true or false, got "no"'),
    });
  });

  test('D50: a tenant is ignored by all methods: 0.3 has none', async () => {
    const { rpc, rest } = speaker();
    const { id } = (await rpc('SendMessage', { ...userMessage('hi'), tenant: 'acme' }, V1)).body.result.task;
    expect((await rpc('tasks/get', { id, tenant: 'acme' })).body.error.code).toBe(-32001);
    expect((await rest('GET', `/v1/tasks/${id}?tenant=acme`)).status).toBe(404);
  });

  test('D50: a message without tags is understood by its members', async () => {
    const { rpc, seen } = speaker();
    const parts = [{ text: 'x' }, { file: { uri: 'https://x.test' } }, { data: { a: 1 } }];
    const { body } = await rpc('message/send', { message: { messageId: 'm', role: 'user', parts } });
    expect(body.result.kind).toBe('task');
    expect(seen[0]).toEqual([{ text: 'x' }, { url: 'https://x.test' }, { data: { a: 1 } }]);
  });

  test('D50: the limits of bodies, parts and metadata are those of 1.0', async () => {
    const { rpc } = speaker({ maxBodyBytes: 10_000 });
    const big = await rpc('message/send', saying('x'.repeat(20_000)));
    expect([big.status, big.body.error.code]).toEqual([413, -31007]);
    const many = await rpc('message/send', saying('', { parts: Array(101).fill({ kind: 'text', text: '' }) }));
    expect(many.body.error.code).toBe(-32602);
  });

  test('D50: a value that is nested deeply is refused like any other', async () => {
    const deep = '['.repeat(9_000) + ']'.repeat(9_000);
    const body = `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"messageId":"m","role":${deep},"parts":[]}}}`;
    const response = await speaker().knock('/', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(((await response.json()) as Json).error.code).toBe(-32602);
  });

  test('D50: members named __proto__ stay data', async () => {
    const { knock, seen } = speaker();
    const body = `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"messageId":"m","role":"user","parts":[{"kind":"data","data":{"__proto__":{"a":1}}}],"__proto__":{"parts":[]}}}}`;
    const response = await knock('/', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(((await response.json()) as Json).result.kind).toBe('task');
    expect(JSON.stringify(seen[0])).toBe('[{"data":{"__proto__":{"a":1}}}]');
  });
});

describe('D50: the card', () => {
  const { knock } = speaker({ security: bearer({ format: 'JWT' }), skills: [{ id: 's', name: 's', description: 's', tags: ['s'] }] });
  const cardOf = async (headers = {}, path = '/.well-known/agent-card.json'): Promise<{ card: Json; headers: Headers }> => {
    const response = await knock(path, { headers });
    return { card: await response.json(), headers: response.headers };
  };

  test('D50: the default card has the members of both versions, and each reader finds its own', async () => {
    const { card } = await cardOf();
    const strict = (await cardOf(V1)).card as AgentCard;
    expect(findCardFaults(card)).toEqual([]);
    expect(card).toMatchObject({
      url: 'http://agent.test',
      preferredTransport: 'JSONRPC',
      protocolVersion: '0.3.0',
      additionalInterfaces: [
        { url: 'http://agent.test', transport: 'JSONRPC' },
        { url: 'http://agent.test', transport: 'HTTP+JSON' },
      ],
      supportsAuthenticatedExtendedCard: false,
      security: [{ bearer: [] }],
      securitySchemes: { bearer: { type: 'http', scheme: 'Bearer', bearerFormat: 'JWT', httpAuthSecurityScheme: { scheme: 'Bearer' } } },
    });
    const asCurrent = parseAs('AgentCard', card);
    const own = asCurrent.supportedInterfaces.filter(({ protocolVersion }) => protocolVersion === '1.0');
    expect({ ...asCurrent, supportedInterfaces: own }).toEqual(strict);
    expect(asCurrent.supportedInterfaces.map(({ protocolVersion }) => protocolVersion)).toEqual(['1.0', '1.0', '0.3', '0.3']);
  });

  test('D50: a request with 1.0 gets the strict card; each has its own ETag, and caches keep them apart', async () => {
    const [both, strict, old] = [await cardOf(), await cardOf(V1), await cardOf({ 'a2a-version': '0.3' })];
    expect(parseAs('AgentCard', strict.card)).toEqual(strict.card);
    expect(old.card).toEqual(both.card);
    expect(strict.headers.get('etag')).not.toBe(both.headers.get('etag'));
    for (const { headers } of [both, strict]) expect(headers.get('vary')).toContain('A2A-Version');
    const fresh = await knock('/.well-known/agent-card.json', { headers: { ...V1, 'if-none-match': strict.headers.get('etag') ?? '' } });
    expect(fresh.status).toBe(304);
    const other = await knock('/.well-known/agent-card.json', { headers: { 'if-none-match': strict.headers.get('etag') ?? '' } });
    expect(other.status).toBe(200);
  });

  test('D50: `card: strict` leaves out the members of 0.3 and keeps its methods', async () => {
    const strict = speaker({ compat: { card: 'strict' } });
    const card = await (await strict.knock('/.well-known/agent-card.json')).json();
    expect(parseAs('AgentCard', card)).toEqual(card);
    expect((await strict.rpc('message/send', saying('hi'))).body.result.kind).toBe('task');
  });

  test('D50, G49: the card is also where clients before 0.3 look for it', async () => {
    expect((await cardOf({}, '/.well-known/agent.json')).card).toEqual((await cardOf()).card);
  });

  test('D50: the extended card has the members of both versions, and in HTTP+JSON the form of ProtoJSON', async () => {
    const security = [{ schemes: { bearer: { list: ['read'] } } }];
    const extended: AgentCard = {
      name: 'Extended',
      description: 'd',
      version: '2',
      supportedInterfaces: [{ url: 'http://agent.test', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: { extendedAgentCard: true },
      securitySchemes: {
        bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } },
        tv: {
          oauth2SecurityScheme: {
            flows: { deviceCode: { deviceAuthorizationUrl: 'https://x.test/d', tokenUrl: 'https://x.test/t', scopes: {} } },
          },
        },
      },
      securityRequirements: security,
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [],
    };
    const { rpc, rest } = speaker({ auth: () => ({ id: 'a' }), extendedCard: () => extended });
    const { result } = (await rpc('agent/getAuthenticatedExtendedCard')).body;
    expect(result).toMatchObject({ name: 'Extended', supportsAuthenticatedExtendedCard: true, security: [{ bearer: ['read'] }] });
    const { body } = await rest('GET', '/v1/card');
    expect(body.security).toEqual(security);
    expect(Object.keys(body.securitySchemes), 'a flow for devices only has no place in 0.3').toEqual(['bearer']);
  });

  test('D50: the superset of a card keeps its interfaces of 0.3, and adds only those that are served', async () => {
    const at = (protocolBinding: string, protocolVersion: string, more = {}): Json => ({
      url: 'http://a.test',
      protocolBinding,
      protocolVersion,
      ...more,
    });
    const card = {
      name: 'n',
      description: 'd',
      version: '1',
      capabilities: {},
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [],
      supportedInterfaces: [
        at('JSONRPC', '1.0'),
        at('GRPC', '1.0'),
        at('JSONRPC', '0.3', { url: 'http://old.test' }),
        at('JSONRPC', '1.0', { tenant: 't' }),
      ],
      signatures: [{ protected: 'x', signature: 'y' }],
    };
    const superset = toSupersetCard(card as unknown as AgentCard);
    expect(superset.signatures).toBeUndefined();
    expect(superset.supportedInterfaces).toEqual([
      ...card.supportedInterfaces.filter(({ protocolVersion }) => protocolVersion === '1.0'),
      at('JSONRPC', '0.3', { url: 'http://old.test' }),
      at('JSONRPC', '0.3'),
    ]);
    expect(superset.url).toBe('http://old.test');
  });

  test('D50: wrong values of the option are refused at startup', () => {
    for (const compat of ['yes', 1, { card: 'loose' }, { cards: 'strict' }, null]) {
      expect(() => speaker({ compat: compat as never }), JSON.stringify(compat)).toThrow(/compat|cards/);
    }
  });
});
