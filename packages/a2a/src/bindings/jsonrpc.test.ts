import { expect, test } from 'vitest';
import { bodyOf, fetchInProcess, userMessage, V1 } from '../../test/endpoints.js';
import type { Task } from '../protocol/types.js';
import { createAgent } from '../server/create-agent.js';

const knock = fetchInProcess(createAgent({ name: 'Echo', auth: 'none', execute: async (context) => context.text }));
const JSON_TYPE = { 'content-type': 'application/json' };

interface RpcBody {
  readonly id: unknown;
  readonly result?: { readonly task: Task };
  readonly error?: { readonly code: number };
}

async function post(body: unknown, headers: Record<string, string> = { ...V1, ...JSON_TYPE }, path = '/') {
  const response = await knock(path, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
  expect(response.headers.get('content-type')).toBe('application/json');
  return { status: response.status, body: await bodyOf<RpcBody>(response) };
}

const call = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });

test('B2: JSON that cannot be parsed is -32700 with id null and HTTP 400', async () => {
  expect(await post('{"jsonrpc":')).toMatchObject({ status: 400, body: { jsonrpc: '2.0', id: null, error: { code: -32700 } } });
});

test('B2: an envelope without jsonrpc, method or id is -32600', async () => {
  expect(await post({ id: 1, method: 'GetTask' })).toMatchObject({ status: 200, body: { id: 1, error: { code: -32600 } } });
  expect(await post({ jsonrpc: '2.0', id: 1 })).toMatchObject({ status: 200, body: { id: 1, error: { code: -32600 } } });
  expect(await post({ jsonrpc: '2.0', method: 'GetTask' })).toMatchObject({ status: 400, body: { id: null, error: { code: -32600 } } });
});

test('B2: an unknown method is -32601', async () => {
  for (const method of ['Nope', 'tasks/nope', 'constructor', '__proto__', '', 'getTask']) {
    expect(await post(call(method)), method).toMatchObject({ status: 200, body: { id: 1, error: { code: -32601 } } });
  }
});

test('B2: a message without parts or with a bad role is -32602', async () => {
  const { message } = userMessage('x');
  for (const bad of [{ ...message, parts: [] }, { ...message, parts: undefined }, { ...message, role: 'ROLE_KING' }, 'text', [], 5]) {
    expect(await post(call('SendMessage', { message: bad })), JSON.stringify(bad)).toMatchObject({
      status: 200,
      body: { error: { code: -32602 } },
    });
  }
  for (const params of ['text', [1], 5, true]) {
    expect(await post(call('SendMessage', params)), JSON.stringify(params)).toMatchObject({
      status: 200,
      body: { error: { code: -32602 } },
    });
  }
});

test('B2: anything else is -32603', async () => {
  const broken = fetchInProcess(
    createAgent({
      name: 'Broken',
      auth: 'none',
      execute: async () => {
        throw new Error('x');
      },
    }),
  );
  const response = await broken('/', {
    method: 'POST',
    headers: { ...V1, ...JSON_TYPE },
    body: JSON.stringify(call('SendMessage', userMessage('x'))),
  });
  expect([response.status, await response.json()]).toMatchObject([200, { id: 1, error: { code: -32603 } }]);
});

test('D25: batches and notifications are refused with id null', async () => {
  const notification = { jsonrpc: '2.0', method: 'GetTask', params: { id: 'x' } };
  for (const body of [[call('ListTasks')], [], notification]) {
    expect(await post(body)).toMatchObject({ status: 400, body: { id: null, error: { code: -32600 } } });
  }
});

test('D25: the ids 0, "" and null are returned unchanged, with results and with errors', async () => {
  for (const id of [0, '', null, 'x']) {
    expect((await post(call('ListTasks', undefined, id))).body).toMatchObject({ id, result: { tasks: expect.any(Array) } });
    expect((await post(call('GetTask', { id: 'none' }, id))).body).toMatchObject({ id, error: { code: -32001 } });
  }
});

test('D25: the error for a 1.0 method without the version header names the header to add, and has its id', async () => {
  const { status, body } = await post(call('ListTasks', {}, 7), JSON_TYPE);
  expect([status, body]).toMatchObject([200, { id: 7, error: { code: -32009, message: expect.stringContaining('"A2A-Version: 1.0"') } }]);
});

test('D25: the path works with and without a trailing slash, also below a base path, without redirects', async () => {
  const agent = createAgent({ name: 'Echo', auth: 'none', execute: async (context) => context.text });
  const below = fetchInProcess(agent, { basePath: '/agents/one/' });
  for (const path of ['/agents/one', '/agents/one/']) {
    const response = await below(path, { method: 'POST', headers: { ...V1, ...JSON_TYPE }, body: JSON.stringify(call('ListTasks')) });
    expect([response.status, response.redirected]).toEqual([200, false]);
  }
  for (const path of ['/', '/agents', '/agents/onetwo', '/agents/one/two']) {
    expect((await below(path, { method: 'POST', headers: { ...V1, ...JSON_TYPE }, body: '{}' })).status, path).toBe(404);
  }
});

test('D25: a wrong content type is 415 with -32005 and id null, before the body is read', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'text/json;application/json']) {
    expect(await post('{', { ...V1, 'content-type': type }), type).toMatchObject({
      status: 415,
      body: { id: null, error: { code: -32005 } },
    });
  }
});

test('a content type may have parameters, and may be the one of HTTP+JSON', async () => {
  for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/a2a+json']) {
    expect(await post(call('ListTasks'), { ...V1, 'content-type': type })).toMatchObject({ status: 200, body: { result: {} } });
  }
});

test('results are the plain messages that the specification names', async () => {
  const sent = await post(call('SendMessage', userMessage('hello')));
  const task = sent.body.result?.task;
  expect(task).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ parts: [{ text: 'hello' }] }] });
  expect((await post(call('GetTask', { id: task?.id }))).body.result).toEqual(task);
  expect((await post(call('ListTasks', { contextId: task?.contextId }))).body.result).toMatchObject({
    totalSize: 1,
    nextPageToken: '',
    pageSize: 50,
  });
});

test('members are read in snake_case too', async () => {
  const { message } = userMessage('hi');
  const { messageId, ...rest } = message;
  const sent = await post(call('SendMessage', { message: { message_id: messageId, ...rest }, configuration: { history_length: 0 } }));
  expect(sent.body.result?.task.history).toBeUndefined();
});

for (const [version, served] of [
  [undefined, false],
  ['', false],
  ['0.3', false],
  ['1.0', true],
  ['1.0.7', true],
  ['1.1', false],
  ['junk', false],
  ['1', false],
] as const) {
  test(`P51: version ${version ?? 'absent'} is ${served ? 'served' : 'refused with -32009'} over JSON-RPC`, async () => {
    const headers = version === undefined ? JSON_TYPE : { ...JSON_TYPE, 'a2a-version': version };
    const { status, body } = await post(call('ListTasks'), headers);
    expect(status).toBe(200);
    if (served) return expect(body.result).toBeDefined();
    expect(body).toMatchObject({
      id: 1,
      error: { code: -32009, data: [{ reason: 'VERSION_NOT_SUPPORTED', metadata: { supportedVersions: '0.3,1.0' } }] },
    });
  });
}

test('P51: the version may be in the query, and the header takes precedence', async () => {
  expect((await post(call('ListTasks'), JSON_TYPE, '/?A2A-Version=1.0')).body.result).toBeDefined();
  expect((await post(call('ListTasks'), { ...JSON_TYPE, 'a2a-version': '' }, '/?a2a-version=1.0')).body.result).toBeDefined();
  expect((await post(call('ListTasks'), { ...JSON_TYPE, 'a2a-version': '2.0' }, '/?A2A-Version=1.0')).body.error?.code).toBe(-32009);
});
