import { describe, expect, test } from 'vitest';
import { bench, broken, httpError, LOG_PEER, peerOf, refused } from '../../../test/client/scripted-send.js';
import {
  A2AActivationTimeoutError,
  A2ACircuitOpenError,
  A2AError,
  A2ATransportError,
  ERRORS,
  type ErrorReason,
  toA2AError,
} from '../../protocol/errors.js';
import { METHODS } from '../../protocol/methods.js';
import type { ClientMethod } from '../call.js';
import { decideHttp, decideRpc, isRepeatable, mayTryAgain } from './classify.js';
import { timeoutError } from './timeout-error.js';

const rpc = (reason: ErrorReason, retryable?: boolean): A2AError => new A2AError(reason, 'sent by the agent', { retryable });

/** Whether to retry: a read, a send to a peer without idempotency keys, and a send to a peer with them. */
type Row = readonly [name: string, error: A2AError, read: boolean, send: boolean, keyed: boolean];

const YES = [true, true, true] as const;
const NO = [false, false, false] as const;
const SAFE = [true, false, true] as const;

const TABLE: readonly Row[] = [
  ['−32700', rpc('PARSE_ERROR'), ...NO],
  ['−32600', rpc('INVALID_REQUEST'), ...NO],
  ['−32601', rpc('METHOD_NOT_FOUND'), ...NO],
  ['−32602', rpc('INVALID_PARAMS'), ...NO],
  ['−32602 that claims to be retryable', rpc('INVALID_PARAMS', true), ...NO],
  ['auth', rpc('AUTH_REQUIRED'), ...NO],
  ['scope', rpc('INSUFFICIENT_SCOPE'), ...NO],
  ['task not found', rpc('TASK_NOT_FOUND'), ...NO],
  ['task not found, retryable', rpc('TASK_NOT_FOUND', true), ...YES],
  ['unsupported', rpc('UNSUPPORTED_OPERATION'), ...NO],
  ['rate limited', rpc('RATE_LIMITED'), ...YES],
  ['rate limited, not retryable', rpc('RATE_LIMITED', false), ...NO],
  ['unavailable', rpc('AGENT_UNAVAILABLE'), ...YES],
  ['unavailable, not retryable', rpc('AGENT_UNAVAILABLE', false), ...NO],
  ['task timeout', rpc('TASK_TIMEOUT'), ...SAFE],
  ['task timeout, retryable', rpc('TASK_TIMEOUT', true), ...YES],
  ['−32603', rpc('INTERNAL_ERROR'), ...SAFE],
  ['−32603, not retryable', rpc('INTERNAL_ERROR', false), ...NO],
  ['−32603, retryable', rpc('INTERNAL_ERROR', true), ...YES],
  ['an internal bug', toA2AError(new TypeError('x is undefined')), ...NO],
  ['invalid agent response', rpc('INVALID_AGENT_RESPONSE'), ...NO],
  ['HTTP 429', httpError(429), ...YES],
  ['HTTP 500', httpError(500), ...SAFE],
  ['HTTP 501', new A2AError('UNSUPPORTED_OPERATION', 'HTTP 501', { httpStatus: 501 }), ...NO],
  ['HTTP 502', httpError(502), ...SAFE],
  ['HTTP 502 with a body', new A2AError('INVALID_AGENT_RESPONSE', 'x', { httpStatus: 502 }), ...SAFE],
  ['HTTP 503', httpError(503), ...YES],
  ['HTTP 504', httpError(504), ...SAFE],
  ['HTTP 507', httpError(507), ...SAFE],
  ['HTTP 522', new A2AError('AGENT_UNAVAILABLE', 'x', { httpStatus: 522 }), ...SAFE],
  ['HTTP 500 with a specific error', new A2AError('TASK_NOT_FOUND', 'x', { httpStatus: 500 }), ...NO],
  ['refused', refused(), ...YES],
  ['broken before the response', broken(), ...SAFE],
  ['connect timeout', timeoutError('connect', 1), ...YES],
  ['pool timeout', timeoutError('pool', 1), ...YES],
  ['write timeout', timeoutError('write', 1), ...SAFE],
  ['first-byte timeout', timeoutError('firstByte', 1), ...SAFE],
  ['idle timeout', timeoutError('idle', 1), ...SAFE],
  ['total timeout', timeoutError('total', 1), ...NO],
  ['an unreadable response', new A2ATransportError('serialization', 'x', { sent: true }), ...NO],
  ['aborted', rpc('ABORTED'), ...NO],
  ['an open circuit', new A2ACircuitOpenError('x'), ...NO],
  ['an activation timeout', new A2AActivationTimeoutError({ attempts: 1, elapsedMs: 1 }, 'x'), ...NO],
];

const { call } = bench();
const READ = call('GetTask');
const SEND = call('SendMessage');
const KEYED = call('SendMessage', { peer: LOG_PEER });

/** Returns the rows that a policy decides differently. */
function mistakes(mayRetry: typeof mayTryAgain): readonly string[] {
  return TABLE.filter(([, error, ...expected]) => [READ, SEND, KEYED].some((one, i) => mayRetry(error, one) !== expected[i])).map(
    ([name]) => name,
  );
}

test('B6: the retry table holds, row by row', () => {
  expect(mistakes(mayTryAgain)).toEqual([]);
});

test('B22: without the guard the table does not hold', () => {
  expect(mistakes(() => true).length).toBeGreaterThan(25);
  expect(mistakes(() => false).length).toBeGreaterThan(15);
  expect(mistakes((error) => error.retryable)).toContain('−32603');
  expect(mistakes((error, one) => mayTryAgain(error, { ...one, method: 'GetTask' }))).toContain('broken before the response');
});

test('B6: every reason is in the table', () => {
  const reasons = new Set(TABLE.map(([, error]) => error.reason));
  const others = Object.keys(ERRORS).filter((reason) => !reasons.has(reason as ErrorReason));
  for (const reason of others) expect(mayTryAgain(rpc(reason as ErrorReason), READ), reason).toBe(false);
});

test('B4: an explicit false wins over the table, for any method and peer', () => {
  for (const reason of ['RATE_LIMITED', 'AGENT_UNAVAILABLE', 'TASK_TIMEOUT', 'INTERNAL_ERROR'] as const) {
    expect([READ, SEND, KEYED].map((one) => mayTryAgain(rpc(reason, false), one, 'all5xx'))).toEqual(NO);
  }
});

describe('D33', () => {
  test.each<[ClientMethod, boolean]>([
    ['GetTask', true],
    ['ListTasks', true],
    ['CancelTask', true],
    ['SubscribeToTask', true],
    ['GetAgentCard', true],
    ['GetExtendedAgentCard', true],
    ['GetTaskPushNotificationConfig', true],
    ['ListTaskPushNotificationConfigs', true],
    ['DeleteTaskPushNotificationConfig', true],
    ['CreateTaskPushNotificationConfig', false],
    ['SendMessage', false],
    ['SendStreamingMessage', false],
  ])(
    'D33: %s, sent without a response, may be repeated: %s; never sent: always; to a peer with idempotency keys: always',
    (method, isSafe) => {
      expect(mayTryAgain(broken(), call(method))).toBe(isSafe);
      expect(mayTryAgain(refused(), call(method))).toBe(true);
      expect(mayTryAgain(broken(), call(method, { peer: LOG_PEER }))).toBe(true);
    },
  );

  test('D33: a peer with idempotency keys does not help if the call has no key', () => {
    expect(mayTryAgain(broken(), call('SendMessage', { peer: LOG_PEER, idempotencyKey: undefined }))).toBe(false);
    const onlyResumes = peerOf('http://x.test', { log: { lastEventId: true, idempotencyKey: false } });
    expect(mayTryAgain(broken(), call('SendMessage', { peer: onlyResumes }))).toBe(false);
  });

  test('D33: an unknown method is not repeatable', () => {
    expect(['Charge', 'constructor', ''].map(isRepeatable)).toEqual([false, false, false]);
    expect(Object.keys(METHODS).filter(isRepeatable)).toHaveLength(8);
  });
});

test('C5: 500 and −32603 are retried only if repeatable; 503 always; 502 and 504 count as no response', () => {
  const send = { repeatable: false, rule: 'safe' } as const;
  const read = { repeatable: true, rule: 'safe' } as const;
  const statuses = [400, 404, 429, 500, 501, 502, 503, 504];
  expect(statuses.filter((status) => decideHttp(status, send))).toEqual([429, 503]);
  expect(statuses.filter((status) => decideHttp(status, read))).toEqual([429, 500, 502, 503, 504]);
  expect([decideRpc(rpc('INTERNAL_ERROR'), send), decideRpc(rpc('INTERNAL_ERROR'), read)]).toEqual([false, true]);
});

test('B9: with the policy all5xx every 5xx except 501 and 505 is retried, including calls that may have run', () => {
  const send = { repeatable: false, rule: 'all5xx' } as const;
  expect([499, 500, 501, 502, 503, 504, 505, 507].filter((status) => decideHttp(status, send))).toEqual([500, 502, 503, 504, 507]);
  expect(mayTryAgain(httpError(500), SEND, 'all5xx')).toBe(true);
  expect(mayTryAgain(broken(), SEND, 'all5xx')).toBe(false);
});
