import { expect, test } from 'vitest';
import { A2AError } from '../protocol/errors.js';
import { METHODS, type MethodName, type MethodRow } from '../protocol/methods.js';
import { encodeRestError, matchRoute } from './rest.js';
import { decodeQuery } from './rest-query.js';

const rows = Object.entries(METHODS) as [MethodName, MethodRow][];

for (const [method, { routes }] of rows) {
  for (const { verb, path, body } of routes) {
    test(`${verb} ${path} is ${method}, with and without tenant`, () => {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(`${name}/1:x`));
      const variables = Object.fromEntries(names.map((name) => [name, `${name}/1:x`]));
      expect(matchRoute(verb, filled)).toEqual({ kind: 'match', method, body, variables });
      expect(matchRoute(verb, `/a%20b${filled}`)).toEqual({ kind: 'match', method, body, variables: { tenant: 'a b', ...variables } });
      expect(matchRoute(verb, `${filled}/`)).toMatchObject({ kind: 'match', method });
    });
  }
}

test('paths without a tenant take precedence, for any tenant name', () => {
  expect(matchRoute('GET', '/tasks/tasks')).toMatchObject({ method: 'GetTask', variables: { id: 'tasks' } });
  expect(matchRoute('GET', '/t/tasks')).toMatchObject({ method: 'ListTasks', variables: { tenant: 't' } });
  expect(matchRoute('POST', '/tasks/message:send')).toMatchObject({ method: 'SendMessage', variables: { tenant: 'tasks' } });
});

test('an id is decoded after the path is split, and may contain a colon only if it is encoded', () => {
  expect(matchRoute('GET', '/tasks/a%2Fb')).toMatchObject({ variables: { id: 'a/b' } });
  expect(matchRoute('POST', '/tasks/a%3Acancel:cancel')).toMatchObject({ method: 'CancelTask', variables: { id: 'a:cancel' } });
  expect(matchRoute('GET', '/tasks/a%3Acancel')).toMatchObject({ method: 'GetTask', variables: { id: 'a:cancel' } });
  expect(matchRoute('GET', '/tasks/urn:x')).toMatchObject({ method: 'GetTask', variables: { id: 'urn:x' } });
});

test('a known path with another verb lists its verbs', () => {
  expect(matchRoute('GET', '/tasks/a:cancel')).toEqual({ kind: 'wrong-verb', allow: ['POST'] });
  expect(matchRoute('PUT', '/tasks/a:subscribe')).toEqual({ kind: 'wrong-verb', allow: ['POST', 'GET'] });
  expect(matchRoute('POST', '/t/tasks')).toEqual({ kind: 'wrong-verb', allow: ['GET'] });
  expect(matchRoute('DELETE', '/message:send')).toEqual({ kind: 'wrong-verb', allow: ['POST'] });
});

test('anything else is unknown', () => {
  for (const path of [
    '/',
    '//',
    '/x',
    '/tasks//y',
    '/a/b/tasks',
    '/tasks/a/b',
    '/message:sendx',
    '/__proto__',
    '/tasks/:cancel/x',
    '//tasks',
  ]) {
    expect(matchRoute('GET', path), path).toEqual({ kind: 'unknown' });
  }
});

test('a path that is not percent-encoded UTF-8 is an invalid parameter', () => {
  for (const path of ['/tasks/%', '/tasks/%zz', '/tasks/%ff', '/%e0%a4/tasks']) {
    expect(() => matchRoute('GET', path), path).toThrow(expect.objectContaining({ reason: 'INVALID_PARAMS' }));
  }
});

test('query parameters become members of their type', () => {
  const query =
    'contextId=c%20d&status=TASK_STATE_WORKING&pageSize=5&historyLength=0&includeArtifacts=true&unknown=1&statusTimestampAfter=2025-01-01T00:00:00Z';
  expect(decodeQuery(query)).toEqual({
    contextId: 'c d',
    status: 'TASK_STATE_WORKING',
    pageSize: 5,
    historyLength: 0,
    includeArtifacts: true,
    statusTimestampAfter: '2025-01-01T00:00:00Z',
  });
});

test('D24: snake_case is read too, and camelCase takes precedence', () => {
  expect(decodeQuery('page_size=5&include_artifacts=false')).toEqual({ pageSize: 5, includeArtifacts: false });
  expect(decodeQuery('page_size=5&pageSize=7')).toEqual({ pageSize: 7 });
  expect(decodeQuery('pageSize=7&page_size=5')).toEqual({ pageSize: 7 });
});

test('a value of a wrong type stays text, so that the parameter check refuses it', () => {
  expect(decodeQuery('pageSize=x&historyLength=1.5&includeArtifacts=1')).toEqual({
    pageSize: 'x',
    historyLength: '1.5',
    includeArtifacts: '1',
  });
});

test('names of Object.prototype members have no special meaning', () => {
  expect(decodeQuery('__proto__=1&constructor=2&toString=3&page__size=1')).toEqual({});
});

test('a parameter given twice is refused', () => {
  expect(() => decodeQuery('pageSize=1&pageSize=2')).toThrow(expect.objectContaining({ reason: 'INVALID_PARAMS' }));
});

test('the error body has the HTTP status as its code and the gRPC status by name', () => {
  const error = new A2AError('TASK_NOT_FOUND', 'no task x', { metadata: { taskId: 'x' } });
  expect(JSON.parse(encodeRestError(error, 'r1'))).toEqual({
    error: {
      code: 404,
      status: 'NOT_FOUND',
      message: 'no task x',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'TASK_NOT_FOUND',
          domain: 'a2a-protocol.org',
          metadata: { taskId: 'x', retryable: 'false', requestId: 'r1' },
        },
      ],
    },
  });
});
