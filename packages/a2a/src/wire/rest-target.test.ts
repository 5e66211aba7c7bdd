import { describe, expect, test } from 'vitest';
import { METHODS, type MethodName } from '../protocol/methods.js';
import { matchRoute } from './rest.js';
import { decodeQuery } from './rest-query.js';
import { type RestRequest, type RestTarget, toRestTarget } from './rest-target.js';

const BASE = 'https://agent.test/a2a';

const target = (method: MethodName, params: object, more: Partial<RestRequest> = {}): RestTarget =>
  toRestTarget({ method, params, base: BASE, ...more });

describe('U1: the URL is the base without its last slash, the tenant, and the path', () => {
  test.each([
    ['https://agent.test', undefined, 'https://agent.test/tasks/7'],
    ['https://agent.test/', undefined, 'https://agent.test/tasks/7'],
    ['https://agent.test/a2a', undefined, 'https://agent.test/a2a/tasks/7'],
    ['https://agent.test/a2a/', '', 'https://agent.test/a2a/tasks/7'],
    ['https://agent.test/a2a//', undefined, 'https://agent.test/a2a//tasks/7'],
    ['https://agent.test/a2a', 'acme', 'https://agent.test/a2a/acme/tasks/7'],
    ['https://agent.test/a2a', 'a/b c', 'https://agent.test/a2a/a%2Fb%20c/tasks/7'],
    ['https://agent.test/a2a?code=1', undefined, 'https://agent.test/a2a/tasks/7?code=1'],
  ])('%s with tenant %j', (base, tenant, url) => {
    expect(target('GetTask', { id: '7' }, { base, tenant }).url).toBe(url);
  });

  test('U1: a query of the base and that of the request are joined', () => {
    expect(target('ListTasks', { pageSize: 2 }, { base: `${BASE}?code=1` }).url).toBe(`${BASE}/tasks?code=1&pageSize=2`);
  });
});

const MESSAGE = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] };
const CONFIG = { id: 'c', taskId: 't', url: 'https://hook.test' };

const SENT: readonly [MethodName, object, RestTarget][] = [
  ['SendMessage', { message: MESSAGE }, { verb: 'POST', url: `${BASE}/message:send`, body: JSON.stringify({ message: MESSAGE }) }],
  [
    'SendStreamingMessage',
    { message: MESSAGE },
    { verb: 'POST', url: `${BASE}/message:stream`, body: JSON.stringify({ message: MESSAGE }) },
  ],
  ['GetTask', { id: 't', historyLength: 0 }, { verb: 'GET', url: `${BASE}/tasks/t?historyLength=0`, body: undefined }],
  ['ListTasks', {}, { verb: 'GET', url: `${BASE}/tasks`, body: undefined }],
  ['CancelTask', { id: 't' }, { verb: 'POST', url: `${BASE}/tasks/t:cancel`, body: '{}' }],
  ['SubscribeToTask', { id: 't' }, { verb: 'POST', url: `${BASE}/tasks/t:subscribe`, body: '{}' }],
  [
    'CreateTaskPushNotificationConfig',
    CONFIG,
    { verb: 'POST', url: `${BASE}/tasks/t/pushNotificationConfigs`, body: JSON.stringify(CONFIG) },
  ],
  [
    'GetTaskPushNotificationConfig',
    { taskId: 't', id: 'c' },
    { verb: 'GET', url: `${BASE}/tasks/t/pushNotificationConfigs/c`, body: undefined },
  ],
  [
    'ListTaskPushNotificationConfigs',
    { taskId: 't', pageSize: 3 },
    { verb: 'GET', url: `${BASE}/tasks/t/pushNotificationConfigs?pageSize=3`, body: undefined },
  ],
  [
    'DeleteTaskPushNotificationConfig',
    { taskId: 't', id: 'c' },
    { verb: 'DELETE', url: `${BASE}/tasks/t/pushNotificationConfigs/c`, body: undefined },
  ],
  ['GetExtendedAgentCard', {}, { verb: 'GET', url: `${BASE}/extendedAgentCard`, body: undefined }],
];

describe('U4: every operation has its verb, path, query and body', () => {
  test.each(SENT)('%s', (method, params, expected) => {
    expect(target(method, params)).toEqual(expected);
  });

  test('U4: the list is complete', () => {
    expect(SENT.map(([method]) => method)).toEqual(Object.keys(METHODS));
  });

  test.each(SENT)('the server finds %s again, also with a tenant', (method, params) => {
    for (const tenant of [undefined, 'acme']) {
      const { verb, url } = target(method, params, { base: 'https://agent.test', tenant });
      expect(matchRoute(verb, new URL(url).pathname)).toMatchObject({ kind: 'match', method, variables: tenant ? { tenant } : {} });
    }
  });

  test('the alternative verb of a subscription', () => {
    expect(target('SubscribeToTask', { id: 't' }, { route: 1 })).toEqual({
      verb: 'GET',
      url: `${BASE}/tasks/t:subscribe`,
      body: undefined,
    });
  });
});

test.each(['a/b', 'a:cancel', 'a?b#c', 'ü 😀', '%2F', '...', 'a..b'])('U4: the id %j arrives unchanged', (id) => {
  const { url } = target('GetTask', { id }, { base: 'https://agent.test' });
  expect(matchRoute('GET', new URL(url).pathname)).toMatchObject({ method: 'GetTask', variables: { id } });
});

test.each([undefined, '', '.', '..', 7, '\ud800'])('U4: the id %j cannot be part of a path', (id) => {
  expect(() => target('GetTask', { id })).toThrow(expect.objectContaining({ reason: 'INVALID_PARAMS' }));
  expect(() => target('CreateTaskPushNotificationConfig', { taskId: id, url: 'x' })).toThrow('taskId');
});

test.each(['.', '..'])('the tenant %j would leave the base path', (tenant) => {
  expect(() => target('GetTask', { id: '7' }, { tenant })).toThrow('tenant');
});

test('C15: query names are camelCase, as in the specification', () => {
  const params = {
    contextId: 'c d',
    pageSize: 10,
    pageToken: 'a+b/=',
    historyLength: 0,
    includeArtifacts: false,
    statusTimestampAfter: undefined,
  };
  const { url } = target('ListTasks', params);
  expect(url).toBe(`${BASE}/tasks?contextId=c%20d&pageSize=10&pageToken=a%2Bb%2F%3D&historyLength=0&includeArtifacts=false`);
  expect(decodeQuery(new URL(url).search.slice(1))).toEqual({ ...params, statusTimestampAfter: undefined });
});

test('U6: states and roles are sent by name', () => {
  expect(target('ListTasks', { status: 'TASK_STATE_WORKING' }).url).toBe(`${BASE}/tasks?status=TASK_STATE_WORKING`);
  expect(target('SendMessage', { message: MESSAGE }).body).toContain('"role":"ROLE_USER"');
});

test('the tenant is only in the path, and the request is not changed', () => {
  const params = Object.freeze({ tenant: 'acme', id: 't', metadata: { a: 1 } });
  expect(target('CancelTask', params, { tenant: 'acme' })).toEqual({
    verb: 'POST',
    url: `${BASE}/acme/tasks/t:cancel`,
    body: '{"metadata":{"a":1}}',
  });
  expect(target('ListTasks', { tenant: 'acme' }, { tenant: 'acme' }).url).toBe(`${BASE}/acme/tasks`);
});
