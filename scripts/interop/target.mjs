// Wraps the official client for the cases. It uses protobuf shapes; results are converted back to the JSON of the wire.
import assert from 'node:assert/strict';
import { ListTasksRequest, Message, SendMessageRequest, StreamResponse, Task } from '@a2a-js/sdk';
import { ClientFactory, ClientFactoryOptions, withA2AExtensions } from '@a2a-js/sdk/client';
import { REQUIRED_EXTENSION } from './second-agent.mjs';

/** @typedef {'JSONRPC' | 'HTTP+JSON'} BindingName */
/** @typedef {{ text?: string, parts?: object[], taskId?: string, contextId?: string, returnImmediately?: boolean, historyLength?: number }} Said */
/** @typedef {import('@a2a-js/sdk/client').Client} Client */
/** @typedef {import('@a2a-js/sdk/client').RequestOptions} RequestOptions */

/**
 * One agent over one binding.
 * @typedef {object} Target
 * @property {BindingName} binding
 * @property {Client} demo
 * @property {Client} second
 * @property {{ demo: string, second: string }} urls
 */

/** @type {readonly BindingName[]} */
export const BINDINGS = ['JSONRPC', 'HTTP+JSON'];

/**
 * Reads the cards and connects over this binding.
 * @param {BindingName} binding
 * @param {{ demo: string, second: string }} urls
 * @returns {Promise<Target>}
 */
export async function connect(binding, urls) {
  const factory = new ClientFactory(ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { preferredTransports: [binding] }));
  const [demo, second] = await Promise.all([factory.createFromUrl(urls.demo), factory.createFromUrl(urls.second)]);
  return { binding, demo, second, urls };
}

/**
 * @param {Said} said
 * @returns {SendMessageRequest}
 */
export function toRequest({ text = '', parts = [{ text }], returnImmediately, historyLength, ...ids }) {
  return SendMessageRequest.fromJSON({
    message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts, ...ids },
    configuration: { returnImmediately, historyLength },
  });
}

/**
 * Sends a message and returns the task.
 * @param {Client} client
 * @param {Said} said
 * @returns {Promise<any>}
 */
export async function sendForTask(client, said) {
  const result = await client.sendMessage(toRequest(said));
  assert.ok(!('messageId' in result), 'expected a task, got a message');
  return Task.toJSON(result);
}

/**
 * Sends a message and returns the direct message.
 * @param {Client} client
 * @param {Said} said
 * @param {RequestOptions} [options]
 * @returns {Promise<any>}
 */
export async function sendForMessage(client, said, options) {
  const result = await client.sendMessage(toRequest(said), options);
  assert.ok('messageId' in result, 'expected a message, got a task');
  return Message.toJSON(result);
}

/**
 * All events of a stream.
 * @param {AsyncIterable<StreamResponse>} stream
 * @returns {Promise<any[]>}
 */
export async function collect(stream) {
  const events = [];
  for await (const event of stream) events.push(StreamResponse.toJSON(event));
  return events;
}

/**
 * @param {Client} client
 * @param {string} id
 * @param {number} [historyLength]
 * @returns {Promise<any>}
 */
export async function getTask(client, id, historyLength) {
  return Task.toJSON(await client.getTask({ tenant: '', id, historyLength }));
}

/**
 * @param {Client} client
 * @param {string} id
 * @returns {Promise<any>}
 */
export async function cancelTask(client, id) {
  return Task.toJSON(await client.cancelTask({ tenant: '', id, metadata: undefined }));
}

/**
 * @param {Client} client
 * @param {object} filters
 */
export async function listTasks(client, filters) {
  const { tasks, ...page } = await client.listTasks(ListTasksRequest.fromJSON(filters));
  return { ...page, tasks: tasks.map((task) => /** @type {any} */ (Task.toJSON(task))) };
}

/**
 * Headers for the second agent.
 * @param {'known' | 'stranger'} [caller]
 * @returns {RequestOptions}
 */
export function as(caller) {
  /** @type {Record<string, string>} */
  const serviceParameters = caller === undefined ? {} : { authorization: `Bearer ${caller}` };
  withA2AExtensions(REQUIRED_EXTENSION)(serviceParameters);
  return { serviceParameters };
}

/**
 * The options that every request of the client needs, for calls that bypass its own checks.
 * @param {RequestOptions} [options]
 * @returns {RequestOptions}
 */
export function unchecked({ serviceParameters = {} } = {}) {
  return { serviceParameters: { 'A2A-Version': '1.0', ...serviceParameters } };
}

/**
 * Joined text of an artifact or of its updates.
 * @param {readonly any[]} artifacts
 * @param {string} artifactId
 */
export function textOf(artifacts, artifactId) {
  const parts = artifacts.filter((artifact) => artifact?.artifactId === artifactId).flatMap((artifact) => artifact.parts);
  return parts.map(({ text }) => text).join('');
}
