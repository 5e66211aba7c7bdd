import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { A2AError, ERRORS, type ErrorReason, isA2AError, isPeerReason } from '../protocol/errors.js';
import { toJsonRpcError } from './jsonrpc.js';
import { type ReadErrorOptions, readHttpFailure, readRestError, readRpcError } from './read-error.js';
import { encodeRestError } from './rest.js';

const REASONS = Object.keys(ERRORS).filter(isPeerReason);
const NOW = Date.parse('2026-01-01T00:00:00Z');

const info = (reason: string, domain = 'a2a-protocol.org', metadata: object = {}) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain,
  metadata,
});

function failure(status: number, bodyText = '', headers: Readonly<Record<string, string>> = {}) {
  return { status, bodyText, header: (name: string) => headers[name] };
}

describe('C1: the reason of a peer error', () => {
  test.each([
    ['its reason', { code: -32603, data: [info('TASK_NOT_FOUND')] }, 500, 'TASK_NOT_FOUND'],
    ['a known reason', { code: -32004, data: [info('RATE_LIMITED', 'parley.a2a')] }, 503, 'RATE_LIMITED'],
    ['a status for which there is no code', { code: -32603 }, 429, 'RATE_LIMITED'],
    ['401 before the code', { code: -32600 }, 401, 'AUTH_REQUIRED'],
    ['403 before the code', { code: -32603 }, 403, 'INSUFFICIENT_SCOPE'],
    ['503 before the code', { code: -32603 }, 503, 'AGENT_UNAVAILABLE'],
    ['the code, with 200', { code: -32001 }, 200, 'TASK_NOT_FOUND'],
    ['the code, with a general status', { code: -32009 }, 500, 'VERSION_NOT_SUPPORTED'],
    ['the code, with 404', { code: -32001 }, 404, 'TASK_NOT_FOUND'],
    ['the code, with 400', { code: -32602 }, 400, 'INVALID_PARAMS'],
    ['an unknown code, with 200', { code: -32050 }, 200, 'INTERNAL_ERROR'],
    ['an unknown code, with 409', { code: -32050 }, 409, 'TASK_NOT_CANCELABLE'],
    ['a code for clients only', { code: -31010 }, 200, 'INTERNAL_ERROR'],
    ['a reason for clients only', { code: -32603, data: [info('ABORTED', 'parley.a2a')] }, 200, 'INTERNAL_ERROR'],
    ['no code at all', { message: 'x' }, 200, 'INTERNAL_ERROR'],
  ] as const)('C1: %s decides', (_, error, httpStatus, reason) => {
    const read = readRpcError({ message: 'no', ...error }, { httpStatus });
    expect(read.reason).toBe(reason);
    expect(read.code).toBe('code' in error ? error.code : -32603);
  });

  test.each([
    [409, 'FAILED_PRECONDITION', 'TASK_NOT_CANCELABLE'],
    [415, 'INVALID_ARGUMENT', 'CONTENT_TYPE_NOT_SUPPORTED'],
    [502, 'INTERNAL', 'INVALID_AGENT_RESPONSE'],
    [400, 'UNIMPLEMENTED', 'UNSUPPORTED_OPERATION'],
    [501, 'UNIMPLEMENTED', 'UNSUPPORTED_OPERATION'],
    [404, 'UNIMPLEMENTED', 'METHOD_NOT_FOUND'],
    [404, 'NOT_FOUND', 'METHOD_NOT_FOUND'],
    [400, 'INVALID_ARGUMENT', 'INVALID_PARAMS'],
    [400, undefined, 'INVALID_REQUEST'],
    [418, 'nonsense', 'INVALID_REQUEST'],
    [500, 'INTERNAL', 'INTERNAL_ERROR'],
    [500, 'RESOURCE_EXHAUSTED', 'RATE_LIMITED'],
  ])('C1: %s %s without a reason has the meaning of earlier tables and of HTTP', (code, status, reason) => {
    expect(readRestError({ error: { code, status, message: 'no' } }, code).reason).toBe(reason);
  });

  test.each(['SOMETHING_NEW', 'constructor', '__proto__', 'toString'])(
    'C1: an unknown reason (%s) is kept but does not decide',
    (reason) => {
      const error = readRpcError({ code: -32004, message: 'no', data: [info(reason, 'example.com', { a: 'b' })] });
      expect(error).toMatchObject({ reason: 'UNSUPPORTED_OPERATION', metadata: { a: 'b', peerReason: reason } });
      expect(error.details[0]).toMatchObject({ reason, domain: 'example.com' });
    },
  );

  test('C1: a known reason in another domain has another meaning', () => {
    const error = readRpcError({ code: -32603, message: 'no', data: [info('RATE_LIMITED', 'example.com')] });
    expect(error).toMatchObject({ reason: 'INTERNAL_ERROR', retryable: false, metadata: { peerReason: 'RATE_LIMITED' } });
  });

  test.each([
    [-32001, 'AUTH_REQUIRED', 'TASK_NOT_FOUND'],
    [-32002, 'TASK_NOT_FOUND', 'TASK_NOT_CANCELABLE'],
    [-32003, 'INSUFFICIENT_SCOPE', 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
    [-32004, 'RATE_LIMITED', 'UNSUPPORTED_OPERATION'],
    [-32005, 'AGENT_UNAVAILABLE', 'CONTENT_TYPE_NOT_SUPPORTED'],
    [-32006, 'TASK_TIMEOUT', 'INVALID_AGENT_RESPONSE'],
    [-32007, 'CONTENT_TOO_LARGE', 'EXTENDED_AGENT_CARD_NOT_CONFIGURED'],
    [-32008, 'SKILL_NOT_FOUND', 'EXTENSION_SUPPORT_REQUIRED'],
    [-32009, 'VERSION_NOT_SUPPORTED', 'VERSION_NOT_SUPPORTED'],
    [-32602, 'INVALID_PARAMS', 'INVALID_PARAMS'],
  ] as const)('C1: %i is %s only for peers of the plain dialect', (code, legacy, current) => {
    const old = readRpcError({ code, message: 'no' }, { plainCodes: true });
    expect(old).toMatchObject({ reason: legacy, code, retryable: ERRORS[legacy].retryable, status: ERRORS[legacy].grpc });
    expect(readRpcError({ code, message: 'no' }).reason).toBe(current);
    const said = readRpcError({ code, message: 'no', data: [info(current)] }, { plainCodes: true });
    expect(said.reason, 'a reason takes precedence over any code').toBe(current);
  });
});

describe('C18: every code and name of an error has its own member', () => {
  test.each(REASONS)('C18: %s is the same after JSON-RPC and after HTTP+JSON', (reason) => {
    const violations = [{ field: 'message.parts', description: 'is required' }];
    const sent = new A2AError(reason, 'no', { metadata: { taskId: 't' }, violations, retryAfterMs: 1500 });
    const { rpc: code, http: httpStatus, grpc: status, retryable } = ERRORS[reason];
    const expected = {
      reason,
      code,
      httpStatus,
      status,
      retryable,
      message: 'no',
      violations,
      retryAfterMs: 1500,
      metadata: { taskId: 't' },
    };
    const wire = JSON.parse(JSON.stringify(toJsonRpcError(sent)));
    const bodies = [
      readRpcError(wire),
      readRpcError(wire, { httpStatus: 200 }),
      readRestError(JSON.parse(encodeRestError(sent)), httpStatus),
    ];
    for (const read of bodies) {
      expect(read).toMatchObject(expected);
      expect(read.details).toEqual(sent.details);
      expect(read.metadata).toEqual({ taskId: 't' });
    }
  });

  test('C18: values of the peer take precedence over the table', () => {
    const error = readRestError({ error: { code: 410, status: 'ABORTED', message: 'gone', details: [info('TASK_NOT_FOUND')] } }, 410);
    expect(error).toMatchObject({ code: -32001, httpStatus: 410, status: 'ABORTED', reason: 'TASK_NOT_FOUND' });
    expect(readRpcError({ code: -32099, message: 'no' }).code).toBe(-32099);
  });

  test('C18: the error names the peer that sent it', () => {
    expect(readRpcError({ code: -32001, message: 'no' }, { peer: 'Weather' })).toMatchObject({ peer: 'Weather', kind: 'rpc' });
    expect(readRpcError({ code: -32602, message: 'no' }).kind, 'also for a refusal of our own values').toBe('rpc');
  });
});

describe('C3: details as a list and as an object', () => {
  test.each([
    ['a list', [info('RATE_LIMITED', 'parley.a2a', { retryable: 'false' }), { '@type': 'google.rpc.RetryInfo', retryDelay: '1.5s' }]],
    ['an object', { retryable: false, retryAfter: 1.5, reason: 'RATE_LIMITED' }],
    ['an object with texts', { retryable: 'false', retryAfter: 1.5, reason: 'RATE_LIMITED' }],
    [
      'a delay in its parts',
      [
        info('RATE_LIMITED', 'parley.a2a', { retryable: false }),
        { '@type': 'x/google.rpc.RetryInfo', retryDelay: { seconds: '1', nanos: 500000000 } },
      ],
    ],
  ])('C3: %s has the same meaning, and an explicit false takes precedence over the table', (_, data) => {
    expect(readRpcError({ code: -31004, message: 'no', data })).toMatchObject({
      reason: 'RATE_LIMITED',
      retryable: false,
      retryAfterMs: 1500,
    });
  });

  test('C3: an explicit true takes precedence too, and the text of an object is kept', () => {
    const error = readRpcError({ code: -32603, message: 'no', data: { detail: 'model is down', retryable: true, more: [1] } });
    expect(error).toMatchObject({ retryable: true, retryAfterMs: undefined, metadata: { detail: 'model is down' } });
    expect(error.details).toEqual([
      { '@type': 'type.googleapis.com/google.protobuf.Struct', value: { detail: 'model is down', retryable: true, more: [1] } },
    ]);
  });

  test.each([-1, Number.NaN, '5', null, {}, Number.POSITIVE_INFINITY])('C3: a delay of %s is ignored', (retryAfter) => {
    expect(readRpcError({ code: -31004, message: 'no', data: { retryAfter } }).retryAfterMs).toBeUndefined();
    const list = [{ '@type': 'google.rpc.RetryInfo', retryDelay: retryAfter === null ? '-1s' : '1.5' }];
    expect(readRpcError({ code: -31004, message: 'no', data: list }).retryAfterMs).toBeUndefined();
  });

  test('C3: a detail without a type is kept as a value', () => {
    const { details } = readRpcError({ code: -32603, message: 'no', data: ['text', 7, { a: 1 }] });
    expect(details.map((detail) => [detail['@type'].split('.').at(-1), 'value' in detail && detail.value])).toEqual([
      ['Value', 'text'],
      ['Value', 7],
      ['Struct', { a: 1 }],
    ]);
  });
});

describe('B26: errors as one object', () => {
  test.each(REASONS)('B26: %s is the same after our own reader', (reason) => {
    const chain = [
      {
        currentAgent: 'A',
        downstreamAgent: 'B',
        downstreamError: { code: -32603, reason: 'X', message: 'm' },
        retryable: true,
        retryAfter: 2.5,
      },
      { currentAgent: 'B', downstreamAgent: 'C', downstreamError: { code: -31005, reason: 'Y', message: 'n' }, retryable: false },
    ];
    const sent = new A2AError(reason, 'no', { metadata: { detail: 'LLM is down' }, retryable: true, retryAfterMs: 2500, chain });
    const wire = JSON.parse(JSON.stringify(toJsonRpcError(sent, { data: 'object' })));
    expect(wire).toMatchObject({
      code: ERRORS[reason].rpc,
      message: 'no',
      data: { detail: 'LLM is down', retryable: true, retryAfter: 2.5, reason, currentAgent: 'A' },
    });
    const { code, httpStatus, status } = sent;
    expect(readRpcError(wire)).toMatchObject({
      reason,
      code,
      httpStatus,
      status,
      retryable: true,
      retryAfterMs: 2500,
      chain,
      metadata: { detail: 'LLM is down' },
    });
  });

  test('B26: without details it states whether to retry, and invalid members are its detail', () => {
    expect(toJsonRpcError(new A2AError('TASK_NOT_FOUND', 'gone'), { data: 'object' }).data).toEqual({
      reason: 'TASK_NOT_FOUND',
      retryable: false,
    });
    const bad = new A2AError('INVALID_PARAMS', 'bad', { violations: [{ field: 'a', description: 'is required' }] });
    expect(toJsonRpcError(bad, { data: 'object' }).data).toMatchObject({ detail: 'a is required' });
  });
});

describe('U10: error bodies of any kind', () => {
  test('U10: JSON contains code, status, message and details', () => {
    const body = { error: { code: 404, status: 'NOT_FOUND', message: 'no task 7', details: [info('TASK_NOT_FOUND')] } };
    const error = readHttpFailure(failure(404, JSON.stringify(body)), { peer: 'http://agent.test/' });
    expect(error).toMatchObject({ code: -32001, httpStatus: 404, status: 'NOT_FOUND', message: 'no task 7', peer: 'http://agent.test/' });
    expect(error.details).toEqual([info('TASK_NOT_FOUND')]);
  });

  test.each([
    [
      'problem+json',
      { type: 'about:blank', title: 'Bad', status: 400, detail: 'parts is missing' },
      400,
      { reason: 'INVALID_REQUEST', message: 'parts is missing' },
    ],
    ['a title only', { title: 'Bad' }, 400, { reason: 'INVALID_REQUEST', message: 'Bad' }],
    [
      'JSON-RPC',
      { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'no task' } },
      404,
      { reason: 'TASK_NOT_FOUND', message: 'no task' },
    ],
    ['a bare status', { code: 5, message: 'no', details: [info('TASK_NOT_FOUND')] }, 404, { reason: 'TASK_NOT_FOUND', message: 'no' }],
    ['an error as text', { error: 'invalid_token', error_description: 'expired' }, 401, { reason: 'AUTH_REQUIRED', message: 'expired' }],
    [
      'an empty error',
      { error: {} },
      500,
      { reason: 'INTERNAL_ERROR', message: 'The agent returned an error without a message (code 500)' },
    ],
    ['no error at all', { ok: true }, 503, { reason: 'AGENT_UNAVAILABLE', message: 'HTTP 503, the agent is not available' }],
    ['a list', [1, 2], 500, { reason: 'INTERNAL_ERROR', message: 'HTTP 500, the agent failed: [1,2]' }],
  ])('U10: %s in HTTP+JSON', (_, body, status, expected) => {
    expect(readHttpFailure(failure(status, JSON.stringify(body)))).toMatchObject({ ...expected, httpStatus: status });
  });

  test.each([
    [200, 'INVALID_AGENT_RESPONSE', false],
    [302, 'INVALID_AGENT_RESPONSE', false],
    [400, 'INVALID_REQUEST', false],
    [401, 'AUTH_REQUIRED', false],
    [403, 'INSUFFICIENT_SCOPE', false],
    [404, 'METHOD_NOT_FOUND', false],
    [405, 'METHOD_NOT_FOUND', false],
    [408, 'TASK_TIMEOUT', true],
    [409, 'TASK_NOT_CANCELABLE', false],
    [413, 'CONTENT_TOO_LARGE', false],
    [415, 'CONTENT_TYPE_NOT_SUPPORTED', false],
    [422, 'INVALID_PARAMS', false],
    [429, 'RATE_LIMITED', true],
    [500, 'INTERNAL_ERROR', false],
    [501, 'UNSUPPORTED_OPERATION', false],
    [502, 'AGENT_UNAVAILABLE', true],
    [503, 'AGENT_UNAVAILABLE', true],
    [504, 'TASK_TIMEOUT', true],
    [522, 'AGENT_UNAVAILABLE', true],
    [599, 'INTERNAL_ERROR', false],
  ] as const)('U10: %i with HTML, with nothing and with broken JSON is %s', (status, reason, retryable) => {
    for (const text of ['<html><h1>secret page</h1></html>', '', '  \n', '{"error": ']) {
      const error = readHttpFailure(failure(status, text));
      expect(error).toMatchObject({ reason, retryable, code: ERRORS[reason].rpc, status: ERRORS[reason].grpc, details: [] });
      expect(error.httpStatus).toBe(status < 300 ? ERRORS[reason].http : status);
      expect(error.message).toContain(`HTTP ${status}`);
      expect(error.message).not.toContain('secret page');
    }
  });

  test('U10: plain text is quoted up to a limit', () => {
    expect(readHttpFailure(failure(503, 'back at noon')).message).toBe('HTTP 503, the agent is not available: back at noon');
    expect(readHttpFailure(failure(503, 'x'.repeat(1_000_000))).message.length).toBeLessThan(300);
  });

  test('U10: the headers contain the retry delay and the authentication challenge', () => {
    const later = { 'retry-after': '120', 'www-authenticate': 'Bearer realm="a"' };
    expect(readHttpFailure(failure(429, '', later))).toMatchObject({ retryAfterMs: 120_000, challenge: 'Bearer realm="a"' });
    const date = { 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' };
    expect(readHttpFailure(failure(503, '', date), { now: () => NOW }).retryAfterMs).toBe(30_000);
    expect(readHttpFailure(failure(503, '', date)).retryAfterMs, 'the current time is unknown').toBeUndefined();
    const body = { error: { message: 'no', details: [{ '@type': 'google.rpc.RetryInfo', retryDelay: '1s' }] } };
    expect(readHttpFailure(failure(429, JSON.stringify(body), later)).retryAfterMs, 'the body is more precise').toBe(1000);
    const rpc: ReadErrorOptions = { httpStatus: 401, header: (name) => later[name as 'retry-after'] };
    expect(readRpcError({ code: -31001, message: 'not authenticated' }, rpc)).toMatchObject({
      challenge: 'Bearer realm="a"',
      retryAfterMs: 120_000,
    });
  });
});

describe('C3: hostile errors', () => {
  test('C3: sizes are limited', () => {
    const many = Array.from({ length: 1000 }, (_, n) => info(`R${n}`));
    const error = readRpcError({ code: -32603, message: 'x'.repeat(1_000_000), data: many });
    expect(error.message).toHaveLength(2000);
    expect(error.details).toHaveLength(64);
    const huge = readRpcError({ code: -32603, message: 'no', data: [info('A'), { '@type': 'x', text: 'y'.repeat(70_000) }, info('B')] });
    expect(huge.details).toEqual([info('A')]);
    const wide = info('A', 'example.com', Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`k${n}`, 'v'])));
    expect(Object.keys(readRpcError({ code: 1, message: 'no', data: [wide] }).metadata).length).toBeLessThanOrEqual(65);
    const fieldViolations = Array.from({ length: 1000 }, () => ({ field: 'a', description: 'b' }));
    expect(readRpcError({ code: 1, message: 'no', data: [{ '@type': 'google.rpc.BadRequest', fieldViolations }] }).violations).toHaveLength(
      64,
    );
  });

  const cyclic: Record<string, unknown> = { '@type': 'x' };
  cyclic.self = cyclic;
  const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`);
  const trap = new Proxy(
    {},
    {
      get: () => {
        throw new Error('trap');
      },
      ownKeys: () => {
        throw new Error('trap');
      },
    },
  );

  test.each([
    ['a cycle', cyclic],
    ['endless nesting', deep],
    ['a trap', trap],
    ['a BigInt', { n: 1n }],
    ['a symbol', Symbol('x')],
    ['a function', () => 1],
  ])('C3: %s does not throw', (_, data) => {
    for (const error of [
      readRpcError(data),
      readRpcError({ code: -32001, message: 'no', data }),
      readRestError(data, 500),
      readRestError({ error: { details: [data] } }, 500),
    ]) {
      expect(isA2AError(error)).toBe(true);
    }
  });

  test('C3: no input makes it throw', () => {
    const members = fc.oneof(
      fc.constantFrom(
        'code',
        'message',
        'data',
        'error',
        'details',
        'status',
        'reason',
        'domain',
        'metadata',
        '@type',
        'retryAfter',
        'retryDelay',
      ),
      fc.constantFrom('downstreamError', 'currentAgent', 'downstreamAgent', 'value', 'fieldViolations', 'retryable', '__proto__'),
      fc.string(),
    );
    const leaf = fc.oneof(
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withObjectString: true }),
      fc.constantFrom(
        'google.rpc.ErrorInfo',
        'google.rpc.RetryInfo',
        'google.rpc.BadRequest',
        '1s',
        ...REASONS,
        'a2a-protocol.org',
        -32001,
        404,
      ),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 6 }, leaf, fc.array(tie('tree'), { maxLength: 4 }), fc.dictionary(members, tie('tree'), { maxKeys: 8 })),
    }));
    fc.assert(
      fc.property(tree, fc.integer({ min: -1, max: 1000 }), fc.string(), (value, status, text) => {
        const seen = [readRpcError(value), readRestError(value, status), readHttpFailure(failure(status, text))];
        seen.push(readRpcError({ code: -32603, message: 'no', data: value }, { plainCodes: true, httpStatus: status }));
        try {
          seen.push(readHttpFailure(failure(status, JSON.stringify(value) ?? '')));
        } catch {
          // BigInts and cycles have no JSON form, so they cannot be sent
        }
        for (const error of seen) {
          expect(isPeerReason(error.reason satisfies ErrorReason)).toBe(true);
          expect(error.message.length).toBeLessThanOrEqual(2000);
          expect(error.chain.length).toBeLessThanOrEqual(8);
          for (const said of Object.values(error.metadata)) expect(typeof said).toBe('string');
        }
      }),
      { numRuns: 500 },
    );
  });
});
