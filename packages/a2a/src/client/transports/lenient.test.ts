import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findViolations } from '../../protocol/parse.js';
import type { AgentCard, MessageTypes } from '../../protocol/types.js';
import { readAs } from './read-response.js';

const read = <K extends keyof MessageTypes>(type: K, value: unknown): MessageTypes[K] => readAs(type, value, 'TheCall');

/** The result must pass the strict schema, which is stricter only about sizes. */
function readStrict<K extends keyof MessageTypes>(type: K, value: unknown): MessageTypes[K] {
  const result = read(type, value);
  expect(findViolations(type, result)).toEqual([]);
  return result;
}

const part = { text: 'hi' };
const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [part] };
const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };
const statusUpdate = { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } };
const artifactUpdate = { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [part] } };

test('a valid value is returned unchanged', () => {
  expect(read('Task', task)).toBe(task);
});

describe('U5: other ways to write ProtoJSON', () => {
  test('U5: names of the .proto file and numbers for enums', () => {
    const given = {
      id: 't',
      context_id: 'c',
      status: { state: 3, message: { message_id: 'm', role: 2, parts: [{ text: 'x', media_type: 'text/plain' }] } },
    };
    expect(readStrict('Task', given)).toEqual({
      id: 't',
      contextId: 'c',
      status: {
        state: 'TASK_STATE_COMPLETED',
        message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'x', mediaType: 'text/plain' }] },
      },
    });
  });

  test('U5: metadata, data, params and scopes stay unchanged', () => {
    const inside = { task_state: 'TASK_STATE_X', role: 'user', kind: 'task', $case: 'x', value: 1, nothing: null };
    const given = { ...task, metadata: inside, history: [{ ...message, role: 'agent', parts: [{ kind: 'data', data: inside }] }] };
    const result = readStrict('Task', given);
    expect(result.metadata).toEqual(inside);
    expect(result.history?.[0]?.parts[0]?.data).toEqual(inside);
    const scopes = { read_all: 'x', $case: 'y' };
    const flows = { clientCredentials: { token_url: 'https://x', scopes } };
    const card = read('AgentCard', {
      name: 'a',
      securitySchemes: { o: { oauth2SecurityScheme: { flows } } },
      capabilities: { extensions: [{ uri: 'urn:x', params: inside }] },
    });
    expect(card.securitySchemes?.o?.oauth2SecurityScheme?.flows.clientCredentials?.scopes).toEqual(scopes);
    expect(card.capabilities.extensions?.[0]?.params).toEqual(inside);
  });

  test('U5: null is a value of `data`, also in a message whose other members are in another form', () => {
    const given = { ...message, role: 'agent', parts: [{ data: null }, { text: 'x' }] };
    expect(readStrict('Message', given).parts).toEqual([{ data: null }, { text: 'x' }]);
  });

  test('U5: a content array becomes the parts, and wins over them', () => {
    expect(readStrict('Message', { ...message, content: [{ text: 'this' }] }).parts).toEqual([{ text: 'this' }]);
    expect(readStrict('Message', { messageId: 'm', role: 'agent', content: [{ text: 'this' }] }).parts).toEqual([{ text: 'this' }]);
  });

  test('unknown members are dropped', () => {
    expect(readStrict('Task', { ...task, kind: 'task', novelty: 1 })).toEqual(task);
  });
});

describe('U7: the previous version', () => {
  test.each([
    ['submitted', 'TASK_STATE_SUBMITTED'],
    ['working', 'TASK_STATE_WORKING'],
    ['input-required', 'TASK_STATE_INPUT_REQUIRED'],
    ['auth-required', 'TASK_STATE_AUTH_REQUIRED'],
    ['INPUT_REQUIRED', 'TASK_STATE_INPUT_REQUIRED'],
    ['completed', 'TASK_STATE_COMPLETED'],
    ['canceled', 'TASK_STATE_CANCELED'],
    ['cancelled', 'TASK_STATE_CANCELED'],
    ['TASK_STATE_CANCELLED', 'TASK_STATE_CANCELED'],
    ['failed', 'TASK_STATE_FAILED'],
    ['rejected', 'TASK_STATE_REJECTED'],
    ['unknown', 'TASK_STATE_UNSPECIFIED'],
  ])('U7: the state %s', (state, expected) => {
    expect(read('Task', { ...task, status: { state } }).status.state).toBe(expected);
  });

  const oldMessage = { kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: 'hi' }] };
  test.each<[string, object, object]>([
    ['task', { kind: 'task', ...task, history: [oldMessage] }, { task: { ...task, history: [message] } }],
    ['message', oldMessage, { message }],
    ['status-update', { kind: 'status-update', ...statusUpdate, status: { state: 'completed' }, final: true }, { statusUpdate }],
    ['artifact-update', { kind: 'artifact-update', ...artifactUpdate }, { artifactUpdate }],
    ['task without its tag', { ...task, status: { state: 'working' } }, { task }],
    ['message without its tag', { ...oldMessage, kind: undefined }, { message }],
    ['status update without its tag', statusUpdate, { statusUpdate }],
    ['artifact update without its tag', artifactUpdate, { artifactUpdate }],
    ['message called msg', { msg: { ...message, content: [part], parts: undefined } }, { message }],
    ['message that is tagged and wrapped', { kind: 'message', message }, { message }],
    ['object of the JavaScript SDK', { payload: { $case: 'statusUpdate', value: statusUpdate } }, { statusUpdate }],
  ])('U7: a flat %s', (_name, given, expected) => {
    expect(readStrict('StreamResponse', given)).toEqual(expected);
  });

  test.each<[object, object]>([
    [
      { kind: 'file', file: { uri: 'https://x/a', name: 'a.txt', mimeType: 'text/plain' } },
      { url: 'https://x/a', filename: 'a.txt', mediaType: 'text/plain' },
    ],
    [
      { kind: 'file', file: { bytes: 'aGk', mimeType: 'text/plain' } },
      { raw: 'aGk=', mediaType: 'text/plain' },
    ],
    [{ file: { fileWithUri: 'https://x/a', mime_type: 'text/plain' } }, { url: 'https://x/a', mediaType: 'text/plain' }],
    [
      { file: { file_with_bytes: 'aGk=' }, metadata: { a: 1 } },
      { raw: 'aGk=', metadata: { a: 1 } },
    ],
    [{ kind: 'data', data: { a: 1 } }, { data: { a: 1 } }],
    [
      { kind: 'data', data: { value: [1] }, metadata: { data_part_compat: true, b: 2 } },
      { data: [1], metadata: { b: 2 } },
    ],
    [{ content: { $case: 'text', value: 'hi' }, filename: '' }, { text: 'hi' }],
    [{ text: 'hi', raw: '', url: '' }, { text: 'hi' }],
    [{ kind: 'video', frames: 3 }, { data: { kind: 'video', frames: 3 } }],
    [{ kind: 'text' }, { text: '' }],
    [{ data: null }, { data: null }],
  ])('U7: the part %j', (given, expected) => {
    expect(readStrict('Part', given)).toEqual(expected);
  });

  test('U7: push configurations, one and a bare list of them', () => {
    const old = {
      taskId: 't',
      pushNotificationConfig: { id: 'c', url: 'https://x', authentication: { schemes: ['Bearer'], credentials: 's' } },
    };
    const config = { id: 'c', taskId: 't', url: 'https://x', authentication: { scheme: 'Bearer', credentials: 's' } };
    expect(readStrict('TaskPushNotificationConfig', old)).toEqual(config);
    expect(readStrict('ListTaskPushNotificationConfigsResponse', [old])).toEqual({ configs: [config] });
  });

  test('a task in a wrapper where it should be bare', () => {
    expect(readStrict('Task', { task })).toEqual(task);
  });
});

describe('times', () => {
  test.each([
    ['2026-01-01T02:00:00.123456+02:00', '2026-01-01T00:00:00.123456Z'],
    ['2026-01-01T00:00:00', '2026-01-01T00:00:00Z'],
    ['2026-01-01 00:00:00.5', '2026-01-01T00:00:00.5Z'],
    ['yesterday', undefined],
  ])('%s', (timestamp, expected) => {
    expect(readStrict('TaskStatus', { state: 'working', timestamp }).timestamp).toBe(expected);
  });
});

describe('U8: omitted members have their default', () => {
  test('U8: lists and strings of a card', () => {
    expect(read('AgentCard', { name: 'a', description: null, skills: [{ id: 's' }] })).toEqual<AgentCard>({
      name: 'a',
      description: '',
      version: '',
      supportedInterfaces: [],
      capabilities: {},
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [{ id: 's', name: '', description: '', tags: [] }],
    });
  });

  test('U8: the state of a task, and the numbers of a list', () => {
    expect(read('Task', { id: 't', kind: 'task' })).toEqual({ id: 't', status: { state: 'TASK_STATE_UNSPECIFIED' } });
    expect(readStrict('ListTasksResponse', {})).toEqual({ tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 });
  });

  test.each<[keyof MessageTypes, object, string]>([
    ['AgentCard', { name: 7 }, 'name must be a string'],
    ['AgentCard', { name: '' }, 'name must not be empty'],
    ['AgentCard', {}, 'name is missing'],
    ['AgentCard', { name: 'a', skills: {} }, 'skills must be a list'],
    ['AgentCard', { name: 'a', skills: [7] }, 'skills[0] must be an object'],
    ['AgentCard', { name: 'a', description: 7 }, 'description must be a string'],
    ['AgentCard', { name: 'a', capabilities: { streaming: 'yes' } }, 'capabilities.streaming must be a boolean'],
    ['AgentCard', { name: 'a', securitySchemes: [] }, 'securitySchemes must be an object'],
    ['AgentCard', { name: 'a', capabilities: { extensions: [{ params: 1 }] } }, 'capabilities.extensions[0].params must be an object'],
    ['Task', { ...task, contextId: 7 }, 'contextId must be a string'],
    ['ListTasksResponse', { tasks: 'none' }, 'tasks must be a list'],
    ['ListTasksResponse', { totalSize: 'many' }, 'totalSize must be a number'],
  ])('U8: a %s %j is refused', (type, value, words) => {
    expect(() => read(type, value)).toThrow(`The response to TheCall is not a valid ${type}: ${words}`);
  });
});

describe('U9: an invalid response is refused with a message that names the operation', () => {
  test.each<[keyof MessageTypes, unknown, string]>([
    ['Task', { ...task, id: '' }, 'id must not be empty'],
    ['Task', { status: task.status }, 'id is missing'],
    ['Task', { ...task, status: { state: 'TASK_STATE_DREAMING' } }, 'status.state is "TASK_STATE_DREAMING", which is unknown'],
    ['Task', { ...task, status: { state: 99 } }, 'status.state must be a name'],
    ['Task', { ...task, status: 'working' }, 'status must be an object'],
    ['Task', { ...task, history: [{ ...message, role: 'narrator' }] }, 'history[0].role is "narrator"'],
    ['Task', null, 'it must be an object'],
    ['Task', [], 'it must be an object'],
    ['Task', 'text', 'it must be an object'],
    ['Message', { ...message, messageId: undefined }, 'messageId is missing'],
    ['Message', { ...message, messageId: '' }, 'messageId must not be empty'],
    ['Message', { ...message, role: undefined }, 'role is missing'],
    ['Message', { ...message, parts: undefined }, 'parts is missing'],
    ['Message', { ...message, parts: 'hi' }, 'parts must be a list'],
    ['Message', { ...message, parts: ['hi'] }, 'parts[0] must be an object'],
    ['Message', { ...message, parts: [{ text: 7 }] }, 'parts[0].text must be a string'],
    ['SendMessageResponse', {}, 'it contains none of task, message'],
    ['SendMessageResponse', { ok: true }, 'it contains none of task, message'],
    ['StreamResponse', { statusUpdate: { status: task.status } }, 'statusUpdate.taskId is missing'],
    ['StreamResponse', { artifactUpdate: { taskId: 't' } }, 'artifactUpdate.artifact is missing'],
  ])('U9: %s %j', (type, value, words) => {
    expect(() => read(type, value)).toThrow(words);
    expect(() => read(type, value)).toThrow(expect.objectContaining({ name: 'A2ATransportError', kind: 'serialization', sent: true }));
    expect(() => read(type, value)).toThrow('TheCall');
  });

  test('U9: every response is either read or refused with an A2AError, and a read one has its members', () => {
    const names = fc.constantFrom(
      'id',
      'kind',
      'status',
      'state',
      'parts',
      'messageId',
      'role',
      'task',
      'message',
      'content',
      'file',
      'payload',
      '$case',
      'value',
      'artifact',
      'taskId',
      '__proto__',
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'medium' },
        fc.jsonValue(),
        fc.constantFrom('t', 'task', 'working', 'user', ''),
        tie('object'),
        fc.array(tie('any'), { maxLength: 3 }),
      ),
      object: fc.dictionary(names, tie('any'), { maxKeys: 5 }),
    })).any;
    fc.assert(
      fc.property(
        value,
        fc.constantFrom<keyof MessageTypes>('Task', 'Message', 'StreamResponse', 'SendMessageResponse', 'AgentCard', 'ListTasksResponse'),
        (given, type) => {
          try {
            const result = read(type, structuredClone(given));
            if (type === 'Task') expect(result).toMatchObject({ id: expect.stringMatching(/./s), status: { state: expect.any(String) } });
            if (type === 'Message') expect(result).toMatchObject({ messageId: expect.any(String), parts: expect.any(Array) });
          } catch (error) {
            expect(error).toMatchObject({ name: 'A2ATransportError', kind: 'serialization' });
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('limits of our servers do not apply here: long ids, many parts', () => {
    const long = { ...task, id: 'x'.repeat(500), history: [{ ...message, parts: Array.from({ length: 150 }, () => part) }] };
    expect(read('Task', long)).toEqual(long);
  });
});

describe('foreign cards', () => {
  test('the objects of the JavaScript SDK', () => {
    const card = read('AgentCard', {
      name: 'a',
      securitySchemes: {
        bearer: { scheme: { $case: 'httpAuthSecurityScheme', value: { scheme: 'bearer', description: '' } } },
        oauth: {
          scheme: {
            $case: 'oauth2SecurityScheme',
            value: { flows: { flow: { $case: 'clientCredentials', value: { tokenUrl: 'https://x', scopes: {} } } } },
          },
        },
      },
    });
    expect(card.securitySchemes).toEqual({
      bearer: { httpAuthSecurityScheme: { scheme: 'bearer' } },
      oauth: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: 'https://x', scopes: {} } } } },
    });
  });

  test('version 0.3 keeps its version', () => {
    const card = read('AgentCard', {
      name: 'old',
      url: 'https://x/rpc',
      protocolVersion: '0.3.0',
      additionalInterfaces: [
        { url: 'https://x/rpc', transport: 'JSONRPC' },
        { url: 'https://x/rest', transport: 'HTTP+JSON' },
      ],
      supportsAuthenticatedExtendedCard: true,
      capabilities: { streaming: true, stateTransitionHistory: true },
      security: [{ key: [], oauth: ['read'] }],
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-Key' },
        basic: { type: 'http', scheme: 'basic' },
        odd: { type: 'smoke' },
      },
    });
    expect(card).toMatchObject({
      supportedInterfaces: [
        { url: 'https://x/rpc', protocolBinding: 'JSONRPC', protocolVersion: '0.3.0' },
        { url: 'https://x/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '0.3.0' },
      ],
      capabilities: { streaming: true, extendedAgentCard: true },
      securityRequirements: [{ schemes: { key: { list: [] }, oauth: { list: ['read'] } } }],
      securitySchemes: {
        key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } },
        basic: { httpAuthSecurityScheme: { scheme: 'basic' } },
        odd: {},
      },
    });
  });

  test('in a card of both versions 1.0 wins', () => {
    const supportedInterfaces = [{ url: 'https://x/new', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
    expect(read('AgentCard', { name: 'a', url: 'https://x/old', supportedInterfaces }).supportedInterfaces).toEqual(supportedInterfaces);
  });
});
