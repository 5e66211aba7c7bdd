import { expect, test } from 'vitest';
import { A2AError } from '../protocol/errors.js';
import { decodeRequest, encodeError, encodeResult, resultFrame, toJsonRpcError } from './jsonrpc.js';

const request = (more: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 't' }, ...more });

function refusal(text: string): { readonly code: number; readonly id: unknown; readonly readable: boolean } {
  const decoded = decodeRequest(text);
  if (decoded.kind !== 'refused') throw new Error('expected a refusal');
  return { code: decoded.error.code, id: decoded.id, readable: decoded.readable };
}

test('a request is read into id, method and params', () => {
  expect(decodeRequest(request({}))).toEqual({ kind: 'request', id: 1, method: 'GetTask', params: { id: 't' } });
});

test('absent and null params are an empty object', () => {
  for (const params of [undefined, null]) expect(decodeRequest(request({ params }))).toMatchObject({ params: {} });
});

for (const id of [0, '', null, 'a', -1, 1.5, Number.MAX_SAFE_INTEGER, 'x'.repeat(256)]) {
  test(`D25: the id ${JSON.stringify(id).slice(0, 20)} is kept`, () => {
    expect(decodeRequest(request({ id }))).toMatchObject({ kind: 'request', id });
    expect(JSON.parse(encodeResult(id, '{}'))).toEqual({ jsonrpc: '2.0', id, result: {} });
    expect(JSON.parse(encodeError(id, new A2AError('INTERNAL_ERROR', 'x')))).toMatchObject({ id, error: { code: -32603 } });
  });
}

test('B2: text that is not JSON is -32700', () => {
  for (const text of ['', '{', 'nonsense', '{"a":1,}', '\u0000'])
    expect(refusal(text)).toEqual({ code: -32700, id: null, readable: false });
});

test('D25: batches and notifications are -32600 without id', () => {
  for (const text of ['[]', `[${request({})}]`, request({ id: undefined })]) {
    expect(refusal(text)).toEqual({ code: -32600, id: null, readable: false });
  }
});

test('B2: a value that is not an object is -32600', () => {
  for (const text of ['1', '"x"', 'null', 'true']) expect(refusal(text)).toEqual({ code: -32600, id: null, readable: false });
});

test('an id that cannot be echoed exactly is refused, not changed', () => {
  for (const id of ['{}', '[]', 'true', '1e400', '9007199254740993', JSON.stringify('x'.repeat(257))]) {
    expect(refusal(`{"jsonrpc":"2.0","method":"GetTask","id":${id}}`)).toEqual({ code: -32600, id: null, readable: false });
  }
});

test('B2: a wrong version or a method that is not a string is -32600 with the id', () => {
  for (const more of [{ jsonrpc: '1.0' }, { jsonrpc: undefined }, { method: 5 }, { method: undefined }]) {
    expect(refusal(request(more))).toEqual({ code: -32600, id: 1, readable: true });
  }
});

test('an envelope with ten thousand nested levels can still be read', () => {
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  expect(decodeRequest(`{"jsonrpc":"2.0","id":1,"method":"GetTask","params":${deep}}`).kind).toBe('request');
});

test('an error carries its details as a list, and the request id in the metadata', () => {
  const error = new A2AError('RATE_LIMITED', 'slow down', { retryAfterMs: 1500, violations: [{ field: 'a', description: 'b' }] });
  expect(toJsonRpcError(error, { requestId: 'r1' })).toEqual({
    code: -31004,
    message: 'slow down',
    data: [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'RATE_LIMITED',
        domain: 'parley.a2a',
        metadata: { retryable: 'true', requestId: 'r1' },
      },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1.5s' },
      { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field: 'a', description: 'b' }] },
    ],
  });
});

test('the wrap of a stream makes each payload a complete response', () => {
  const { head, tail } = resultFrame('"quoted"\n');
  expect(head.startsWith('data: ')).toBe(true);
  expect(JSON.parse(`${head.slice(6)}{"task":1}${tail}`)).toEqual({ jsonrpc: '2.0', id: '"quoted"\n', result: { task: 1 } });
  expect(head).not.toContain('\n');
});
