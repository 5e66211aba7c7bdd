// Bad input sent to a real server. Each request gets the correct error in the correct binding, and other callers are not affected.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { bodyOf, endpointsOf, type FetchPath, fetchAt, restErrorOf, taskOf, userMessage, V1 } from '../../test/endpoints.js';
import { createAgent } from '../server/create-agent.js';
import { type Listening, listen } from './node.js';

const internal: unknown[] = [];
let listening: Listening;
let knock: FetchPath;

beforeAll(async () => {
  const agent = createAgent({ name: 'Echo', execute: async (context) => context.text, onError: (error) => internal.push(error) });
  listening = await listen(agent, { port: 0 });
  knock = fetchAt(listening.url);
});
afterAll(() => listening.close());

afterEach(async () => {
  expect(internal).toEqual([]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  const [rpc, rest] = endpointsOf(knock);
  const task = taskOf(await rpc.call('SendMessage', userMessage('still here')));
  expect((await rest.call('GetTask', { id: task.id })).result?.artifacts?.[0]?.parts).toEqual([{ text: 'still here' }]);
});

interface Outcome {
  readonly rpc: readonly [status: number, code: number | undefined];
  readonly rest: readonly [status: number, reason: string | undefined];
}

/** Sends params unchanged, as text, over both bindings. */
async function sendRaw(params: string | Uint8Array<ArrayBuffer>): Promise<Outcome> {
  const post = (path: string, body: string | Uint8Array<ArrayBuffer>) =>
    knock(path, { method: 'POST', headers: { ...V1, 'content-type': 'application/json' }, body });
  const rpc = await post('/', wrap(params));
  const rest = await post('/message:send', params);
  const rpcBody = await bodyOf<{ error?: { code: number } }>(rpc.clone());
  for (const text of [await rpc.text(), await rest.clone().text()])
    expect(text).not.toMatch(/at \w+ \(|node_modules|\/src\/|Unexpected|SyntaxError/);
  return { rpc: [rpc.status, rpcBody.error?.code], rest: [rest.status, (await restErrorOf(rest))?.reason] };
}

const HEAD = '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":';

function wrap(params: string | Uint8Array<ArrayBuffer>): string | Uint8Array<ArrayBuffer> {
  if (typeof params === 'string') return `${HEAD}${params}}`;
  const encoder = new TextEncoder();
  return new Uint8Array([...encoder.encode(HEAD), ...params, ...encoder.encode('}')]);
}

const message = (more: string): string => `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}]${more}}}`;
const INVALID: Outcome = { rpc: [200, -32602], rest: [400, 'INVALID_PARAMS'] };
const PARSE: Outcome = { rpc: [400, -32700], rest: [400, 'PARSE_ERROR'] };

test('B2: broken JSON is a parse error', async () => {
  for (const text of ['{', '{"message":', '{"a":1,}', "{'a':1}", 'undefined', '\u0000']) expect(await sendRaw(text), text).toEqual(PARSE);
});

test('B2: members of wrong types and missing members are invalid parameters', async () => {
  for (const text of [
    '{}',
    '{"message":null}',
    '{"message":[]}',
    '{"message":"x"}',
    '{"message":{}}',
    '{"message":{"messageId":"","role":"ROLE_USER","parts":[{"text":"x"}]}}',
    '{"message":{"messageId":{},"role":"ROLE_USER","parts":[{"text":"x"}]}}',
    '{"message":{"messageId":"m","role":"ROLE_USER","parts":{}}}',
    '{"message":{"messageId":"m","role":"ROLE_USER","parts":[]}}',
    '{"message":{"messageId":"m","role":"ROLE_USER","parts":[null]}}',
    '{"message":{"messageId":"m","role":"ROLE_USER","parts":[{}]}}',
    '{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":5}]}}',
    '{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x","url":"https://y.test"}]}}',
    '{"message":{"messageId":"m","role":"user","parts":[{"text":"x"}]}}',
    message(',"metadata":[]'),
    message(',"metadata":"x"'),
    message(',"referenceTaskIds":"x"'),
    `{"message":{"messageId":"${'m'.repeat(257)}","role":"ROLE_USER","parts":[{"text":"x"}]}}`,
    `{"message":{"messageId":"m","role":"ROLE_USER","parts":[${'{"text":"x"},'.repeat(100)}{"text":"x"}]}}`,
  ]) {
    expect(await sendRaw(text), text.slice(0, 100)).toEqual(INVALID);
  }
});

test('D21: nine thousand levels of nesting are refused at any position', async () => {
  const deep = `${'['.repeat(9_000)}${']'.repeat(9_000)}`;
  const deepObject = `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`;
  for (const nested of [deep, deepObject]) {
    expect(await sendRaw(message(`,"metadata":{"a":${nested}}`))).toEqual(INVALID);
    expect(await sendRaw(`{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"data":${nested}}]}}`)).toEqual(INVALID);
    expect(await sendRaw(`{"message":${nested}}`)).toEqual(INVALID);
    expect(await sendRaw(`{"message":{"messageId":"m","role":"ROLE_USER","parts":${nested}}}`)).toEqual(INVALID);
  }
  // An unknown member is dropped, no matter how deeply it is nested.
  expect(await sendRaw(message(`,"unknown":${deep}`))).toEqual({ rpc: [200, undefined], rest: [200, undefined] });
  expect(await sendRaw(deepObject)).toEqual(INVALID);
});

test('D21: millions of levels are refused quickly', async () => {
  const refused: Outcome = { rpc: [400, -32600], rest: [400, 'INVALID_REQUEST'] };
  const nested = `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`;
  for (const text of ['['.repeat(4_000_000), nested, `{"message":${nested}}`]) {
    expect(await sendRaw(text)).toEqual(refused);
  }
});

test('D21, D58: a text of three megabytes is accepted, one above the limit is refused before it is read', async () => {
  const text = (size: number) => `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"${'x'.repeat(size)}"}]}}`;
  expect(await sendRaw(text(3_000_000))).toEqual({ rpc: [200, undefined], rest: [200, undefined] });
  expect(await sendRaw(text(4_200_000))).toEqual({ rpc: [413, -31007], rest: [413, 'CONTENT_TOO_LARGE'] });
});

test('__proto__ and constructor are ordinary names: dropped, or kept as data', async () => {
  const evil = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1,"hasOwnProperty":1';
  expect(await sendRaw(`{${evil},${message(`,${evil}`).slice(1)}`)).toEqual({ rpc: [200, undefined], rest: [200, undefined] });
  const body = message(`,"metadata":{${evil}}`);
  const response = await knock('/message:send', { method: 'POST', headers: { ...V1, 'content-type': 'application/json' }, body });
  const { task } = await bodyOf<{ task: { history: { metadata: object }[] } }>(response);
  expect(Object.keys(task.history[0]?.metadata ?? {})).toEqual(['__proto__', 'constructor', 'toString', 'hasOwnProperty']);
  expect(await sendRaw(`{"__proto__":${message('')}}`)).toEqual(INVALID);
  expect(await sendRaw(`{"message":{"__proto__":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}]}}}`)).toEqual(INVALID);
});

test('bytes that are not UTF-8 are a parse error', async () => {
  const [before = '', after = ''] = message(',"metadata":{"x":"|"}').split('|');
  const encoder = new TextEncoder();
  for (const bytes of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf5, 0x80, 0x80, 0x80]]) {
    expect(await sendRaw(new Uint8Array([...encoder.encode(before), ...bytes, ...encoder.encode(after)]))).toEqual(PARSE);
  }
  // A byte order mark at the start of the body is allowed.
  const body = new Uint8Array([0xef, 0xbb, 0xbf, ...encoder.encode(message(''))]);
  expect((await knock('/message:send', { method: 'POST', headers: { ...V1, 'content-type': 'application/json' }, body })).status).toBe(200);
});

test('wrong content types are refused in both bindings', async () => {
  for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'application/json-seq']) {
    const post = (path: string, body: string) => knock(path, { method: 'POST', headers: { ...V1, 'content-type': type }, body });
    const rpc = await post('/', String(wrap(message(''))));
    expect([rpc.status, await rpc.json()]).toMatchObject([415, { id: null, error: { code: -32005 } }]);
    const rest = await post('/message:send', message(''));
    expect([rest.status, (await restErrorOf(rest))?.reason]).toEqual([400, 'CONTENT_TYPE_NOT_SUPPORTED']);
  }
});

test('unknown methods and routes are not found', async () => {
  const post = (method: string) =>
    knock('/', {
      method: 'POST',
      headers: { ...V1, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method }),
    });
  for (const method of ['Nope', '__proto__', 'constructor', 'toString', 'sendmessage']) {
    expect((await bodyOf<{ error: { code: number } }>(await post(method))).error.code, method).toBe(-32601);
  }
  for (const path of ['/nope', '/a/b/c/d', '/__proto__', '/%2e%2e/etc/passwd', '/tasks/a/b/c', `/${'x'.repeat(4_000)}`]) {
    expect((await knock(path, { headers: V1 })).status, path).toBe(404);
  }
  for (const path of ['/tasks/%', '/tasks/%ff', '/%c3%28/tasks']) expect((await knock(path, { headers: V1 })).status, path).toBe(400);
  for (const verb of ['PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    expect((await knock('/tasks', { method: verb, headers: V1 })).status, verb).toBe(405);
});

test('forged page tokens are invalid parameters', async () => {
  for (const door of endpointsOf(knock)) {
    for (const pageToken of ['x', 'e30', 'bnVsbA', btoa('{"statusAt":1}'), '\u0000', 'a'.repeat(3_000), '__proto__']) {
      expect((await door.call('ListTasks', { pageToken })).error?.reason, pageToken).toBe('INVALID_PARAMS');
    }
  }
});

test('ids with unusual characters are unknown tasks, not internal errors', async () => {
  for (const door of endpointsOf(knock)) {
    for (const id of ['../../etc/passwd', '\u0000', '%00', 'a/b', 'a:cancel', '��', "'; DROP TABLE tasks", 'x'.repeat(256)]) {
      const { error } = await door.call('GetTask', { id });
      expect(error?.reason, id).toBe('TASK_NOT_FOUND');
    }
    expect((await door.call('GetTask', { id: 'x'.repeat(257) })).error?.reason).toBe('INVALID_PARAMS');
  }
});
