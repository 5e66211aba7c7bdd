import { describe, expect, test } from 'vitest';
import { callOf, interfaceAt, LOG_PEER } from '../../../test/client/peer-calls.js';
import { toHeaders, withQuery } from './request-headers.js';

const UNARY = { accept: 'application/json', contentType: 'application/json', stream: false };
const STREAM = { accept: 'text/event-stream, application/json', contentType: 'application/json', stream: true };
const at = interfaceAt();

describe('U2: headers', () => {
  test('U2: a request has these headers by default, and no others', () => {
    expect(toHeaders(callOf('GetTask', { id: 't' }), at, UNARY)).toEqual({
      accept: 'application/json',
      'a2a-version': '1.0',
      'content-type': 'application/json',
    });
  });

  test('U2: a request without a body has no content type', () => {
    expect(toHeaders(callOf('GetTask', { id: 't' }), at, { ...UNARY, contentType: undefined })).not.toHaveProperty('content-type');
  });

  test('U2: extensions are joined', () => {
    const call = callOf('GetTask', { id: 't' }, { extensions: ['urn:a', 'urn:b'] });
    expect(toHeaders(call, at, UNARY)['a2a-extensions']).toBe('urn:a, urn:b');
  });

  test("U2: the caller's headers win, except accept of a stream", () => {
    const call = callOf('GetTask', { id: 't' }, { headers: { accept: 'text/plain', 'a2a-version': '1.1', authorization: 'Bearer x' } });
    expect(toHeaders(call, at, UNARY)).toMatchObject({ accept: 'text/plain', 'a2a-version': '1.1', authorization: 'Bearer x' });
    expect(toHeaders(call, at, STREAM)).toMatchObject({ accept: STREAM.accept, 'a2a-version': '1.1' });
  });
});

test('A19: content type and version are set by default, and a header of the same name wins', () => {
  expect(toHeaders(callOf('GetTask', { id: 't' }), at, UNARY)).toMatchObject({ 'content-type': 'application/json', 'a2a-version': '1.0' });
  const headers = { 'content-type': 'application/vnd.x+json', traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
  expect(toHeaders(callOf('GetTask', { id: 't' }, { headers }), at, UNARY)).toMatchObject(headers);
});

test.each([
  ['1.0', '1.0'],
  ['1.0.3', '1.0'],
  ['0.3.0', '0.3'],
  ['1.1', '1.1'],
  ['', '1.0'],
  ['abc', '1.0'],
])('an interface of version %j is sent %s', (protocolVersion, sent) => {
  expect(toHeaders(callOf('GetTask', { id: 't' }), interfaceAt(undefined, { protocolVersion }), UNARY)['a2a-version']).toBe(sent);
});

test('D49: a header that an interceptor adds in another case replaces the existing one', () => {
  const call = callOf(
    'GetTask',
    { id: 't' },
    { headers: { 'Content-Type': 'text/plain', 'A2A-Version': '1.1', Accept: 'text/html', 'X-Own': 'x' } },
  );
  const own = { 'content-type': 'text/plain', 'a2a-version': '1.1', 'x-own': 'x' };
  expect(toHeaders(call, at, UNARY)).toEqual({ ...own, accept: 'text/html' });
  expect(toHeaders(call, at, STREAM)).toEqual({ ...own, accept: STREAM.accept });
});

describe('headers for peers with the log extension', () => {
  const more = { idempotencyKey: 'key', lastEventId: 0 };

  test('all are sent if the peer declares all', () => {
    const headers = toHeaders(callOf('GetTask', { id: 't' }, { ...more, peer: LOG_PEER }), at, UNARY);
    expect(headers).toMatchObject({ 'x-request-id': 'request-1', 'idempotency-key': 'key', 'last-event-id': '0' });
  });

  test('only the declared ones are sent', () => {
    const peer = { ...LOG_PEER, log: { lastEventId: true, idempotencyKey: false } };
    const headers = toHeaders(callOf('GetTask', { id: 't' }, { ...more, peer }), at, UNARY);
    expect(headers).toHaveProperty('last-event-id');
    expect(headers).not.toHaveProperty('idempotency-key');
  });

  test('none is sent to other peers, whose CORS preflight would fail', () => {
    const names = Object.keys(toHeaders(callOf('GetTask', { id: 't' }, more), at, UNARY));
    expect(names).toEqual(['accept', 'a2a-version', 'content-type']);
  });
});

test('query credentials are added to the URL', () => {
  expect(withQuery('http://a.test/x', undefined)).toBe('http://a.test/x');
  expect(withQuery('http://a.test/x', {})).toBe('http://a.test/x');
  expect(withQuery('http://a.test/x', { 'api key': 'a&b' })).toBe('http://a.test/x?api%20key=a%26b');
  expect(withQuery('http://a.test/x?y=1', { k: 'v' })).toBe('http://a.test/x?y=1&k=v');
});
