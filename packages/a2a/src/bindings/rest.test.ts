import { expect, test } from 'vitest';
import { endpointsOf, fetchInProcess, restEndpoint, restErrorOf, taskOf, userMessage, V1 } from '../../test/endpoints.js';
import { createAgent } from '../server/create-agent.js';

const agent = createAgent({
  name: 'Echo',
  auth: 'none',
  executor: {
    async execute(context, events) {
      if (context.text !== 'ask') return events.complete(context.text);
      await events.complete(await context.requireInput('What?'));
    },
  },
});
const knock = fetchInProcess(agent);
const door = restEndpoint(knock);
const A2A = 'application/a2a+json';

const send = (headers: Record<string, string>, body = JSON.stringify(userMessage('hi'))) =>
  knock('/message:send', { method: 'POST', headers: { ...V1, ...headers }, body });

test('G47: the same task is seen over JSON-RPC and HTTP+JSON, no matter which binding started it', async () => {
  const [rpc, rest] = endpointsOf(knock);
  for (const [here, there] of [
    [rpc, rest],
    [rest, rpc],
  ] as const) {
    const task = taskOf(await here.call('SendMessage', userMessage('hi')));
    expect((await there.call('GetTask', { id: task.id })).result).toEqual(task);
    expect((await there.call('ListTasks', { contextId: task.contextId })).result).toMatchObject({ totalSize: 1, tasks: [{ id: task.id }] });
    const asked = taskOf(await here.call('SendMessage', userMessage('ask')));
    const answered = taskOf(await there.call('SendMessage', userMessage('because', { taskId: asked.id })));
    expect(answered).toMatchObject({ id: asked.id, status: { state: 'TASK_STATE_COMPLETED' } });
    expect((await here.call('GetTask', { id: asked.id })).result).toEqual(answered);
  }
});

test('the reply has the media type that Accept asks for, otherwise that of the request', async () => {
  const table = [
    [{ 'content-type': A2A }, A2A],
    [{ 'content-type': 'application/json' }, 'application/json'],
    [{ 'content-type': 'application/json; charset=utf-8', accept: '*/*' }, 'application/json'],
    [{ 'content-type': 'application/json', accept: `text/event-stream, ${A2A}` }, A2A],
    [{ 'content-type': A2A, accept: 'application/json' }, 'application/json'],
    [{ 'content-type': A2A, accept: 'text/html' }, A2A],
  ] as const;
  for (const [headers, type] of table) expect((await send(headers)).headers.get('content-type'), JSON.stringify(headers)).toBe(type);
  const failed = await knock('/tasks/none', { headers: { ...V1, accept: A2A } });
  expect([failed.status, failed.headers.get('content-type')]).toEqual([404, A2A]);
});

test('a body with another content type, or without one, is refused', async () => {
  for (const headers of [{ 'content-type': 'text/plain' }, { 'content-type': 'multipart/form-data; boundary=x' }]) {
    const response = await send(headers);
    expect([response.status, (await restErrorOf(response))?.reason]).toEqual([400, 'CONTENT_TYPE_NOT_SUPPORTED']);
  }
  const untyped = await knock('/message:send', {
    method: 'POST',
    headers: V1,
    body: new TextEncoder().encode(JSON.stringify(userMessage('hi'))),
  });
  expect(untyped.status).toBe(400);
});

test('D25: an empty body is an empty object for cancel and subscribe', async () => {
  for (const [body, headers] of [
    [undefined, {}],
    ['', {}],
    ['{}', { 'content-type': A2A }],
    ['null', { 'content-type': A2A }],
    [' \n', { 'content-type': 'text/plain' }],
  ] as const) {
    const task = taskOf(await door.call('SendMessage', userMessage('ask')));
    const init = { method: 'POST', headers: { ...V1, ...headers }, ...(body === undefined ? {} : { body }) };
    const response = await knock(`/tasks/${task.id}:cancel`, init);
    expect(await response.json()).toMatchObject({ id: task.id, status: { state: 'TASK_STATE_CANCELED' } });
    const subscribed = await knock(`/tasks/${task.id}:subscribe`, { ...init, headers: { ...init.headers, 'last-event-id': '0' } });
    expect([subscribed.status, subscribed.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(await subscribed.text()).toContain('TASK_STATE_CANCELED');
  }
});

test('subscribe answers GET as it answers POST', async () => {
  const task = taskOf(await door.call('SendMessage', userMessage('hi')));
  const streams = ['GET', 'POST'].map(async (method) => {
    const response = await knock(`/tasks/${task.id}:subscribe`, { method, headers: { ...V1, 'last-event-id': '0' } });
    return response.text();
  });
  const [got, posted] = await Promise.all(streams);
  expect(got).toBe(posted);
  expect(got).toContain('data: {"task":');
});

test('a tenant is part of the path, and its tasks are visible only below it', async () => {
  const task = taskOf(await door.call('SendMessage', { ...userMessage('hi'), tenant: 'a b' }));
  expect((await door.call('GetTask', { id: task.id, tenant: 'a b' })).result).toEqual(task);
  expect((await door.call('GetTask', { id: task.id })).status).toBe(404);
  expect((await door.call('GetTask', { id: task.id, tenant: 'other' })).status).toBe(404);
});

test('a value in the body that is also in the path may be absent or equal, not different', async () => {
  const task = taskOf(await door.call('SendMessage', userMessage('ask')));
  const cancel = async (body: object) => {
    const headers = { ...V1, 'content-type': 'application/json' };
    return (await knock(`/tasks/${task.id}:cancel`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
  };
  expect(await cancel({ id: 'another' })).toBe(400);
  expect(await cancel({ id: task.id, metadata: { why: 'x' } })).toBe(200);
  const create = {
    method: 'POST',
    headers: { ...V1, 'content-type': 'application/json' },
    body: '{"task_id":"another","url":"https://h.test"}',
  };
  const error = await restErrorOf(await knock(`/tasks/${task.id}/pushNotificationConfigs`, create));
  expect(error?.details[1]?.fieldViolations?.[0]?.field).toBe('taskId');
});

test('query parameters are parsed by their types, and invalid ones are named', async () => {
  const { contextId = '' } = taskOf(await door.call('SendMessage', userMessage('hi')));
  const list = await knock(`/tasks?context_id=${contextId}&pageSize=7&includeArtifacts=true&historyLength=0&junk=1`, { headers: V1 });
  expect(await list.json()).toMatchObject({ pageSize: 7, totalSize: 1, tasks: [{ artifacts: [] }] });
  for (const bad of [
    'pageSize=x',
    'pageSize=0',
    'pageSize=101',
    'historyLength=-1',
    'includeArtifacts=2',
    'status=NOPE',
    'statusTimestampAfter=now',
  ]) {
    const response = await knock(`/tasks?${bad}`, { headers: V1 });
    const error = await restErrorOf(response);
    expect([response.status, error?.reason], bad).toEqual([400, 'INVALID_PARAMS']);
    expect(JSON.stringify(error?.details), bad).toContain(bad.split('=')[0]);
  }
});

test('an unknown path is 404, and a wrong verb is 405 with the allowed verbs', async () => {
  const unknown = await knock('/nothing/here/at/all', { headers: V1 });
  expect([unknown.status, (await restErrorOf(unknown))?.status]).toEqual([404, 'UNIMPLEMENTED']);
  const wrong = await knock('/message:send', { headers: V1 });
  expect([wrong.status, wrong.headers.get('allow'), (await restErrorOf(wrong))?.code]).toEqual([405, 'POST', 405]);
  const root = await knock('/', { headers: V1 });
  expect([root.status, root.headers.get('allow')]).toEqual([405, 'POST']);
});

test('broken JSON, and JSON that is not an object, are 400', async () => {
  for (const [body, reason] of [
    ['{"message":', 'PARSE_ERROR'],
    ['[]', 'INVALID_REQUEST'],
    ['"x"', 'INVALID_REQUEST'],
    ['5', 'INVALID_REQUEST'],
    ['{}', 'INVALID_PARAMS'],
    ['', 'INVALID_PARAMS'],
  ] as const) {
    const response = await send({ 'content-type': 'application/json' }, body);
    expect([response.status, (await restErrorOf(response))?.reason], body).toEqual([400, reason]);
  }
});

for (const [version, served] of [
  [undefined, false],
  ['', false],
  ['0.3', false],
  ['1.0', true],
  ['1.0.7', true],
  ['1.1', false],
  ['junk', false],
] as const) {
  test(`P51: version ${version ?? 'absent'} is ${served ? 'served' : 'refused with 400'} over HTTP+JSON`, async () => {
    const response = await knock('/tasks', version === undefined ? {} : { headers: { 'a2a-version': version } });
    expect(response.status).toBe(served ? 200 : 400);
    if (!served) expect((await restErrorOf(response))?.reason).toBe('VERSION_NOT_SUPPORTED');
  });
}

test('P51: over HTTP+JSON too, the version may be in the query', async () => {
  expect((await knock('/tasks?A2A-Version=1.0')).status).toBe(200);
  expect((await knock('/tasks?A2A-Version=1.0', { headers: { 'a2a-version': '0.3' } })).status).toBe(400);
});

test('replies that depend on the caller are not stored by shared caches', async () => {
  expect((await knock('/tasks', { headers: V1 })).headers.get('cache-control')).toBe('private, no-cache');
  const card = {
    name: 'x',
    description: 'd',
    version: '1',
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
  };
  const skills = [{ id: 's', name: 's', description: 's', tags: ['s'] }];
  const supportedInterfaces = [{ url: 'http://agent.test', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
  const extended = createAgent({
    name: 'x',
    auth: () => ({ id: 'me' }),
    execute: () => undefined,
    extendedCard: () => ({ ...card, skills, supportedInterfaces }),
  });
  const response = await fetchInProcess(extended)('/extendedAgentCard', { headers: V1 });
  expect([response.status, response.headers.get('cache-control'), response.headers.get('vary')]).toEqual([
    200,
    'private, no-cache',
    'Authorization',
  ]);
});
