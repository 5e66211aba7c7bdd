// Every message of 1.0 that 0.3 can carry survives the way down and up again. The table at the top is the list in docs/guides/older-agents.md.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAs } from '../src/client/transports/read-response.js';
import { findFaults } from '../src/compat/v03/faults.js';
import { PROTO, SCHEMA, type V03Model } from '../src/compat/v03/index.js';
import { METHODS, type MethodName } from '../src/protocol/methods.js';
import { parseAs } from '../src/protocol/parse.js';
import type { MessageTypes, StreamResponse } from '../src/protocol/types.js';
import { strictMessage } from './arbitraries.js';
import { generatedCases } from './generated-cases.js';
import { schemaErrors } from './v03-schemas.js';

type Members = Record<string, unknown>;
type Name = 'schema' | 'proto';

const MODELS: readonly (readonly [Name, V03Model])[] = [
  ['schema', SCHEMA],
  ['proto', PROTO],
];

/** What 0.3 cannot carry, as functions that remove it. */
const LOST = {
  part(part: Members): Members {
    if (part.raw !== undefined || part.url !== undefined) return part;
    const { filename, mediaType, metadata, ...rest } = part;
    // Data that is not an object gets a marker in its metadata, and empty metadata disappears with the marker.
    const isWrapped = 'data' in part && (typeof part.data !== 'object' || part.data === null || Array.isArray(part.data));
    const isLost = metadata === undefined || (isWrapped && Object.keys(metadata as Members).length === 0);
    return isLost ? rest : { ...rest, metadata };
  },
  message(message: Members, model: Name): Members {
    const { referenceTaskIds, ...rest } = message;
    return model === 'schema' ? message : rest;
  },
  request(request: Members): Members {
    const { tenant, ...rest } = request;
    return rest;
  },
};

/** The value as the peer can get it. */
function carried(value: unknown, model: Name): unknown {
  if (Array.isArray(value)) return value.map((item) => carried(item, model));
  if (typeof value !== 'object' || value === null) return value;
  let members = value as Members;
  if (Array.isArray(members.parts) && 'role' in members) members = LOST.message(members, model);
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => {
      if (name === 'parts' && Array.isArray(member)) return [name, member.map(LOST.part)];
      return [name, OPAQUE.has(name) ? member : carried(member, model)];
    }),
  );
}

/** Members of callers, which may contain anything. */
const OPAQUE: ReadonlySet<string> = new Set(['metadata', 'data', 'extensions']);

/** 0.3 requires the id of the context. Our agents always send it; the generated tasks may not have one. */
const faultsOf = (...given: Parameters<typeof findFaults>): readonly string[] =>
  findFaults(...given).filter((fault) => !fault.endsWith('contextId is missing'));

/** The errors in the schema of the official SDK 0.3, with the same exception. */
const invalid = (type: string, { result, ...body }: Members): unknown =>
  schemaErrors('0.3', type, { ...body, ...(result !== undefined && { result: withContext(result) }) });

function withContext(result: unknown): unknown {
  const value = result as Members;
  return value.kind === 'task' ? { contextId: 'none', ...value } : value;
}

const wire = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** JSON has no -0. */
const asSent = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => values.map(wire);

describe.each(MODELS)('D50: the model %s', (name, model) => {
  test.each(['SendMessage', 'GetTask', 'CancelTask'] as const)('D50: carries the result of %s', (method) => {
    const type = METHODS[method].response;
    fc.assert(
      fc.property(asSent(strictMessage(type)), (value) => {
        const down = wire(model.resultToV03(method, value));
        expect(faultsOf(name, method, down)).toEqual([]);
        if (name === 'schema') expect(invalid(`${method}SuccessResponse`, { jsonrpc: '2.0', id: 1, result: down })).toEqual([]);
        const up = readAs(type, model.resultFromV03(method, down), method);
        expect(up).toEqual(readAs(type, carried(value, name), method));
      }),
      { numRuns: generatedCases(2_000) },
    );
  });

  test('D50: carries every event of a stream', () => {
    fc.assert(
      fc.property(asSent(strictMessage('StreamResponse')) as fc.Arbitrary<StreamResponse>, fc.boolean(), (value, isFinal) => {
        const down = wire(model.eventToV03(value, isFinal));
        expect(faultsOf(name, 'SendStreamingMessage', down)).toEqual([]);
        if (name === 'schema') expect(invalid('SendStreamingMessageSuccessResponse', { jsonrpc: '2.0', id: 1, result: down })).toEqual([]);
        const up = readAs('StreamResponse', model.resultFromV03('SendStreamingMessage', down), 'SendStreamingMessage');
        expect(up).toEqual(readAs('StreamResponse', carried(value, name), 'SendStreamingMessage'));
      }),
      { numRuns: generatedCases(2_000) },
    );
  });

  test('D50: carries the request of a send', () => {
    fc.assert(
      fc.property(asSent(strictMessage('SendMessageRequest')) as fc.Arbitrary<MessageTypes['SendMessageRequest']>, (given) => {
        const { taskPushNotificationConfig: push, ...rest } = given.configuration ?? {};
        const { tenant, taskId, ...config } = push ?? { url: '' };
        const value = { ...given, configuration: { ...rest, ...(push && { taskPushNotificationConfig: config }) } };
        const down = wire(model.requestToV03('SendMessage', value));
        if (name === 'schema')
          expect(invalid('SendMessageRequest', { jsonrpc: '2.0', id: 1, method: 'message/send', params: down })).toEqual([]);
        const up = parseAs('SendMessageRequest', model.requestFromV03('SendMessage', down));
        const { returnImmediately, acceptedOutputModes = [], ...configuration } = value.configuration;
        const expected = {
          ...LOST.request(value),
          // 0.3 always states whether the call blocks, and which modes are accepted.
          configuration: { ...configuration, acceptedOutputModes, ...(returnImmediately === true && { returnImmediately }) },
        };
        expect(up).toEqual(parseAs('SendMessageRequest', carried(expected, name)));
      }),
      { numRuns: generatedCases(2_000) },
    );
  });

  test.each([
    ['CreateTaskPushNotificationConfig', { taskId: 't', id: 'c', url: 'https://x.test/hook', token: 'k' }],
    ['GetTaskPushNotificationConfig', { taskId: 't', id: 'c' }],
    ['ListTaskPushNotificationConfigs', { taskId: 't' }],
    ['DeleteTaskPushNotificationConfig', { taskId: 't', id: 'c' }],
    ['GetTask', { id: 't', historyLength: 3 }],
    ['CancelTask', { id: 't', metadata: { a: 1 } }],
    ['SubscribeToTask', { id: 't' }],
  ] as const)('D50: carries the request of %s', (method: MethodName, params) => {
    const down = wire(model.requestToV03(method, params as never)) as Members;
    // In HTTP+JSON, the ids are in the path.
    const onWire = name === 'schema' ? down : { ...down, ...params };
    expect(parseAs(METHODS[method].request, model.requestFromV03(method, onWire))).toEqual(params);
  });

  test.each([
    [
      'CreateTaskPushNotificationConfig',
      { taskId: 't', id: 'c', url: 'https://x.test/hook', authentication: { scheme: 'Bearer', credentials: 'x' } },
    ],
    ['ListTaskPushNotificationConfigs', { configs: [{ taskId: 't', id: 'c', url: 'https://x.test/hook' }] }],
    ['DeleteTaskPushNotificationConfig', {}],
  ] as const)('D50: carries the result of %s', (method, result) => {
    const down = wire(model.resultToV03(method, result));
    expect(findFaults(name, method, down)).toEqual([]);
    expect(readAs(METHODS[method].response, model.resultFromV03(method, down), method)).toEqual(result);
  });
});

test('D50: data that is not an object is wrapped as both official SDKs do it, and marked data is wrapped, too', () => {
  const parts = [{ data: [1] }, { data: null, metadata: { a: 1 } }, { data: { a: 1 }, metadata: { data_part_compat: true } }];
  const message = { messageId: 'm', role: 'ROLE_AGENT', parts };
  const down = SCHEMA.resultToV03('SendMessage', { message }) as { parts: unknown[] };
  expect(down.parts.slice(0, 2)).toEqual([
    { kind: 'data', data: { value: [1] }, metadata: { data_part_compat: true } },
    { kind: 'data', data: { value: null }, metadata: { a: 1, data_part_compat: true } },
  ]);
  const request = { message: { kind: 'message', role: 'agent', messageId: 'm', parts: wire(down.parts) } };
  expect(parseAs('SendMessageRequest', SCHEMA.requestFromV03('SendMessage', request)).message.parts).toEqual(parts);
});
