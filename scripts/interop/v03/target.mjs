// Wraps the client of the official SDK 0.3.14 for the cases.
import assert from 'node:assert/strict';
import { ClientFactory, ClientFactoryOptions, JsonRpcTransportFactory, RestTransportFactory } from 'a2a-sdk-03/client';
import { REQUIRED_EXTENSION } from '../second-agent.mjs';

/** @typedef {import('a2a-sdk-03/client').Client} Client */
/** @typedef {import('a2a-sdk-03/client').RequestOptions} RequestOptions */
/** @typedef {import('a2a-sdk-03').Task} Task */
/** @typedef {import('a2a-sdk-03').Message} Message */
/** @typedef {import('a2a-sdk-03').MessageSendParams} MessageSendParams */
/** @typedef {import('a2a-sdk-03').Message | Task | import('a2a-sdk-03').TaskStatusUpdateEvent | import('a2a-sdk-03').TaskArtifactUpdateEvent} Event */

/**
 * @typedef {object} Said
 * @property {string} [text]
 * @property {import('a2a-sdk-03').Part[]} [parts]
 * @property {string} [taskId]
 * @property {string} [contextId]
 * @property {boolean} [blocking]
 */
/** @typedef {{ demo: string, second: string, parts: string }} Urls */

/**
 * Three agents over one binding.
 * @typedef {object} Target
 * @property {'JSONRPC' | 'HTTP+JSON'} binding
 * @property {Client} demo
 * @property {Client} second
 * @property {Client} parts
 * @property {Urls} urls
 */

/**
 * Reads the cards and connects over this binding.
 * @param {Target['binding']} binding
 * @param {Urls} urls
 * @returns {Promise<Target>}
 */
export async function connectV03(binding, urls) {
  const factory = createFactory(binding);
  const [demo, second, parts] = await Promise.all([urls.demo, urls.second, urls.parts].map((url) => factory.createFromUrl(url)));
  assert.ok(demo && second && parts);
  return { binding, demo, second, parts, urls };
}

/**
 * @param {Target['binding']} binding
 * @param {typeof fetch} [fetchImpl]
 */
export function createFactory(binding, fetchImpl) {
  const transports = [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })];
  return new ClientFactory(ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { transports, preferredTransports: [binding] }));
}

/**
 * @param {Said} said
 * @returns {MessageSendParams}
 */
export function toParams({ text = '', parts = [{ kind: 'text', text }], blocking, ...ids }) {
  /** @type {Message} */
  const message = { kind: 'message', messageId: crypto.randomUUID(), role: 'user', parts, ...ids };
  return blocking === undefined ? { message } : { message, configuration: { blocking } };
}

/**
 * Sends a message and returns the task.
 * @param {Client} client
 * @param {Said} said
 * @param {RequestOptions} [options]
 * @returns {Promise<Task>}
 */
export async function sendForTask(client, said, options) {
  const result = await client.sendMessage(toParams(said), options);
  assert.ok(result.kind === 'task', `expected a task, got ${JSON.stringify(result)}`);
  return result;
}

/**
 * Sends a message and returns the direct message.
 * @param {Client} client
 * @param {Said} said
 * @param {RequestOptions} [options]
 * @returns {Promise<Message>}
 */
export async function sendForMessage(client, said, options) {
  const result = await client.sendMessage(toParams(said), options);
  assert.ok(result.kind === 'message', `expected a message, got ${JSON.stringify(result)}`);
  return result;
}

/**
 * All events of a stream. A stream of 0.3 ends after the status with `final: true`, and no other event has it.
 * @param {AsyncIterable<Event>} stream
 * @returns {Promise<Event[]>}
 */
export async function collect(stream) {
  /** @type {Event[]} */
  const events = [];
  for await (const event of stream) events.push(event);
  const finals = events.map((event) => event.kind === 'status-update' && event.final);
  assert.equal(finals.indexOf(true), events[0]?.kind === 'message' ? -1 : events.length - 1, `the positions of final: ${finals}`);
  return events;
}

/**
 * The state of the last status in a stream.
 * @param {readonly Event[]} events
 */
export function lastState(events) {
  const last = events.at(-1);
  assert.ok(last?.kind === 'status-update', `expected a status as last event, got ${last?.kind}`);
  return last.status.state;
}

/**
 * Headers for the second agent.
 * @param {'known' | 'stranger'} [caller]
 * @returns {RequestOptions}
 */
export function as(caller) {
  return {
    serviceParameters: {
      'X-A2A-Extensions': REQUIRED_EXTENSION,
      ...(caller !== undefined && { authorization: `Bearer ${caller}` }),
    },
  };
}

/**
 * Joined text of an artifact or of its updates.
 * @param {readonly (import('a2a-sdk-03').Artifact | undefined)[] | undefined} artifacts
 * @param {string} artifactId
 */
export function textOf(artifacts, artifactId) {
  const parts = (artifacts ?? []).filter((artifact) => artifact?.artifactId === artifactId).flatMap((artifact) => artifact?.parts ?? []);
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

/**
 * The artifacts of the artifact updates of a stream.
 * @param {readonly Event[]} events
 */
export function artifactsOf(events) {
  return events.flatMap((event) => (event.kind === 'artifact-update' ? [event.artifact] : []));
}

/** @param {Event | undefined} event */
export function toTask(event) {
  assert.ok(event?.kind === 'task', `expected a task, got ${event?.kind}`);
  return event;
}
