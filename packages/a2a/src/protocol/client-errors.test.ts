import { describe, expect, test } from 'vitest';
import { createAgent } from '../server/create-agent.js';
import { readRpcError } from '../wire/read-error.js';
import * as tree from './errors.js';
import {
  A2AActivationTimeoutError,
  A2ACardSignatureError,
  A2ACircuitOpenError,
  A2AClientToolsNotSupportedError,
  A2AError,
  A2AExtensionError,
  A2AIncompatibleProtocolVersionError,
  A2AInputRequiredError,
  A2AInputTimeoutError,
  A2AInvalidCardError,
  A2AReconnectError,
  A2ATaskAuthRequiredError,
  A2ATaskCanceledError,
  A2ATaskFailedError,
  A2ATaskRejectedError,
  A2ATaskTerminalError,
  A2ATransportError,
  ERRORS,
  type ErrorKind,
  type ErrorReason,
  isA2AError,
  isDownstreamError,
  isTerminalError,
  isTransportError,
} from './errors.js';
import type { Task } from './types.js';

const task: Task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_FAILED', timestamp: '2026-01-01T00:00:00Z' } };
const cause = new Error('why');
const more = { cause, chain: [], retryAfterMs: 5 };
const at = { url: 'http://a.test/', binding: 'GRPC', version: '2.0' };

interface Row {
  readonly error: A2AError;
  readonly reason: ErrorReason;
  readonly kind: ErrorKind;
  readonly parents?: readonly (abstract new (...args: never[]) => A2AError)[];
  readonly has?: object;
}

const ROWS: Readonly<Record<string, Row>> = {
  A2AError: { error: new A2AError('RATE_LIMITED', 'no', more), reason: 'RATE_LIMITED', kind: 'rpc' },
  A2ATransportError: {
    error: new A2ATransportError('timeout', 'no', { ...more, sent: true, phase: 'idle' }),
    reason: 'TASK_TIMEOUT',
    kind: 'timeout',
    has: { sent: true, phase: 'idle' },
  },
  A2AInvalidCardError: { error: new A2AInvalidCardError('no', more), reason: 'INVALID_AGENT_RESPONSE', kind: 'serialization' },
  A2ACardSignatureError: {
    error: new A2ACardSignatureError('fetched', 'no', more),
    reason: 'INVALID_AGENT_RESPONSE',
    kind: 'serialization',
    has: { source: 'fetched' },
  },
  A2AIncompatibleProtocolVersionError: {
    error: new A2AIncompatibleProtocolVersionError(at, more),
    reason: 'VERSION_NOT_SUPPORTED',
    kind: 'rpc',
    has: at,
  },
  A2AExtensionError: {
    error: new A2AExtensionError(['urn:x'], 'no', more),
    reason: 'EXTENSION_SUPPORT_REQUIRED',
    kind: 'rpc',
    has: { uris: ['urn:x'] },
  },
  A2AClientToolsNotSupportedError: {
    error: new A2AClientToolsNotSupportedError(['urn:x'], 'no', more),
    reason: 'EXTENSION_SUPPORT_REQUIRED',
    kind: 'rpc',
    parents: [A2AExtensionError],
    has: { uris: ['urn:x'] },
  },
  A2AReconnectError: {
    error: new A2AReconnectError({ attempts: 3, taskId: 't' }, 'no', more),
    reason: 'AGENT_UNAVAILABLE',
    kind: 'network',
    has: { attempts: 3, taskId: 't' },
  },
  A2ACircuitOpenError: { error: new A2ACircuitOpenError('no', more), reason: 'AGENT_UNAVAILABLE', kind: 'network' },
  A2AActivationTimeoutError: {
    error: new A2AActivationTimeoutError({ attempts: 3, elapsedMs: 9 }, 'no', more),
    reason: 'AGENT_UNAVAILABLE',
    kind: 'timeout',
    has: { attempts: 3, elapsedMs: 9 },
  },
  A2AInputRequiredError: {
    error: new A2AInputRequiredError({ task, prompt: 'and?' }, 'no', more),
    reason: 'INPUT_REQUIRED',
    kind: 'rpc',
    has: { task, prompt: 'and?' },
  },
  A2AInputTimeoutError: {
    error: new A2AInputTimeoutError({ task, prompt: 'and?' }, 'no', more),
    reason: 'INPUT_REQUIRED',
    kind: 'rpc',
    parents: [A2AInputRequiredError],
    has: { task, prompt: 'and?' },
  },
  A2ATaskTerminalError: {
    error: new A2ATaskTerminalError('INTERNAL_ERROR', task, 'no', more),
    reason: 'INTERNAL_ERROR',
    kind: 'rpc',
    has: { task, state: 'TASK_STATE_FAILED' },
  },
  A2ATaskFailedError: {
    error: new A2ATaskFailedError('INVALID_PARAMS', task, 'no', more),
    reason: 'INVALID_PARAMS',
    kind: 'rpc',
    parents: [A2ATaskTerminalError],
    has: { task },
  },
  A2ATaskRejectedError: {
    error: new A2ATaskRejectedError('UNSUPPORTED_OPERATION', task, 'no', more),
    reason: 'UNSUPPORTED_OPERATION',
    kind: 'rpc',
    parents: [A2ATaskTerminalError],
    has: { task },
  },
  A2ATaskCanceledError: {
    error: new A2ATaskCanceledError('ABORTED', task, 'no', more),
    reason: 'ABORTED',
    kind: 'rpc',
    parents: [A2ATaskTerminalError],
    has: { task },
  },
  A2ATaskAuthRequiredError: {
    error: new A2ATaskAuthRequiredError(task, 'no', { ...more, resume: () => 7 }),
    reason: 'AUTH_REQUIRED',
    kind: 'rpc',
    parents: [A2ATaskTerminalError],
    has: { task },
  },
};

describe('D36: the hierarchy of errors', () => {
  test('D36: the table below contains exactly the exported classes', () => {
    const classes = Object.entries(tree).filter(([, value]) => typeof value === 'function' && value.prototype instanceof Error);
    expect(classes.map(([name]) => name).sort()).toEqual(Object.keys(ROWS).sort());
  });

  test.each(Object.entries(ROWS))('D36: %s is an A2AError with name, reason, codes, cause and its own members', (name, row) => {
    const { error, reason, kind, parents = [], has = {} } = row;
    for (const parent of [Error, A2AError, ...parents]) expect(error).toBeInstanceOf(parent);
    expect(Object.prototype.toString.call(error)).toBe('[object Error]');
    expect(error).toMatchObject({
      name,
      reason,
      kind,
      code: ERRORS[reason].rpc,
      httpStatus: ERRORS[reason].http,
      status: ERRORS[reason].grpc,
    });
    expect(error).toMatchObject({ retryable: ERRORS[reason].retryable, retryAfterMs: 5, cause, chain: [], ...has });
    expect(error.details[0]).toMatchObject({ reason });
    expect(String(error)).toMatch(new RegExp(`^${name}: .`));
    expect(isA2AError(error)).toBe(true);
    expect(isTransportError(error)).toBe(name === 'A2ATransportError');
    expect(isTerminalError(error)).toBe(error instanceof A2ATaskTerminalError);
    expect(isDownstreamError(error), 'counts as a downstream error').toBe(name !== 'A2AError');
  });

  test('D36: guards check the brand, not the class or the shape', () => {
    const foreign = Object.defineProperty(Object.assign(new Error('no'), { name: 'A2ATransportError' }), Symbol.for('parley.a2a.error'), {
      value: true,
    });
    expect(isTransportError(foreign)).toBe(true);
    expect(isTransportError(Object.assign(new Error('no'), { name: 'A2ATransportError' }))).toBe(false);
    expect(isTerminalError({ name: 'A2ATaskFailedError' })).toBe(false);
    expect(isA2AError(Object.create(new A2AError('RATE_LIMITED', 'no'))), 'a brand is not inherited').toBe(false);
  });

  test('D36: after an authorization, resume continues the task', () => {
    const error = new A2ATaskAuthRequiredError(task, 'no', { resume: () => 'on' });
    expect(error.resume()).toBe('on');
    expect(error.state).toBe('TASK_STATE_FAILED');
  });
});

describe('A22: kinds', () => {
  const refusal = (): A2AError => {
    try {
      createAgent({ name: 'x' } as never);
    } catch (error) {
      return error as A2AError; // the next line reads it
    }
    return expect.fail('it was not refused');
  };

  test.each([
    ['network', new A2ATransportError('network', 'no', { sent: false }), 'AGENT_UNAVAILABLE'],
    ['timeout', new A2ATransportError('timeout', 'no', { sent: true }), 'TASK_TIMEOUT'],
    ['serialization', new A2ATransportError('serialization', 'no', { sent: true }), 'INVALID_AGENT_RESPONSE'],
    ['rpc', readRpcError({ code: -32001, message: 'no' }), 'TASK_NOT_FOUND'],
    ['rpc', readRpcError({ code: -32602, message: 'no' }), 'INVALID_PARAMS'],
    ['aborted', new A2AError('ABORTED', 'no'), 'ABORTED'],
    ['validation', refusal(), 'INVALID_PARAMS'],
    ['validation', new A2AError('INVALID_REQUEST', 'no'), 'INVALID_REQUEST'],
    ['validation', new A2AError('INVALID_PARAMS', 'no', { peer: 'the agent that was called' }), 'INVALID_PARAMS'],
  ] as const)('A22: %s', (kind, error, reason) => {
    expect(error).toBeInstanceOf(A2AError);
    expect(error).toMatchObject({ kind, reason });
  });
});
