import { expect, test } from 'vitest';
import { broken, httpError, refused } from '../../../test/client/scripted-send.js';
import { A2AActivationTimeoutError, A2ACircuitOpenError, A2AError, A2ATransportError } from '../../protocol/errors.js';
import { isColdStartError, isRetriableError, isRetriableStatus } from './cold-start.js';
import { timeoutError } from './timeout-error.js';

const coded = (code: string): Error => Object.assign(new Error('fetch failed'), { cause: Object.assign(new Error('x'), { code }) });

test('A4: only 502, 503 and 504 are a cold start', () => {
  const statuses = [200, 301, 400, 404, 408, 429, 500, 501, 502, 503, 504, 505];
  expect(statuses.filter(isRetriableStatus)).toEqual([502, 503, 504]);
});

test.each([
  'connection refused',
  'Connection Refused (os error 111)',
  'connect ECONNREFUSED 127.0.0.1:8080',
  'tcp connect error: 111',
  '502',
  'HTTP 503',
  'HTTP/1.1 503 Service Unavailable',
  'HTTP status server error (504 Gateway Timeout)',
  'status: 502.',
  'status:503',
  'status code=504',
  'got "503", gave up',
])('A5: the text %j is a cold start', (text) => {
  expect(isRetriableError(text)).toBe(true);
});

test.each([
  '',
  'HTTP 500',
  'HTTP 404 Not Found',
  'task 5031 failed',
  'task 503-a2 failed',
  'error sending request for url (http://127.0.0.1:8503/)',
  'error at http://127.0.0.1:503/path',
  'took 1503 ms',
  'task x-503 is unknown',
  'http://agent.test/502',
  'version 1.503',
  '503.5 bytes',
])('A5: the text %j is not a cold start', (text) => {
  expect(isRetriableError(text)).toBe(false);
});

test('A5: codes are read from the error, its causes and its aggregated errors', () => {
  for (const code of ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_SOCKET', 'UND_ERR_CONNECT_TIMEOUT']) {
    expect(isColdStartError(coded(code)), code).toBe(true);
  }
  expect(isColdStartError(Object.assign(new AggregateError([coded('ECONNREFUSED')], 'all of them'), {}))).toBe(true);
  expect(isColdStartError(new A2ATransportError('network', 'x', { sent: false, cause: coded('ECONNREFUSED') }))).toBe(true);
  for (const code of ['CERT_HAS_EXPIRED', 'ERR_INVALID_URL', 'EPROTO']) {
    expect(isColdStartError(coded(code)), code).toBe(false);
    expect(isColdStartError(new A2ATransportError('network', 'x', { sent: false, cause: coded(code) })), code).toBe(false);
  }
});

test('A5: codes and statuses win over the text', () => {
  expect(isColdStartError(Object.assign(new Error('HTTP 503'), { code: 'CERT_HAS_EXPIRED' }))).toBe(false);
  expect(isColdStartError(new A2AError('TASK_NOT_FOUND', 'no task 503'))).toBe(false);
  expect(isColdStartError(Object.assign(new Error('upstream said 503'), { status: 500 }))).toBe(false);
  expect(isColdStartError(Object.assign(new Error('x'), { statusCode: 503 }))).toBe(true);
  expect(isColdStartError(new Error('HTTP 503'))).toBe(true);
});

test('A5: only those A2AErrors count that a sleeping agent can cause', () => {
  const yes = [httpError(502), httpError(503), httpError(504), refused(), broken(), timeoutError('connect', 1)];
  const no = [
    httpError(500),
    httpError(429),
    timeoutError('firstByte', 1),
    timeoutError('idle', 1),
    timeoutError('total', 1),
    new A2ATransportError('serialization', 'x', { sent: true }),
    new A2ACircuitOpenError('x'),
    new A2AActivationTimeoutError({ attempts: 1, elapsedMs: 1 }, 'x'),
    new A2AError('ABORTED', 'x'),
  ];
  expect(yes.map(isColdStartError)).toEqual(yes.map(() => true));
  expect(no.map(isColdStartError)).toEqual(no.map(() => false));
});

test('A5: any thrown value is handled', () => {
  const cyclic: { cause?: unknown; errors?: unknown[] } = {};
  cyclic.cause = cyclic;
  cyclic.errors = [cyclic, cyclic];
  for (const thrown of [undefined, null, 503, true, {}, [], Symbol('x'), cyclic, { message: 503 }, () => {}]) {
    expect(isColdStartError(thrown)).toBe(false);
  }
});
