// Requests that are wrong, or that could belong to either version: how callers of 0.3 and of the plain dialect are refused.
import { describe, expect, test } from 'vitest';
import { createAgent } from '../src/server/index.js';
import { userMessage, V1 } from './endpoints.js';
import { type Json, saying, sayingProto, v03CallerOf } from './v03-wire.js';

function echo() {
  return v03CallerOf(createAgent({ name: 'Echo', auth: 'none', execute: async ({ text }) => text }));
}

describe('D50: a request of one version with the header of the other', () => {
  test('D50: a body of 0.3 below /v1 with the version 1.0 is refused in the shape of 1.0, and the error names the member', async () => {
    const { status, body } = await echo().rest('POST', '/v1/message:send', sayingProto('hi'), V1);
    expect([status, body.error.status]).toEqual([400, 'INVALID_ARGUMENT']);
    expect(body.error.message).toContain('message.parts');
  });

  test('D50: a body of 1.0 below /v1 without a version is a send of 0.3, which calls the list of parts by another name', async () => {
    const { rest } = echo();
    const { status, body } = await rest('POST', '/v1/message:send', userMessage('hi'));
    expect([status, body.task.history[0].content]).toEqual([200, [{ text: 'hi' }]]);
  });

  test('D50: a stream of 0.3 with the version 1.0 is refused before it begins', async () => {
    const { body } = await echo().rpc('message/stream', saying('hi'), V1);
    expect(body.error).toMatchObject({ code: -32009, data: [{ reason: 'VERSION_NOT_SUPPORTED' }] });
  });

  test('D50: several versions in one header are none', async () => {
    for (const version of ['0.3, 1.0', '1.0, 0.3']) {
      const { body } = await echo().rpc('message/send', saying('hi'), { 'a2a-version': version });
      expect(body.error.code, version).toBe(-32009);
    }
  });
});

describe('D50: a tenant called v1', () => {
  test('D50: has the same tasks over both bindings of 1.0', async () => {
    const { rest, rpc } = echo();
    const { body } = await rest('POST', '/v1/message:send', userMessage('hi'), V1);
    const read = await rpc('GetTask', { id: body.task.id, tenant: 'v1' }, V1);
    expect(read.body.result.id).toBe(body.task.id);
    expect((await rest('GET', `/v1/tasks/${body.task.id}`, undefined, V1)).status).toBe(200);
    expect((await rest('GET', `/tasks/${body.task.id}`, undefined, V1)).status, 'without the tenant').toBe(404);
  });

  test('D50: does not exist in 0.3, whose paths below /v1/v1 are not found', async () => {
    for (const [verb, path] of [
      ['POST', '/v1/v1/message:send'],
      ['GET', '/v1/v1/tasks/x'],
    ] as const) {
      expect(await echo().rest(verb, path, verb === 'POST' ? sayingProto('hi') : undefined)).toMatchObject({
        status: 404,
        body: { code: -32601 },
      });
    }
  });
});

describe('D50: unknown values over HTTP+JSON', () => {
  test.each([
    ['an unknown role', { role: 'ROLE_SYSTEM' }, 'message.role must be "user" or "agent", got "ROLE_SYSTEM"'],
    ['the unspecified role', { role: 'ROLE_UNSPECIFIED' }, 'message.role'],
    ['the number of no role', { role: 3 }, 'message.role must be "user" or "agent", got 3'],
    ['an unknown kind of part', { content: [{ kind: 'video' }] }, 'message.parts[0].kind must be "text", "file" or "data", got "video"'],
    ['a part without content', { content: [{}] }, 'message.parts[0] must have exactly one of'],
    ['a file that is a text', { content: [{ file: 'x' }] }, 'message.parts[0].file must be an object with bytes or uri'],
    ['content that is not a list', { content: { text: 'x' } }, 'message.parts must be'],
  ])('D50: %s is refused in the shape of 0.3, and the error names the member', async (_, more, words) => {
    const { status, body } = await echo().rest('POST', '/v1/message:send', sayingProto('x', more));
    expect([status, body.code, body.data.reason]).toEqual([400, -32602, 'INVALID_PARAMS']);
    expect(body.message).toContain(words);
  });
});

describe('D50: kinds over JSON-RPC', () => {
  test.each([
    ['an empty part', { parts: [{}] }],
    ['a kind without its content', { parts: [{ kind: 'text' }] }],
    ['the content of another kind', { parts: [{ kind: 'text', data: {} }] }],
    ['a part that is null', { parts: [null] }],
  ])('D50: %s is refused', async (_, more) => {
    const { body } = await echo().rpc('message/send', saying('x', more));
    expect(body.error).toMatchObject({ code: -32602, message: expect.stringContaining('message.parts[0]') });
  });

  test('D50: the kind of a message may be absent or null', async () => {
    for (const kind of [undefined, null]) {
      const { body } = await echo().rpc('message/send', saying('hi', { kind }));
      expect(body.result.artifacts[0].parts).toEqual([{ kind: 'text', text: 'hi' }]);
    }
  });
});

const plain = (more: object = {}) => ({ message: { role: 'user', parts: [{ type: 'text', text: 'x' }], ...more } });

describe('D50: bad requests of the plain dialect', () => {
  test.each([
    ['an unknown type of part', plain({ parts: [{ type: 'video' }] })],
    ['a type without its content', plain({ parts: [{ type: 'text' }] })],
    ['an unknown role', plain({ role: 'system' })],
    ['a part that is not an object', plain({ parts: [{ type: 'text', text: 'x' }, 7] })],
    ['an id that is not a text', plain({ messageId: 7 })],
    ['a context that is not a text', plain({ contextId: 7 })],
    ['metadata that is not an object', { ...plain(), metadata: 7 }],
    ['blocking that is not a flag', { ...plain(), configuration: { blocking: 'no' } }],
  ])('D50: %s is -32602 in both sends, which callers do not repeat', async (_, params) => {
    const refusal = { code: -32602, data: { reason: 'INVALID_PARAMS', retryable: false } };
    const { rpc, rpcStream } = echo();
    expect((await rpc('message/send', params)).body.error).toMatchObject(refusal);
    expect((await rpcStream('message/stream', params)).events.map(({ data }) => data.error)).toMatchObject([refusal]);
  });

  test.each([
    ['no jsonrpc', { id: 1, method: 'message/send', params: plain() }],
    ['another version of JSON-RPC', { jsonrpc: '1.0', id: 1, method: 'message/send', params: plain() }],
    ['no id', { jsonrpc: '2.0', method: 'message/send', params: plain() }],
    ['no method', { jsonrpc: '2.0', id: 1, params: plain() }],
    ['a method that is not a text', { jsonrpc: '2.0', id: 1, method: 7, params: plain() }],
  ])('D50: a request with %s is -32600', async (_, request) => {
    const response = await echo().knock('/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    const { error }: Json = await response.json();
    expect(error).toMatchObject({ code: -32600, data: { reason: 'INVALID_REQUEST', retryable: false } });
  });

  test('D50: an agent that breaks its contract is -32600, because it would fail again', async () => {
    const agent = createAgent({
      name: 'Broken',
      auth: 'none',
      executor: { execute: (_context, events) => events.artifact({ parts: [] } as never) },
    });
    const { body } = await v03CallerOf(agent).rpc('message/send', plain());
    expect(body.error).toMatchObject({ code: -32600, data: { reason: 'INVALID_AGENT_RESPONSE', retryable: false } });
  });
});
