// Access checks, their order, and request ids.
import { expect, test } from 'vitest';
import { endpointsOf, fetchInProcess, restErrorOf, taskOf, userMessage, V1 } from '../../test/endpoints.js';
import { createHandler } from '../bindings/route.js';
import { bearer } from '../protocol/security.js';
import { createAgent } from '../server/create-agent.js';
import type { WireRequest } from '../wire/http.js';
import { CORS_ALLOWED_HEADERS, CORS_EXPOSED_HEADERS } from './cors.js';
import { loopbackGuard } from './loopback-guard.js';

const echo = { name: 'Echo', execute: async ({ text }: { text: string }) => text };
const open = createAgent({ ...echo, auth: 'none' });
const TOKENS = new Map([
  ['Bearer a', { id: 'alice' }],
  ['Bearer b', { id: 'bob' }],
  ['Bearer t', { id: 'tess', tenants: ['t1'] }],
]);
const locked = createAgent({ ...echo, auth: (request) => TOKENS.get(request.header('authorization') ?? ''), security: bearer() });

/** A request that reports when its body is read. */
function request(more: Partial<WireRequest> & { readonly headers?: Record<string, string> } = {}): WireRequest & { read: number } {
  const { headers = {}, ...rest } = more;
  const self = {
    method: 'POST',
    path: '/',
    query: '',
    origin: 'http://agent.test',
    host: {},
    read: 0,
    header: (name: string) => headers[name],
    async body() {
      self.read++;
      return '{"jsonrpc":"2.0","id":1,"method":"ListTasks"}';
    },
    ...rest,
  };
  return self;
}

test('D26: credentials are checked before the body is read, in both bindings', async () => {
  const handler = createHandler(locked);
  for (const path of ['/', '/message:send', '/tasks/x:cancel']) {
    const asked = request({ path, headers: { ...V1, 'content-type': 'application/json' } });
    const reply = await handler(asked);
    expect([path, reply.status, asked.read]).toEqual([path, 401, 0]);
    expect(reply.headers['www-authenticate']).toBe('Bearer');
  }
});

test('D26: the route is checked before the version, and the version before credentials', async () => {
  const knock = fetchInProcess(locked);
  expect((await knock('/nothing/here/at/all')).status).toBe(404);
  const unversioned = await knock('/tasks');
  expect([unversioned.status, (await restErrorOf(unversioned))?.reason]).toEqual([400, 'VERSION_NOT_SUPPORTED']);
  expect((await knock('/tasks', { headers: V1 })).status).toBe(401);
});

test('D26: over JSON-RPC a version error needs the envelope, so credentials and body come first', async () => {
  const knock = fetchInProcess(locked);
  const post = (headers: Record<string, string>, body: string) =>
    knock('/', { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  expect((await post({}, '{"jsonrpc":"2.0","id":9,"method":"ListTasks"}')).status).toBe(401);
  expect((await post({ authorization: 'Bearer a' }, '{')).status).toBe(400);
  const answer = await (await post({ authorization: 'Bearer a' }, '{"jsonrpc":"2.0","id":9,"method":"ListTasks"}')).json();
  expect(answer).toMatchObject({ id: 9, error: { code: -32009 } });
});

test('D26: parameters are checked before the task, and the limits of the body before the parameters', async () => {
  const small = createAgent({ ...echo, auth: 'none', maxBodyBytes: 200 });
  for (const door of endpointsOf(fetchInProcess(small))) {
    expect((await door.call('GetTask', { id: '' })).error?.reason).not.toBe('TASK_NOT_FOUND');
    const large = await door.call('SendMessage', { message: { parts: 'x'.repeat(200) } });
    expect([large.status, large.error?.reason]).toEqual([413, 'CONTENT_TOO_LARGE']);
  }
});

test('D26: tasks of another caller, of another tenant and unknown tasks get the same error text', async () => {
  for (const door of endpointsOf(fetchInProcess(locked))) {
    const as = (who: string) => ({ authorization: `Bearer ${who}` });
    const task = taskOf(await door.call('SendMessage', userMessage('x'), as('a')));
    const ask = async (params: object, who: string) => {
      const { status, error } = await door.call('GetTask', params, as(who));
      return [status, error?.reason, error?.code];
    };
    const unknown = await ask({ id: 'none' }, 'a');
    expect(unknown[1]).toBe('TASK_NOT_FOUND');
    expect(await ask({ id: task.id }, 'b')).toEqual(unknown);
    expect(await ask({ id: task.id, tenant: 't2' }, 'a')).toEqual(unknown);
    expect(await ask({ id: task.id, tenant: 't2' }, 't')).toEqual(unknown);
    expect((await door.call('GetTask', { id: task.id }, as('a'))).result).toEqual(task);
  }
});

test('D25: a request refused before the envelope is read keeps its HTTP status, with a JSON-RPC body and id null', async () => {
  const refused = await createHandler(locked)(request({ headers: { 'content-type': 'application/json' } }));
  expect([refused.status, JSON.parse(String(refused.body))]).toMatchObject([401, { jsonrpc: '2.0', id: null, error: { code: -31001 } }]);
});

test('D31: hosts without a socket of their own require auth', () => {
  expect(() => fetchInProcess(createAgent(echo))).toThrow(/auth/);
});

test('D31: anonymous callers may list by context only, unless the host is loopback', async () => {
  for (const door of endpointsOf(fetchInProcess(open, { anonymousList: 'context' }))) {
    const task = taskOf(await door.call('SendMessage', userMessage('x')));
    const { error } = await door.call('ListTasks', {});
    expect([error?.reason, error?.message]).toEqual(['INVALID_PARAMS', expect.stringContaining('contextId')]);
    expect((await door.call('ListTasks', { contextId: task.contextId })).result?.totalSize).toBe(1);
  }
  for (const door of endpointsOf(fetchInProcess(locked, { anonymousList: 'context' }))) {
    expect((await door.call('ListTasks', {}, { authorization: 'Bearer b' })).result?.totalSize).toBe(0);
  }
});

test('D31: bound to loopback, a Host that is neither loopback nor the public one gets 421 in the correct binding', async () => {
  const handler = createHandler(open, {}, { allowHost: loopbackGuard('https://agent.example.com/x') });
  const ask = (host: string, more: Partial<WireRequest> = {}) =>
    handler(request({ ...more, headers: { ...V1, host, 'content-type': 'application/json' } }));
  for (const host of ['localhost', 'localhost:4000', '127.0.0.1:4000', '127.8.9.1', '[::1]:4000', 'LOCALHOST', 'agent.example.com:443']) {
    expect((await ask(host)).status, host).toBe(200);
  }
  for (const host of [
    'evil.test',
    'localhost.evil.test',
    '127.0.0.1.evil.test',
    'evil.test:4000',
    '10.0.0.1',
    '',
    'a:b:c',
    '127.0.0.1@evil.test',
  ]) {
    const reply = await ask(host);
    expect([reply.status, JSON.parse(String(reply.body))], host).toMatchObject([
      421,
      { jsonrpc: '2.0', id: null, error: { code: -32600 } },
    ]);
    expect((await ask(host, { method: 'GET', path: '/.well-known/agent-card.json' })).status).toBe(421);
  }
});

test('D31: without the option, other origins get no CORS headers', async () => {
  const knock = fetchInProcess(open);
  const preflight = await knock('/', {
    method: 'OPTIONS',
    headers: { origin: 'https://app.test', 'access-control-request-method': 'POST' },
  });
  expect(preflight.status).toBe(405);
  for (const response of [preflight, await knock('/-/health', { headers: { origin: 'https://app.test' } })]) {
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

test('D31: allowed origins get a preflight reply, the lists of headers, and readable replies', async () => {
  for (const origins of ['*', ['https://app.test'], (origin: string) => origin === 'https://app.test'] as const) {
    const knock = fetchInProcess(locked, { cors: { origins } });
    const preflight = await knock('/message:send', {
      method: 'OPTIONS',
      headers: { origin: 'https://app.test', 'access-control-request-method': 'POST', 'access-control-request-headers': 'a2a-version' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://app.test');
    expect(preflight.headers.get('access-control-allow-headers')).toBe(CORS_ALLOWED_HEADERS.join(', '));
    expect(preflight.headers.get('access-control-allow-methods')).toContain('DELETE');
    for (const path of ['/tasks', '/.well-known/agent-card.json', '/nothing/here/at/all']) {
      const { headers } = await knock(path, { headers: { ...V1, origin: 'https://app.test' } });
      expect(headers.get('access-control-allow-origin'), path).toBe('https://app.test');
      expect(headers.get('access-control-expose-headers')).toBe(CORS_EXPOSED_HEADERS.join(', '));
      expect(headers.get('vary')).toContain('Origin');
    }
  }
});

test('D31: other origins get no CORS headers, and Vary tells caches that the reply depends on the origin', async () => {
  const agent = createAgent({ ...echo, auth: 'none', compat: true }); // its card depends on the version, too
  const knock = fetchInProcess(agent, { cors: { origins: ['https://app.test'] } });
  const strangers: readonly Record<string, string>[] = [{ origin: 'https://evil.test' }, { origin: 'null' }, {}];
  for (const headers of strangers) {
    const response = await knock('/.well-known/agent-card.json', { headers });
    expect([response.headers.get('access-control-allow-origin'), response.headers.get('vary')]).toEqual([
      null,
      'A2A-Version, Host, Origin',
    ]);
  }
  const preflight = await knock('/', {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.test', 'access-control-request-method': 'POST' },
  });
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, null]);
});

test('D31: the lists of headers are those of the decision', () => {
  expect([...CORS_ALLOWED_HEADERS].join()).toBe(
    'authorization,content-type,a2a-version,a2a-extensions,x-a2a-extensions,idempotency-key,x-idempotency-key,last-event-id,x-request-id,traceparent,tracestate',
  );
  expect([...CORS_EXPOSED_HEADERS].join()).toBe('a2a-extensions,x-a2a-extensions,x-request-id,retry-after,www-authenticate,etag');
});

test('D32: a valid request id is accepted, echoed, and in the metadata of errors', async () => {
  for (const door of endpointsOf(fetchInProcess(open))) {
    const { headers, error } = await door.call('GetTask', { id: 'none' }, { 'x-request-id': 'req-1/a.b:c' });
    expect(headers.get('x-request-id')).toBe('req-1/a.b:c');
    expect(error?.details[0]?.metadata?.requestId).toBe('req-1/a.b:c');
  }
});

test('D32: any other id is replaced by a generated one', async () => {
  for (const id of ['a b', 'x'.repeat(129), '<script>', '"', 'a,b']) {
    for (const door of endpointsOf(fetchInProcess(open))) {
      const { headers, error } = await door.call('GetTask', { id: 'none' }, { 'x-request-id': id });
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(error?.details[0]?.metadata?.requestId).toBe(headers.get('x-request-id'));
    }
  }
});

test('D32: a refused request is logged with its request id and reason, without its content', async () => {
  const lines: unknown[] = [];
  const note = (fields: object, text: string) => lines.push({ ...fields, text });
  const logger = { debug: note, info: note, warn: note, error: note };
  const agent = createAgent({
    ...echo,
    auth: (asked) => (asked.header('authorization') === 'Bearer secret' ? { id: 'me' } : undefined),
    logger,
  });
  const knock = fetchInProcess(agent);
  await knock('/tasks', { headers: { ...V1, authorization: 'Bearer wrong', 'x-request-id': 'r1' } });
  await knock('/tasks/none', { headers: { ...V1, authorization: 'Bearer secret', 'x-request-id': 'r2' } });
  expect(lines).toContainEqual(expect.objectContaining({ requestId: 'r1', reason: 'AUTH_REQUIRED' }));
  expect(lines).toContainEqual(expect.objectContaining({ requestId: 'r2', reason: 'TASK_NOT_FOUND' }));
  expect(JSON.stringify(lines)).not.toMatch(/secret|wrong/);
});

test('D32: every reply has the id, also card, pages, streams and refusals', async () => {
  const knock = fetchInProcess(open);
  const headers = { ...V1, 'x-request-id': 'r1', 'content-type': 'application/json' };
  for (const path of ['/.well-known/agent-card.json', '/-/health', '/tasks', '/nothing/here/at/all']) {
    expect((await knock(path, { headers })).headers.get('x-request-id'), path).toBe('r1');
  }
  const stream = await knock('/message:stream', { method: 'POST', headers, body: JSON.stringify(userMessage('x')) });
  expect([stream.headers.get('content-type'), stream.headers.get('x-request-id')]).toEqual(['text/event-stream', 'r1']);
  await stream.text();
});

test('D5: active extensions are named in the reply, unknown ones are not', async () => {
  for (const door of endpointsOf(fetchInProcess(open))) {
    const asked = { 'a2a-extensions': 'urn:unknown, urn:parley:a2a:log:v1' };
    expect((await door.call('SendMessage', userMessage('x'), asked)).headers.get('a2a-extensions')).toBe('urn:parley:a2a:log:v1');
    const stream = await door.stream('SendStreamingMessage', userMessage('x'), asked);
    expect(stream.headers.get('a2a-extensions')).toBe('urn:parley:a2a:log:v1');
    await stream.rest();
    expect((await door.call('SendMessage', userMessage('x'))).headers.get('a2a-extensions')).toBeNull();
  }
});

test('a caller who may not see the extended card is challenged, also inside a JSON-RPC reply', async () => {
  const agent = createAgent({ ...echo, auth: 'none', extendedCard: () => undefined });
  const [rpc, rest] = endpointsOf(fetchInProcess(agent));
  const [inRpc, inRest] = [await rpc.call('GetExtendedAgentCard'), await rest.call('GetExtendedAgentCard')];
  expect([inRpc.status, inRpc.error?.code, inRpc.headers.get('www-authenticate')]).toEqual([200, -31001, 'Bearer']);
  expect([inRest.status, inRest.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
});
