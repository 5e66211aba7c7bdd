// Errors and push configurations down to 0.3 and up again. What does not survive is in the list of docs/guides/older-agents.md.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAs } from '../src/client/transports/read-response.js';
import { findFaults } from '../src/compat/v03/faults.js';
import { PROTO, SCHEMA } from '../src/compat/v03/index.js';
import { A2AError, ERRORS, type ErrorLink, type ErrorReason } from '../src/protocol/errors.js';
import { parseAs } from '../src/protocol/parse.js';
import type { TaskPushNotificationConfig } from '../src/protocol/types.js';
import { encodeObjectError } from '../src/wire/jsonrpc.js';
import { readHttpFailure, readRpcError } from '../src/wire/read-error.js';
import { encodeObjectRestError } from '../src/wire/rest.js';
import { strictMessage } from './arbitraries.js';
import { generatedCases } from './generated-cases.js';
import { schemaErrors } from './v03-schemas.js';

type Json = Record<string, unknown>;

const wire = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** Reasons that agents send: the others stay in the client. */
const REASONS = (Object.keys(ERRORS) as readonly ErrorReason[]).filter((reason) => !['ABORTED', 'INPUT_REQUIRED'].includes(reason));

const BINDINGS = [
  ['JSON-RPC', (error: A2AError) => readRpcError(JSON.parse(encodeObjectError(1, error)).error)],
  [
    'HTTP+JSON',
    (error: A2AError) => readHttpFailure({ status: error.httpStatus, header: () => undefined, bodyText: encodeObjectRestError(error) }),
  ],
] as const;

const text = fc.stringMatching(/^[a-z]{1,12}$/);

const link: fc.Arbitrary<ErrorLink> = fc.record(
  {
    currentAgent: text,
    downstreamAgent: text,
    downstreamError: fc.record({ code: fc.integer({ min: -32099, max: -31000 }), reason: fc.constantFrom(...REASONS), message: text }),
    retryable: fc.boolean(),
    retryAfter: fc.integer({ min: 0, max: 60 }),
  },
  { requiredKeys: ['currentAgent', 'downstreamAgent', 'downstreamError', 'retryable'] },
);

const anyError = fc
  .record({
    reason: fc.constantFrom(...REASONS),
    message: text,
    retryable: fc.boolean(),
    retryAfterMs: fc.option(fc.nat({ max: 60_000 }), { nil: undefined }),
    chain: fc.array(link, { maxLength: 3 }),
    metadata: fc.dictionary(text, text, { maxKeys: 2 }),
    violations: fc.array(fc.record({ field: text, description: text }), { maxLength: 2 }),
  })
  .map(({ reason, message, ...options }) => new A2AError(reason, message, options));

describe.each(BINDINGS)('D50: errors of 0.3 over %s', (binding, passOn) => {
  test('D50: keep reason, code, message, retry hint, delay and chain; violations become one text, and metadata is lost', () => {
    fc.assert(
      fc.property(anyError, (error) => {
        const read = passOn(error);
        const { reason, code, message, retryable, chain } = error;
        // Without a delay of its own, an error has that of the agent behind it.
        const [behind] = chain;
        const retryAfterMs = error.retryAfterMs ?? (behind?.retryAfter === undefined ? undefined : behind.retryAfter * 1000);
        // One object has the hint of the error and that of its first hop.
        const delay = retryAfterMs === undefined ? {} : { retryAfter: retryAfterMs / 1000 };
        const merged = chain.map((hop, index) => (index === 0 ? { ...hop, retryable, ...delay } : hop));
        expect(read).toMatchObject({ reason, message, retryable });
        expect(read.chain).toEqual(merged);
        if (reason !== 'INTERNAL_ERROR' || binding === 'JSON-RPC') expect(read.code).toBe(code);
        expect(read.retryAfterMs).toBe(retryAfterMs);
        expect(read.violations).toEqual([]);
        const told = error.metadata.detail ?? error.violations.map(({ field, description }) => `${field} ${description}`).join('; ');
        expect(read.metadata).toEqual(told === '' ? {} : { detail: told });
      }),
      { numRuns: generatedCases(2_000) },
    );
  });
});

test('D50: errors over JSON-RPC are valid in the schema of 0.3', () => {
  for (const reason of REASONS) {
    const error = new A2AError(reason, 'x', { violations: [{ field: 'f', description: 'd' }], retryAfterMs: 1500 });
    expect(schemaErrors('0.3', 'JSONRPCErrorResponse', JSON.parse(encodeObjectError('id', error))), reason).toEqual([]);
  }
});

/** 0.3 has no tenants, and requires the id of the task. */
const anyConfig = (strictMessage('TaskPushNotificationConfig') as fc.Arbitrary<TaskPushNotificationConfig>)
  .map(wire)
  .map(({ tenant: _, ...config }) => ({ taskId: 'no task', ...config }));

describe('D50: push configurations over JSON-RPC', () => {
  test('D50: go down and up again in results, alone and in lists', () => {
    fc.assert(
      fc.property(anyConfig, (config) => {
        const down = wire(SCHEMA.resultToV03('CreateTaskPushNotificationConfig', config));
        expect(findFaults('schema', 'CreateTaskPushNotificationConfig', down)).toEqual([]);
        const body = { jsonrpc: '2.0', id: 1, result: down };
        expect(schemaErrors('0.3', 'SetTaskPushNotificationConfigSuccessResponse', body)).toEqual([]);
        const up = SCHEMA.resultFromV03('CreateTaskPushNotificationConfig', down);
        expect(readAs('TaskPushNotificationConfig', up, 'x')).toEqual(readAs('TaskPushNotificationConfig', config, 'x'));
        const list = wire(SCHEMA.resultToV03('ListTaskPushNotificationConfigs', { configs: [config] }));
        const { configs } = readAs(
          'ListTaskPushNotificationConfigsResponse',
          SCHEMA.resultFromV03('ListTaskPushNotificationConfigs', list),
          'x',
        );
        expect(configs).toEqual([readAs('TaskPushNotificationConfig', config, 'x')]);
      }),
      { numRuns: generatedCases(1_000) },
    );
  });

  test('D50: go down and up again in requests', () => {
    fc.assert(
      fc.property(anyConfig, (config) => {
        const down = wire(SCHEMA.requestToV03('CreateTaskPushNotificationConfig', config)) as Json;
        const request = { jsonrpc: '2.0', id: 1, method: 'tasks/pushNotificationConfig/set', params: down };
        expect(schemaErrors('0.3', 'SetTaskPushNotificationConfigRequest', request)).toEqual([]);
        const up = parseAs('TaskPushNotificationConfig', SCHEMA.requestFromV03('CreateTaskPushNotificationConfig', down));
        expect(up).toEqual(parseAs('TaskPushNotificationConfig', config));
      }),
      { numRuns: generatedCases(1_000) },
    );
  });
});

test('D50: push configurations over HTTP+JSON keep everything but a task id with a slash, which the name cannot contain', () => {
  fc.assert(
    fc.property(anyConfig, (config) => {
      const down = wire(PROTO.resultToV03('GetTaskPushNotificationConfig', config));
      expect(findFaults('proto', 'GetTaskPushNotificationConfig', down)).toEqual([]);
      const up = readAs('TaskPushNotificationConfig', PROTO.resultFromV03('GetTaskPushNotificationConfig', down), 'x');
      const { taskId, ...rest } = config;
      const isNamed = !taskId.includes('/') && config.id?.includes('/') !== true;
      expect(up).toEqual(readAs('TaskPushNotificationConfig', { ...rest, ...(isNamed && { taskId }) }, 'x'));
    }),
    { numRuns: generatedCases(1_000) },
  );
});

test('D50: of several schemes of a push configuration, the first one is kept', () => {
  const config = { url: 'https://x.test', authentication: { schemes: ['Bearer', 'Basic'], credentials: 'c' } };
  const up = SCHEMA.requestFromV03('CreateTaskPushNotificationConfig', { taskId: 't', pushNotificationConfig: config });
  expect(parseAs('TaskPushNotificationConfig', up).authentication).toEqual({ scheme: 'Bearer', credentials: 'c' });
});
