import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyStrictMessage, dice, messageNames, sortedJson } from '../../test/arbitraries.js';
import { A2AError } from './errors.js';
import type { FieldRow } from './field-table.js';
import { ENUMS, FIELDS } from './generated/fields.js';
import { isValid, NESTING_LIMIT, parseAs } from './parse.js';
import type { MessageTypes } from './types.js';

const message = (parts: unknown, more: object = {}) => ({ message: { messageId: 'm', role: 'ROLE_USER', parts, ...more } });
const send = (parts: unknown, more: object = {}) => parseAs('SendMessageRequest', message(parts, more));

function faultsOf(type: keyof MessageTypes, value: unknown): readonly (readonly [string, string])[] {
  try {
    parseAs(type, value);
  } catch (thrown) {
    if (!(thrown instanceof A2AError)) throw thrown;
    expect(thrown).toMatchObject({ reason: 'INVALID_PARAMS', code: -32602 });
    return thrown.violations.map(({ field, description }) => [field, description]);
  }
  return [];
}

describe('D24: every spelling of a message', () => {
  test('D24: every strict message of every type is returned as the same object', () => {
    fc.assert(
      fc.property(anyStrictMessage, ({ type, value }) => {
        expect(isValid(type, value)).toBe(true);
        expect(parseAs(type, value)).toBe(value);
      }),
      { numRuns: 1000 },
    );
  });

  test('D24: every non-strict spelling of a message is parsed to the strict one', () => {
    fc.assert(
      fc.property(anyStrictMessage, ({ type, value, numbers }) => {
        const sloppy = toSloppy(type, value, dice(numbers));
        const before = JSON.stringify(sloppy);
        expect(sortedJson(parseAs(type, sloppy))).toBe(sortedJson(value));
        expect(JSON.stringify(sloppy)).toBe(before);
      }),
      { numRuns: 1000 },
    );
  });

  test('D24: any value is either parsed or refused as INVALID_PARAMS', () => {
    fc.assert(
      fc.property(fc.constantFrom(...messageNames), fc.anything({ withNullPrototype: true }), (type, value) => {
        faultsOf(type, value);
      }),
    );
  });
});

describe('D24: lenient parsing', () => {
  test('D24: unknown members are dropped at every level', () => {
    expect(send([{ text: 'hi', kind: 'text' }], { kind: 'message' })).toEqual(message([{ text: 'hi' }]));
  });

  test('D24: metadata, data and params stay unchanged, including unknown names and nulls', () => {
    const free = { message_id: null, nested: [{ task_id: 1, x: null }] };
    const parsed = parseAs('SendMessageRequest', { ...message([{ data: free, junk: 1 }]), metadata: free });
    expect(parsed).toEqual({ ...message([{ data: free }]), metadata: free });
  });

  test('D24: null means absent, except in data', () => {
    expect(send([{ text: null, data: null, filename: null }], { contextId: null, metadata: null })).toEqual(message([{ data: null }]));
    expect(send([{ data: null }])).toEqual(message([{ data: null }]));
  });

  test('D24: camelCase takes precedence over snake_case', () => {
    expect(parseAs('SendMessageRequest', { message: { message_id: 'old', messageId: 'new', role: 1, parts: [{ text: '' }] } })).toEqual({
      message: { messageId: 'new', role: 'ROLE_USER', parts: [{ text: '' }] },
    });
  });

  test('D24: the empty string of an optional member counts as absent', () => {
    expect(parseAs('ListTasksRequest', { tenant: '', contextId: '', pageToken: '', status: 0 })).toEqual({});
    expect(parseAs('ListTasksRequest', { status: 'TASK_STATE_UNSPECIFIED' })).toEqual({});
    expect(parseAs('ListTasksResponse', { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 })).toMatchObject({ nextPageToken: '' });
  });

  test.each([
    ['2025-01-31T12:00:00+02:00', '2025-01-31T10:00:00Z'],
    ['2025-01-31T12:00:00.123456789-01:30', '2025-01-31T13:30:00.123456789Z'],
    ['2025-01-31t12:00:00.5z', '2025-01-31T12:00:00.5Z'],
  ])('D24: the time %s becomes %s', (given, wanted) => {
    expect(parseAs('ListTasksRequest', { statusTimestampAfter: given })).toEqual({ statusTimestampAfter: wanted });
  });

  test.each([
    'yesterday',
    '2025-01-31',
    '2025-02-31T25:00:00Z',
    '2025-01-31T12:00:00',
    '2025-01-31T12:00:00.0123456789Z',
    '2025-13-01T00:00:00+01:00',
    '',
  ])('the time %j is refused', (statusTimestampAfter) => {
    expect(faultsOf('ListTasksRequest', { statusTimestampAfter })).toEqual([
      ['statusTimestampAfter', 'must be an RFC 3339 time such as 2025-01-31T12:00:00.000Z'],
    ]);
  });

  test.each([
    ['-_8', '+/8='],
    ['QQ', 'QQ=='],
    ['QUI', 'QUI='],
    ['', ''],
  ])('D24: the bytes %j become %j', (given, wanted) => {
    expect(send([{ raw: given }])).toEqual(message([{ raw: wanted }]));
  });

  test.each(['Q', 'QQ=', '*', 'QUJDR', 'QQ==QQ=='])('the bytes %j are refused', (raw) => {
    expect(faultsOf('SendMessageRequest', message([{ raw }]))).toEqual([['message.parts[0].raw', 'must be base64']]);
  });

  test('__proto__ and constructor keys never reach a prototype', () => {
    const hostile = JSON.parse(
      '{"__proto__":{"messageId":"evil"},"constructor":1,"message":{"__proto__":{"role":"ROLE_USER"},"parts":[{"text":"x"}]}}',
    );
    expect(faultsOf('SendMessageRequest', hostile).map(([field]) => field)).toEqual(['message.messageId', 'message.role']);
    const metadata = JSON.parse('{"__proto__":{"polluted":true}}');
    const parsed = parseAs('SendMessageRequest', { ...message([{ text: 'x' }]), metadata, junk: 1 });
    expect(JSON.stringify(parsed.metadata)).toBe('{"__proto__":{"polluted":true}}');
    const schemes = JSON.parse('{"__proto__":{"http_auth_security_scheme":{"scheme":"Bearer"}}}');
    const card = parseAs('AgentCard', { ...cardWith({}), securitySchemes: schemes });
    expect(JSON.stringify(card.securitySchemes)).toBe('{"__proto__":{"httpAuthSecurityScheme":{"scheme":"Bearer"}}}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('B2: refused as invalid parameters, with the invalid members', () => {
  const cases: readonly (readonly [string, keyof MessageTypes, unknown, readonly (readonly [string, string])[]])[] = [
    ['not an object', 'SendMessageRequest', [], [['', 'must be an object']]],
    ['no message', 'SendMessageRequest', {}, [['message', 'is required']]],
    [
      'an empty message',
      'SendMessageRequest',
      { message: {} },
      [
        ['message.messageId', 'is required'],
        ['message.role', 'is required'],
        ['message.parts', 'is required'],
      ],
    ],
    ['no parts', 'SendMessageRequest', message([]), [['message.parts', 'must have at least one element']]],
    [
      'an invalid role',
      'SendMessageRequest',
      message([{ text: 'x' }], { role: 'user' }),
      [['message.role', 'must be one of ROLE_USER, ROLE_AGENT']],
    ],
    [
      'an unspecified role',
      'SendMessageRequest',
      message([{ text: 'x' }], { role: 0 }),
      [['message.role', 'must be one of ROLE_USER, ROLE_AGENT']],
    ],
    ['an unknown role number', 'SendMessageRequest', message([{ text: 'x' }], { role: 9 }), [['message.role', 'must be a string']]],
    ['an empty id', 'SendMessageRequest', message([{ text: 'x' }], { messageId: '' }), [['message.messageId', 'must not be empty']]],
    [
      'two contents',
      'SendMessageRequest',
      message([{ text: 'x', url: 'y' }]),
      [['message.parts[0]', 'must have exactly one of text, raw, url, data']],
    ],
    [
      'null and text',
      'SendMessageRequest',
      message([{ text: 'x', data: null }]),
      [['message.parts[0]', 'must have exactly one of text, raw, url, data']],
    ],
    [
      'no content',
      'SendMessageRequest',
      message([{ text: 'x' }, {}]),
      [['message.parts[1]', 'must have exactly one of text, raw, url, data']],
    ],
    ['a number as text', 'SendMessageRequest', message([{ text: 5 }]), [['message.parts[0].text', 'must be a string']]],
    ['null as a part', 'SendMessageRequest', message([null]), [['message.parts[0]', 'must be an object']]],
    ['parts as an object', 'SendMessageRequest', message({}), [['message.parts', 'must be an array']]],
    ['metadata as a list', 'SendMessageRequest', { ...message([{ text: 'x' }]), metadata: [] }, [['metadata', 'must be an object']]],
    ['a negative history', 'GetTaskRequest', { id: 't', historyLength: -1 }, [['historyLength', 'must be at least 0']]],
    ['half a message', 'GetTaskRequest', { id: 't', historyLength: 1.5 }, [['historyLength', 'must be a whole number']]],
    ['too much history', 'GetTaskRequest', { id: 't', historyLength: 2 ** 31 }, [['historyLength', 'must be at most 2147483647']]],
    ['page size 0', 'ListTasksRequest', { pageSize: 0 }, [['pageSize', 'must be at least 1']]],
    ['page size 101', 'ListTasksRequest', { pageSize: '101' }, [['pageSize', 'must be at most 100']]],
    ['an empty stream event', 'StreamResponse', {}, [['', 'must have exactly one of task, message, statusUpdate, artifactUpdate']]],
    ['a text for a flag', 'ListTasksRequest', { includeArtifacts: 'yes' }, [['includeArtifacts', 'must be true or false']]],
    [
      'a scheme without its members',
      'AgentCard',
      cardWith({ securitySchemes: { 'a/b': { apiKeySecurityScheme: {} } } }),
      [
        ['securitySchemes.a/b.apiKeySecurityScheme.location', 'is required'],
        ['securitySchemes.a/b.apiKeySecurityScheme.name', 'is required'],
      ],
    ],
    ['no interfaces', 'AgentCard', cardWith({ supportedInterfaces: [] }), [['supportedInterfaces', 'must have at least one element']]],
  ];

  test.each(cases)('B2: %s', (_name, type, value, wanted) => {
    expect(faultsOf(type, value)).toEqual(wanted);
  });

  test('the message of the error is one line', () => {
    expect(() => send([])).toThrow('Invalid parameters: message.parts must have at least one element');
    expect(() => parseAs('GetTaskRequest', 5)).toThrow('Invalid parameters: GetTaskRequest must be an object');
  });

  test('an agent card may have no skills, and a page no tasks', () => {
    expect(faultsOf('AgentCard', cardWith({ skills: [] }))).toEqual([]);
    expect(faultsOf('ListTasksResponse', { tasks: [], nextPageToken: '', pageSize: 1, totalSize: 0 })).toEqual([]);
  });
});

describe('D21: limits, at n and n + 1', () => {
  test('D21: ids have at most 256 characters', () => {
    expect(faultsOf('GetTaskRequest', { id: 'x'.repeat(256) })).toEqual([]);
    expect(faultsOf('GetTaskRequest', { id: 'x'.repeat(257) })).toEqual([['id', 'must have at most 256 characters']]);
  });

  test('D21: messages have at most 100 parts', () => {
    const parts = (count: number) => Array.from({ length: count }, () => ({ text: 'x' }));
    expect(faultsOf('SendMessageRequest', message(parts(100)))).toEqual([]);
    expect(faultsOf('SendMessageRequest', message(parts(101)))).toEqual([['message.parts', 'must have at most 100 elements']]);
  });

  test('D21: free-form values have at most 64 levels, and hostile depth does not overflow the stack', () => {
    const wanted = [['message.parts[0].data', 'must not be nested more than 64 levels deep']];
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const nested = (levels: number) => JSON.parse(`${open.repeat(levels)}1${close.repeat(levels)}`);
      expect(faultsOf('SendMessageRequest', message([{ data: nested(NESTING_LIMIT) }]))).toEqual([]);
      expect(faultsOf('SendMessageRequest', message([{ data: nested(NESTING_LIMIT + 1) }]))).toEqual(wanted);
      expect(faultsOf('SendMessageRequest', message([{ data: nested(10_000) }]))).toEqual(wanted);
      expect(faultsOf('SendMessageRequest', message([{ text: 'x', unknown: nested(10_000) }]))).toEqual([]);
      expect(faultsOf('SendMessageRequest', nested(10_000))).toHaveLength(1);
    }
  });

  test('megabytes of base64 are checked in linear time', () => {
    const check = (raw: string): void => {
      expect(faultsOf('SendMessageRequest', message([{ raw }]))).toEqual([]);
      expect(faultsOf('SendMessageRequest', message([{ raw: `${raw.slice(1)}!` }]))).toHaveLength(1);
      expect(faultsOf('SendMessageRequest', message([{ raw: `${raw}====` }]))).toHaveLength(1);
    };
    /** The shortest of several times: a busy machine makes single ones longer. */
    const timeOf = (megabytes: number): number => {
      const raw = 'QUJD'.repeat((megabytes * 1024 * 1024) / 4);
      const times = [1, 2, 3, 4].map(() => {
        const started = performance.now();
        check(raw);
        return performance.now() - started;
      });
      return Math.min(...times);
    };
    // Linear time gives 8, quadratic time gives 64.
    expect(timeOf(4) / timeOf(0.5)).toBeLessThan(32);
  });
});

function cardWith(members: object): object {
  return {
    name: 'n',
    description: 'd',
    version: '1',
    supportedInterfaces: [{ url: 'http://localhost', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 's', name: 's', description: 's', tags: ['s'] }],
    ...members,
  };
}

/** The same message as a careless but legal sender would write it. */
function toSloppy(type: keyof MessageTypes, value: unknown, roll: () => number): unknown {
  const members = value as Readonly<Record<string, unknown>>;
  const result: Record<string, unknown> = roll() % 2 ? { unknownMember: { deep: [1] }, Constructor: null } : {};
  for (const row of FIELDS[type]) {
    const given = members[row.json];
    if (given === undefined && (row.kind === 'value' || roll() % 2)) continue;
    result[row.proto !== undefined && roll() % 2 ? row.proto : row.json] = given === undefined ? null : sloppyMember(row, given, roll);
  }
  return result;
}

function sloppyMember(row: FieldRow, value: unknown, roll: () => number): unknown {
  if (row.list) return (value as unknown[]).map((item) => sloppyValue(row, item, roll));
  if (row.map) return Object.fromEntries(Object.entries(value as object).map(([key, item]) => [key, sloppyValue(row, item, roll)]));
  return sloppyValue(row, value, roll);
}

function sloppyValue(row: FieldRow, value: unknown, roll: () => number): unknown {
  if (row.kind === 'message') return toSloppy(row.type as keyof MessageTypes, value, roll);
  if (roll() % 2) return value;
  if (row.kind === 'enum') return ENUMS[row.type ?? '']?.indexOf(String(value));
  if (row.kind === 'int32') return String(value);
  if (row.kind === 'bytes') return String(value).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  if (row.kind === 'timestamp') return String(value).replace('Z', '+00:00');
  return value;
}
