// Each error that the official client can report: its class, and its code or status in the binding. Raw requests replace the client where
// it cannot send the request.
import assert from 'node:assert/strict';
import {
  ContentTypeNotSupportedError,
  ExtendedAgentCardNotConfiguredError,
  ExtensionSupportRequiredError,
  InvalidAgentResponseError,
  isJsonRpcError,
  isRestError,
  PushNotificationNotSupportedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
  VersionNotSupportedError,
} from '@a2a-js/sdk/errors';
import { as, cancelTask, collect, getTask, listTasks, sendForTask, toRequest, unchecked } from './target.mjs';

/** @typedef {import('./target.mjs').Target} Target */

/**
 * How the official client reports an error, in JSON-RPC and in HTTP+JSON. Without `type`, the client has no class for the error.
 * @typedef {{ type?: new () => Error, code: number, status: number }} Expected
 */

/** @satisfies {Record<string, Expected>} */
const ERRORS = {
  taskNotFound: { type: TaskNotFoundError, code: -32001, status: 404 },
  taskNotCancelable: { type: TaskNotCancelableError, code: -32002, status: 400 },
  pushNotSupported: { type: PushNotificationNotSupportedError, code: -32003, status: 400 },
  unsupportedOperation: { type: UnsupportedOperationError, code: -32004, status: 400 },
  contentTypeNotSupported: { type: ContentTypeNotSupportedError, code: -32005, status: 400 },
  invalidAgentResponse: { type: InvalidAgentResponseError, code: -32006, status: 500 },
  extendedCardNotConfigured: { type: ExtendedAgentCardNotConfiguredError, code: -32007, status: 400 },
  extensionRequired: { type: ExtensionSupportRequiredError, code: -32008, status: 400 },
  versionNotSupported: { type: VersionNotSupportedError, code: -32009, status: 400 },
  invalidParams: { code: -32602, status: 400 },
  methodNotFound: { code: -32601, status: 404 },
  authRequired: { code: -31001, status: 401 },
  agentUnavailable: { code: -31005, status: 503 },
};

const UNKNOWN_TASK = { tenant: '', id: 'no-such-task' };

/** @type {readonly { name: string, run: (target: Target) => Promise<void> }[]} */
export const ERROR_CASES = [
  {
    name: 'P44: TaskNotFound: get, cancel, subscribe, send',
    run: async ({ demo }) => {
      await refused(getTask(demo, UNKNOWN_TASK.id), ERRORS.taskNotFound);
      await refused(cancelTask(demo, UNKNOWN_TASK.id), ERRORS.taskNotFound);
      await refused(collect(demo.resubscribeTask(UNKNOWN_TASK)), ERRORS.taskNotFound);
      await refused(sendForTask(demo, { text: 'data', taskId: UNKNOWN_TASK.id }), ERRORS.taskNotFound);
      await refused(collect(demo.sendMessageStream(toRequest({ text: 'data', taskId: UNKNOWN_TASK.id }))), ERRORS.taskNotFound);
    },
  },
  {
    name: 'P36: TaskNotCancelable: a completed task',
    run: async ({ demo }) => {
      const { id } = await sendForTask(demo, { text: 'data' });
      await refused(cancelTask(demo, id), ERRORS.taskNotCancelable);
    },
  },
  {
    name: 'P48: PushNotificationNotSupported: create, get, list, delete, send',
    run: async ({ demo }) => {
      const { transport } = demo;
      const { id: taskId } = await sendForTask(demo, { text: 'data' });
      const config = { tenant: '', taskId, id: 'one', url: 'https://example.com/hook', token: '', authentication: undefined };
      const at = { tenant: '', taskId, id: 'one' };
      await refused(transport.createTaskPushNotificationConfig(config, unchecked()), ERRORS.pushNotSupported);
      await refused(transport.getTaskPushNotificationConfig(at, unchecked()), ERRORS.pushNotSupported);
      const page = { tenant: '', taskId, pageSize: 0, pageToken: '' };
      await refused(transport.listTaskPushNotificationConfig(page, unchecked()), ERRORS.pushNotSupported);
      await refused(transport.deleteTaskPushNotificationConfig(at, unchecked()), ERRORS.pushNotSupported);
      const request = toRequest({ text: 'data' });
      assert.ok(request.configuration);
      request.configuration.taskPushNotificationConfig = { ...config, taskId: '' };
      await refused(demo.sendMessage(request), ERRORS.pushNotSupported);
    },
  },
  {
    name: 'P44: UnsupportedOperation: a message to a task that has ended',
    run: async ({ demo }) => {
      const { id } = await sendForTask(demo, { text: 'data' });
      await refused(sendForTask(demo, { text: 'more', taskId: id }), ERRORS.unsupportedOperation);
    },
  },
  {
    name: 'D4: UnsupportedOperation: subscribe to a task that has ended',
    run: async ({ demo }) => {
      const { id } = await sendForTask(demo, { text: 'data' });
      await refused(collect(demo.resubscribeTask({ tenant: '', id })), ERRORS.unsupportedOperation);
    },
  },
  {
    name: 'P48: UnsupportedOperation: a stream from an agent without streaming',
    run: async ({ second }) => {
      const stream = second.transport.sendMessageStream(toRequest({ text: 'hello' }), unchecked(as('known')));
      await refused(collect(stream), ERRORS.unsupportedOperation);
    },
  },
  {
    name: 'P48: UnsupportedOperation: the extended card of an agent without one',
    run: ({ demo }) => refused(demo.transport.getExtendedAgentCard({ tenant: '' }, unchecked()), ERRORS.unsupportedOperation),
  },
  {
    name: 'D26: ContentTypeNotSupported: a part with a type that the card does not list',
    run: async ({ demo }) => {
      const parts = [{ raw: 'AAEC', filename: 'song.mp3', mediaType: 'audio/mpeg' }];
      await refused(sendForTask(demo, { parts }), ERRORS.contentTypeNotSupported);
    },
  },
  {
    name: 'D25: ContentTypeNotSupported: a body that is not JSON (raw)',
    run: async ({ binding, urls }) => {
      const path = binding === 'JSONRPC' ? '' : '/message:send';
      const status = binding === 'JSONRPC' ? 415 : ERRORS.contentTypeNotSupported.status;
      const response = await post(`${urls.demo}${path}`, '<hello/>', { 'Content-Type': 'text/xml' });
      await refusedRaw(response, { ...ERRORS.contentTypeNotSupported, status }, binding);
    },
  },
  {
    name: 'D18: InvalidAgentResponse: an agent that returns no result',
    run: ({ second }) => refused(second.sendMessage(toRequest({ text: 'nothing' }), as('known')), ERRORS.invalidAgentResponse),
  },
  {
    name: 'P48: ExtendedAgentCardNotConfigured: none for this caller',
    run: ({ second }) =>
      refused(second.transport.getExtendedAgentCard({ tenant: '' }, unchecked(as('stranger'))), ERRORS.extendedCardNotConfigured),
  },
  {
    name: 'ExtensionSupportRequired: the client did not activate the extension',
    run: ({ second }) => {
      const { authorization = '' } = as('known').serviceParameters ?? {};
      const options = { serviceParameters: { authorization } };
      return refused(second.sendMessage(toRequest({ text: 'hello' }), options), ERRORS.extensionRequired);
    },
  },
  {
    name: 'P51: VersionNotSupported: a future version, and no version',
    run: async ({ demo }) => {
      const ask = (/** @type {Record<string, string>} */ serviceParameters) => demo.transport.getTask(UNKNOWN_TASK, { serviceParameters });
      await refused(ask({ 'A2A-Version': '2.0' }), ERRORS.versionNotSupported);
      await refused(ask({}), ERRORS.versionNotSupported);
    },
  },
  {
    name: 'P47: invalid params: page size, page token, history length, no parts',
    run: async ({ demo }) => {
      await refused(listTasks(demo, { pageSize: 101 }), ERRORS.invalidParams);
      await refused(listTasks(demo, { pageToken: 'forged' }), ERRORS.invalidParams);
      await refused(getTask(demo, UNKNOWN_TASK.id, -1), ERRORS.invalidParams);
      await refused(demo.sendMessage(toRequest({ parts: [] })), ERRORS.invalidParams);
    },
  },
  {
    name: 'P45: invalid params: a task of another context',
    run: async ({ demo }) => {
      const { id } = await sendForTask(demo, { text: 'question' });
      await refused(sendForTask(demo, { text: 'Oslo', taskId: id, contextId: 'another' }), ERRORS.invalidParams);
    },
  },
  {
    name: 'B2: method not found (raw)',
    run: async ({ binding, urls }) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'DanceForMe', params: {} });
      const [path, status] = binding === 'JSONRPC' ? ['', 200] : ['/dance:forMe', ERRORS.methodNotFound.status];
      await refusedRaw(await post(`${urls.demo}${path}`, body), { ...ERRORS.methodNotFound, status }, binding);
    },
  },
  {
    name: 'D27: AUTH_REQUIRED: a caller without credentials',
    run: ({ second }) => refused(second.sendMessage(toRequest({ text: 'hello' }), as(undefined)), ERRORS.authRequired),
  },
  {
    name: 'D18: AGENT_UNAVAILABLE: thrown by the agent before the task exists',
    run: ({ demo }) => refused(demo.sendMessage(toRequest({ text: 'busy' })), ERRORS.agentUnavailable),
  },
];

/**
 * Checks that the call fails with the expected class, if the client has one, and with the expected code or status.
 * @param {Promise<unknown>} call
 * @param {Expected} expected
 */
async function refused(call, { type, code, status }) {
  const error = await call.then(
    () => assert.fail(`expected ${type?.name ?? code}, but the call succeeded`),
    (thrown) => thrown,
  );
  if (type !== undefined) assert.ok(error instanceof type, `expected ${type.name}, got ${error}`);
  if (isJsonRpcError(error)) assert.equal(error.envelopeCode, code);
  else if (isRestError(error)) assert.equal(error.statusCode, status);
  else assert.fail(`expected ${type?.name ?? code}, got ${error}`);
}

/**
 * @param {Response} response
 * @param {Expected} expected
 * @param {import('./target.mjs').BindingName} binding
 */
async function refusedRaw(response, { code, status }, binding) {
  assert.equal(response.status, status);
  const { error } = /** @type {any} */ (await response.json());
  assert.equal(error.code, binding === 'JSONRPC' ? code : status);
}

/**
 * @param {string} url
 * @param {string} body
 * @param {Record<string, string>} [headers]
 */
function post(url, body, headers = {}) {
  return fetch(url, { method: 'POST', headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json', ...headers }, body });
}
