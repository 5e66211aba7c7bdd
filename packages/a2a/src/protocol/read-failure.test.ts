import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FAILURE_KEY } from './failure-key.js';
import { readFailure } from './read-failure.js';
import type { JsonValue, Task } from './types.js';

function failed(said: JsonValue | undefined, texts: readonly string[] = ['it broke']): Task {
  const parts = texts.map((text) => ({ text }));
  const message = { messageId: 'm', role: 'ROLE_AGENT' as const, parts, ...(said !== undefined && { metadata: { [FAILURE_KEY]: said } }) };
  return { id: 't', contextId: 'c', status: { state: 'TASK_STATE_FAILED', timestamp: '2026-01-01T00:00:00Z', message } };
}

test('D18: a failed task contains its reason, its retry hint, how it ended and the chain of agents', () => {
  const chain = [{ currentAgent: 'A', downstreamAgent: 'B', downstreamError: { code: 1, reason: 'R', message: 'm' }, retryable: true }];
  const said = { reason: 'RATE_LIMITED', code: -31004, retryable: true, retryAfterMs: 5, why: 'crash', unpublished: true, chain };
  expect(readFailure(failed(said, ['it ', 'broke']))).toEqual({ ...said, message: 'it broke' });
});

test.each([
  ['nothing', undefined],
  ['a text', 'RATE_LIMITED'],
  ['a list', ['RATE_LIMITED']],
  ['null', null],
])('a task with %s under the key has no failure', (_, said) => {
  expect(readFailure(failed(said))).toBeUndefined();
});

test('a status without a message has no failure', () => {
  expect(readFailure({ status: { state: 'TASK_STATE_FAILED', timestamp: '2026-01-01T00:00:00Z' } })).toBeUndefined();
});

test('reasons that are unknown or for clients only are internal errors; missing members have the values of the table', () => {
  const plain = {
    reason: 'INTERNAL_ERROR',
    retryable: false,
    retryAfterMs: undefined,
    why: undefined,
    unpublished: false,
    chain: [],
    message: 'it broke',
  };
  expect(readFailure(failed({ reason: 'NEW', code: -31099 }))).toEqual({ ...plain, code: -31099 });
  expect(readFailure(failed({ reason: 'ABORTED' }))).toEqual({ ...plain, code: -32603 });
  expect(readFailure(failed({ reason: 'RATE_LIMITED' }))).toMatchObject({ retryable: true, code: -31004 });
  expect(readFailure(failed({ retryAfterMs: -1, why: 7, chain: 'x', retryable: 'yes', code: 1.5 }))).toEqual({ ...plain, code: -32603 });
});

test('no value makes reading throw', () => {
  fc.assert(fc.property(fc.jsonValue(), (said) => readFailure(failed(said as JsonValue)) !== null));
});
