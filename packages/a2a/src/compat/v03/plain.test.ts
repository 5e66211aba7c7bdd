// The codes of errors in the plain dialect. Its callers decide by the code alone whether they repeat a call.
import { expect, test } from 'vitest';
import { A2AError, ERRORS, type ErrorReason } from '../../protocol/errors.js';
import { toPlainError } from './plain.js';

const REASONS = Object.keys(ERRORS) as readonly ErrorReason[]; // the keys of the table

/** The codes that callers of the dialect repeat, and what each of them means there. */
const REPEATED: Readonly<Record<number, ErrorReason>> = {
  [-32603]: 'INTERNAL_ERROR',
  [-32004]: 'RATE_LIMITED',
  [-32005]: 'AGENT_UNAVAILABLE',
  [-32006]: 'TASK_TIMEOUT',
};

/** The eight codes of the dialect. */
const DIALECT: Readonly<Record<number, ErrorReason>> = {
  [-32001]: 'AUTH_REQUIRED',
  [-32002]: 'TASK_NOT_FOUND',
  [-32003]: 'INSUFFICIENT_SCOPE',
  [-32004]: 'RATE_LIMITED',
  [-32005]: 'AGENT_UNAVAILABLE',
  [-32006]: 'TASK_TIMEOUT',
  [-32007]: 'CONTENT_TOO_LARGE',
  [-32008]: 'SKILL_NOT_FOUND',
};

test.each(REASONS)('D50: %s has a code that does not mean another error, and does not invite a retry by mistake', (reason) => {
  const { code, data } = toPlainError(new A2AError(reason, 'x'));
  expect(data).toMatchObject({ reason });
  expect(DIALECT[code] ?? reason).toBe(reason);
  expect(REPEATED[code] ?? reason).toBe(reason);
  const downstreamError = { code: ERRORS[reason].rpc, reason, message: 'x' };
  const chain = [{ currentAgent: 'a', downstreamAgent: 'b', downstreamError, retryable: false }];
  expect(toPlainError(new A2AError('AGENT_UNAVAILABLE', 'x', { chain })).data, 'the same in a chain').toMatchObject({
    downstreamError: { code },
  });
});

test.each(Object.entries(DIALECT))('D50: the code %s is sent for its error', (code, reason) => {
  expect(toPlainError(new A2AError(reason, 'x')).code).toBe(Number(code));
});

test.each(['PARSE_ERROR', 'INVALID_REQUEST', 'METHOD_NOT_FOUND', 'INVALID_PARAMS', 'INTERNAL_ERROR'] as const)(
  'D50: %s has the code of JSON-RPC',
  (reason) => {
    expect(toPlainError(new A2AError(reason, 'x')).code).toBe(ERRORS[reason].rpc);
  },
);
