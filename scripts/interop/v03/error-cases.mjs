// Each error that the client of the official SDK 0.3.14 can report: its class or its code. Raw requests replace the client where it cannot
// send the request.
import assert from 'node:assert/strict';
import {
  AuthenticatedExtendedCardNotConfiguredError,
  ContentTypeNotSupportedError,
  createAuthenticatingFetchWithRetry,
  InvalidAgentResponseError,
  JsonRpcTransport,
  PushNotificationNotSupportedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from 'a2a-sdk-03/client';
import { REQUIRED_EXTENSION } from '../second-agent.mjs';
import { as, createFactory, sendForMessage, sendForTask, toParams } from './target.mjs';

/** @typedef {import('./target.mjs').Target} Target */

/**
 * Without `type`, the client has no class for the error.
 * @typedef {{ type?: new () => Error, code: number }} Expected
 */

/** @satisfies {Record<string, Expected>} */
const ERRORS = {
  taskNotFound: { type: TaskNotFoundError, code: -32001 },
  taskNotCancelable: { type: TaskNotCancelableError, code: -32002 },
  pushNotSupported: { type: PushNotificationNotSupportedError, code: -32003 },
  unsupportedOperation: { type: UnsupportedOperationError, code: -32004 },
  contentTypeNotSupported: { type: ContentTypeNotSupportedError, code: -32005 },
  invalidAgentResponse: { type: InvalidAgentResponseError, code: -32006 },
  extendedCardNotConfigured: { type: AuthenticatedExtendedCardNotConfiguredError, code: -32007 },
  extensionRequired: { code: -32008 },
  invalidParams: { code: -32602 },
  methodNotFound: { code: -32601 },
  parseError: { code: -32700 },
  authRequired: { code: -31001 },
  agentUnavailable: { code: -31005 },
};

const UNKNOWN = { id: 'no-such-task' };

/** @type {readonly { name: string, run: (target: Target) => Promise<void>, only?: Target['binding'] }[]} */
export const V03_ERROR_CASES = [
  {
    name: 'F51: -32001 task not found: get, cancel, send',
    run: async ({ demo }) => {
      await refused(demo.getTask(UNKNOWN), ERRORS.taskNotFound);
      await refused(demo.cancelTask(UNKNOWN), ERRORS.taskNotFound);
      await refused(sendForTask(demo, { text: 'data', taskId: UNKNOWN.id }), ERRORS.taskNotFound);
    },
  },
  {
    name: 'F51: -32001 at the start of a stream: resubscribe, stream',
    run: async ({ demo }) => {
      await refused(drain(demo.resubscribeTask(UNKNOWN)), ERRORS.taskNotFound);
      await refused(drain(demo.sendMessageStream(toParams({ text: 'data', taskId: UNKNOWN.id }))), ERRORS.taskNotFound);
    },
  },
  {
    name: 'F51: -32002 task not cancelable: a completed task',
    run: async ({ demo }) => {
      const { id } = await sendForTask(demo, { text: 'data' });
      await refused(demo.cancelTask({ id }), ERRORS.taskNotCancelable);
    },
  },
  {
    name: 'F51: -32003 push: set, get, list, delete, send',
    run: async ({ demo }) => {
      // The client itself refuses these calls after reading the card.
      const { transport } = demo;
      const { id } = await sendForTask(demo, { text: 'data' });
      const config = { id: 'one', url: 'https://example.com/hook' };
      const at = { id, pushNotificationConfigId: 'one' };
      await refused(transport.setTaskPushNotificationConfig({ taskId: id, pushNotificationConfig: config }), ERRORS.pushNotSupported);
      await refused(transport.getTaskPushNotificationConfig(at), ERRORS.pushNotSupported);
      await refused(transport.listTaskPushNotificationConfig({ id }), ERRORS.pushNotSupported);
      await refused(transport.deleteTaskPushNotificationConfig(at), ERRORS.pushNotSupported);
      const params = { ...toParams({ text: 'data' }), configuration: { pushNotificationConfig: config } };
      await refused(demo.sendMessage(params), ERRORS.pushNotSupported);
    },
  },
  {
    name: 'F51: -32004 a message to a task that has ended',
    run: async ({ demo }) => {
      const { id: taskId } = await sendForTask(demo, { text: 'data' });
      await refused(sendForTask(demo, { text: 'more', taskId }), ERRORS.unsupportedOperation);
      await refused(drain(demo.sendMessageStream(toParams({ text: 'more', taskId }))), ERRORS.unsupportedOperation);
    },
  },
  {
    name: 'F51: -32004 a stream from an agent without streaming',
    run: ({ second }) =>
      refused(drain(second.transport.sendMessageStream(toParams({ text: 'hello' }), as('known'))), ERRORS.unsupportedOperation),
  },
  {
    name: 'F51: -32004 the extended card of an agent without one',
    run: ({ demo }) => refused(demo.transport.getExtendedAgentCard(), ERRORS.unsupportedOperation),
  },
  {
    name: 'F51: -32005 a part with a type that the card does not list',
    run: ({ demo }) => {
      const file = { bytes: 'AAEC', name: 'song.mp3', mimeType: 'audio/mpeg' };
      return refused(sendForTask(demo, { parts: [{ kind: 'file', file }] }), ERRORS.contentTypeNotSupported);
    },
  },
  {
    name: 'F51: -32006 an agent that returns no result',
    run: ({ second }) => refused(second.sendMessage(toParams({ text: 'nothing' }), as('known')), ERRORS.invalidAgentResponse),
  },
  {
    name: 'F51: -32007 no extended card for this caller',
    run: ({ second }) => refused(second.transport.getExtendedAgentCard(as('stranger')), ERRORS.extendedCardNotConfigured),
  },
  {
    name: 'D50: -32008 the client did not activate the extension',
    run: ({ second }) => {
      const { authorization = '' } = as('known').serviceParameters ?? {};
      return refused(second.sendMessage(toParams({ text: 'hello' }), { serviceParameters: { authorization } }), ERRORS.extensionRequired);
    },
  },
  {
    name: 'F51: -32602 no parts, a task of another context',
    run: async ({ demo }) => {
      await refused(demo.sendMessage(toParams({ parts: [] })), ERRORS.invalidParams);
      const { id } = await sendForTask(demo, { text: 'question' });
      await refused(sendForTask(demo, { text: 'Oslo', taskId: id, contextId: 'another' }), ERRORS.invalidParams);
      await refused(demo.getTask({ id, historyLength: -1 }), ERRORS.invalidParams);
    },
  },
  {
    name: 'F51: -32601 method not found',
    run: async ({ demo, urls }) => {
      const { transport } = demo;
      if (transport instanceof JsonRpcTransport) return refused(transport.callExtensionMethod('dance/forMe', {}, 1), ERRORS.methodNotFound);
      assert.equal((await post(`${urls.demo}/v1/dance:forMe`, '{}')).code, ERRORS.methodNotFound.code);
    },
  },
  {
    name: 'D50: -32700 a body that is not JSON (raw)',
    run: async ({ binding, urls }) => {
      const error = binding === 'JSONRPC' ? (await post(urls.demo, '{')).error : await post(`${urls.demo}/v1/message:send`, '{');
      assert.equal(error.code, ERRORS.parseError.code);
    },
  },
  {
    name: 'D27: AUTH_REQUIRED: a caller without credentials',
    run: ({ second }) => refused(second.sendMessage(toParams({ text: 'hello' }), as(undefined)), ERRORS.authRequired),
  },
  {
    name: 'D50: a client that gets 401 repeats the call with credentials',
    run: async ({ binding, urls }) => {
      const authenticating = createAuthenticatingFetchWithRetry(fetch, {
        headers: async () => ({ 'X-A2A-Extensions': REQUIRED_EXTENSION }),
        shouldRetryWithHeaders: async (_request, { status }) => (status === 401 ? headersOf(as('known')) : undefined),
      });
      const client = await createFactory(binding, authenticating).createFromUrl(urls.second);
      const message = await sendForMessage(client, { text: 'hello' });
      assert.equal(message.role, 'agent');
    },
  },
  {
    name: 'D18: AGENT_UNAVAILABLE: thrown by the agent before the task exists',
    run: ({ demo }) => refused(demo.sendMessage(toParams({ text: 'busy' })), ERRORS.agentUnavailable),
  },
];

/**
 * @param {string} url
 * @param {string} body
 * @returns {Promise<any>} the body of the response
 */
async function post(url, body) {
  const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  return response.json();
}

/** @param {AsyncIterable<unknown>} stream */
async function drain(stream) {
  for await (const _event of stream);
}

/** @param {import('a2a-sdk-03/client').RequestOptions} options */
function headersOf({ serviceParameters }) {
  return { ...serviceParameters };
}

/**
 * Checks that the call fails with the expected class, if the client has one, and with the expected code.
 * @param {Promise<unknown>} call
 * @param {Expected} expected
 */
async function refused(call, { type, code }) {
  const thrown = await call.then(
    () => assert.fail(`expected ${type?.name ?? code}, but the call succeeded`),
    (error) => error,
  );
  // In a stream over JSON-RPC, the cause of the error is the error of the agent.
  const error = thrown.cause ?? thrown;
  if (type !== undefined) assert.ok(error instanceof type, `expected ${type.name}, got ${thrown}`);
  // Over HTTP+JSON, the class is all that the client tells, or the code is in its message.
  if ('errorResponse' in error) assert.equal(error.errorResponse.error.code, code);
  else if (type === undefined) assert.match(error.message, new RegExp(`\\(Code: ${code}\\)`));
}
