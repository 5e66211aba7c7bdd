import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { A2AError, ERRORS, type ErrorReason, type ErrorRow, isA2AError, reasonOfCode, toA2AError } from './errors.js';

const rows = Object.entries(ERRORS) as [ErrorReason, ErrorRow][];
const byGroup = (from: number, to: number) => rows.filter(([, { rpc }]) => rpc >= from && rpc <= to);

describe('P57: one table for every binding', () => {
  test('P57: the nine errors of A2A have the codes of the specification', () => {
    const table = byGroup(-32099, -32001).map(([reason, row]) => [row.name, row.rpc, row.http, row.grpc, reason]);
    expect(table).toEqual([
      ['TaskNotFoundError', -32001, 404, 'NOT_FOUND', 'TASK_NOT_FOUND'],
      ['TaskNotCancelableError', -32002, 400, 'FAILED_PRECONDITION', 'TASK_NOT_CANCELABLE'],
      ['PushNotificationNotSupportedError', -32003, 400, 'FAILED_PRECONDITION', 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
      ['UnsupportedOperationError', -32004, 400, 'FAILED_PRECONDITION', 'UNSUPPORTED_OPERATION'],
      ['ContentTypeNotSupportedError', -32005, 400, 'INVALID_ARGUMENT', 'CONTENT_TYPE_NOT_SUPPORTED'],
      ['InvalidAgentResponseError', -32006, 500, 'INTERNAL', 'INVALID_AGENT_RESPONSE'],
      ['ExtendedAgentCardNotConfiguredError', -32007, 400, 'FAILED_PRECONDITION', 'EXTENDED_AGENT_CARD_NOT_CONFIGURED'],
      ['ExtensionSupportRequiredError', -32008, 400, 'FAILED_PRECONDITION', 'EXTENSION_SUPPORT_REQUIRED'],
      ['VersionNotSupportedError', -32009, 400, 'FAILED_PRECONDITION', 'VERSION_NOT_SUPPORTED'],
    ]);
    for (const [reason, row] of byGroup(-32099, -32001)) {
      expect(row.domain).toBe('a2a-protocol.org');
      expect(row.name).toBe(`${pascal(reason)}Error`);
    }
  });

  test('B2: the five generic errors of JSON-RPC', () => {
    const table = byGroup(-32768, -32600).map(([reason, row]) => [reason, row.rpc, row.http, row.grpc, row.domain]);
    expect(table).toEqual([
      ['PARSE_ERROR', -32700, 400, 'INVALID_ARGUMENT', 'parley.a2a'],
      ['INVALID_REQUEST', -32600, 400, 'INVALID_ARGUMENT', 'parley.a2a'],
      ['METHOD_NOT_FOUND', -32601, 404, 'UNIMPLEMENTED', 'parley.a2a'],
      ['INVALID_PARAMS', -32602, 400, 'INVALID_ARGUMENT', 'parley.a2a'],
      ['INTERNAL_ERROR', -32603, 500, 'INTERNAL', 'parley.a2a'],
    ]);
  });

  test('B3: each of the eight meanings of the post has its own reason, with a code that no A2A error has', () => {
    const meanings = [
      'AUTH_REQUIRED',
      'INSUFFICIENT_SCOPE',
      'RATE_LIMITED',
      'AGENT_UNAVAILABLE',
      'TASK_TIMEOUT',
      'CONTENT_TOO_LARGE',
      'SKILL_NOT_FOUND',
    ] as const;
    expect(meanings.map((reason) => ERRORS[reason].rpc)).toEqual([-31001, -31003, -31004, -31005, -31006, -31007, -31008]);
    expect(meanings.filter((reason) => ERRORS[reason].retryable)).toEqual(['RATE_LIMITED', 'AGENT_UNAVAILABLE', 'TASK_TIMEOUT']);
    expect(ERRORS.TASK_NOT_FOUND, "the eighth is A2A's own").toMatchObject({ rpc: -32001, domain: 'a2a-protocol.org' });
  });

  test('D27: application reasons are outside the reserved range, in our own domain', () => {
    const table = rows
      .filter(([, { rpc }]) => rpc > -32000 && rpc < -31000)
      .map(([reason, row]) => [reason, row.rpc, row.http, row.grpc, row.retryable, row.domain]);
    expect(table).toEqual([
      ['AUTH_REQUIRED', -31001, 401, 'UNAUTHENTICATED', false, 'parley.a2a'],
      ['INSUFFICIENT_SCOPE', -31003, 403, 'PERMISSION_DENIED', false, 'parley.a2a'],
      ['RATE_LIMITED', -31004, 429, 'RESOURCE_EXHAUSTED', true, 'parley.a2a'],
      ['AGENT_UNAVAILABLE', -31005, 503, 'UNAVAILABLE', true, 'parley.a2a'],
      ['TASK_TIMEOUT', -31006, 504, 'DEADLINE_EXCEEDED', true, 'parley.a2a'],
      ['CONTENT_TOO_LARGE', -31007, 413, 'RESOURCE_EXHAUSTED', false, 'parley.a2a'],
      ['SKILL_NOT_FOUND', -31008, 404, 'NOT_FOUND', false, 'parley.a2a'],
      ['IDEMPOTENCY_CONFLICT', -31009, 422, 'FAILED_PRECONDITION', false, 'parley.a2a'],
      ['ABORTED', -31010, 499, 'CANCELLED', false, 'parley.a2a'],
      ['INPUT_REQUIRED', -31011, 409, 'FAILED_PRECONDITION', false, 'parley.a2a'],
    ]);
    expect(rows).toHaveLength(9 + 5 + 10);
  });

  test('D36: the documented table equals this table', () => {
    const document = readFileSync(new URL('../../../../docs/decisions/0020-error-tree.md', import.meta.url), 'utf8');
    const written = [...document.matchAll(/^\| ([A-Z_]+) \| (-\d+) \| (\d+) \| ([A-Z_]+) \| (yes|no) \|$/gm)].map((match) =>
      match.slice(1),
    );
    expect(written).toEqual(rows.map(([reason, row]) => [reason, `${row.rpc}`, `${row.http}`, row.grpc, row.retryable ? 'yes' : 'no']));
  });

  test('C1: no code has two meanings, and every code maps back to its reason', () => {
    expect(new Set(rows.map(([, { rpc }]) => rpc)).size).toBe(rows.length);
    expect(new Set(rows.map(([, { name }]) => name)).size).toBe(rows.length);
    for (const [reason, { rpc }] of rows) expect(reasonOfCode(rpc)).toBe(reason);
    expect(reasonOfCode(-32050)).toBeUndefined();
  });

  test.each(rows)('P57: %s has the values of its row, and its details start with ErrorInfo', (reason, row) => {
    const error = new A2AError(reason, 'no');
    expect(error).toMatchObject({ reason, code: row.rpc, httpStatus: row.http, status: row.grpc, retryable: row.retryable, message: 'no' });
    expect(error.details).toEqual([
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason,
        domain: row.domain,
        metadata: { retryable: String(row.retryable) },
      },
    ]);
  });
});

describe('C3: details are a list of typed objects', () => {
  test('C3: a retry hint is a RetryInfo with seconds', () => {
    const delay = (retryAfterMs: number) => new A2AError('RATE_LIMITED', 'slow down', { retryAfterMs }).details[1];
    expect(delay(1500)).toEqual({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1.5s' });
    expect(delay(0)).toMatchObject({ retryDelay: '0s' });
    expect(delay(1)).toMatchObject({ retryDelay: '0.001s' });
    expect(delay(60_000)).toMatchObject({ retryDelay: '60s' });
  });

  test('P57: invalid members become a BadRequest', () => {
    const violations = [{ field: 'message.parts', description: 'is required' }];
    expect(new A2AError('INVALID_PARAMS', 'bad', { violations }).details.at(-1)).toEqual({
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: violations,
    });
  });

  test('C3: metadata is sent with the retryable flag, and an explicit retryable takes precedence over the table', () => {
    const error = new A2AError('TASK_NOT_FOUND', 'gone', { metadata: { taskId: 't' }, retryable: true, httpStatus: 410 });
    expect(error.details[0]).toMatchObject({ metadata: { taskId: 't', retryable: 'true' } });
    expect(error).toMatchObject({ retryable: true, httpStatus: 410 });
  });
});

describe('thrown values', () => {
  test('an A2AError passes through', () => {
    const error = new A2AError('TASK_NOT_FOUND', 'gone');
    expect(toA2AError(error)).toBe(error);
  });

  test.each([[new Error('secret: hunter2')], ['text'], [undefined], [null], [{ reason: 'TASK_NOT_FOUND' }]])(
    '%s becomes a safe internal error',
    (thrown) => {
      const error = toA2AError(thrown);
      expect(error).toMatchObject({ reason: 'INTERNAL_ERROR', message: 'Internal error', cause: thrown });
      expect(JSON.stringify(error.details)).not.toContain('hunter2');
    },
  );

  test('errors of another copy of the library are recognized by their brand', () => {
    const foreign = Object.defineProperty(new Error('no'), Symbol.for('parley.a2a.error'), { value: true });
    expect(isA2AError(foreign)).toBe(true);
    expect(isA2AError(new Error('no'))).toBe(false);
    expect(isA2AError(undefined)).toBe(false);
    expect(new A2AError('RATE_LIMITED', 'x')).toBeInstanceOf(Error);
  });
});

function pascal(reason: string): string {
  return reason
    .toLowerCase()
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
