// The official SDK, set up as in its multi-transport sample: Express, one request handler for JSON-RPC and HTTP+JSON, tasks in memory
// unless another of its stores is given.
import { randomUUID } from 'node:crypto';
import { AgentCard, Role, TaskState } from '@a2a-js/sdk';
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore, ServerCallContext, UnauthenticatedUser } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { ARTIFACT, atOnce, chunkText, historyText, inTurns, REPLY, readAsk, seedId, seedTime } from './script.mjs';

/** @typedef {import('@a2a-js/sdk').Message} Message */
/** @typedef {import('@a2a-js/sdk').Task} Task */
/** @typedef {import('@a2a-js/sdk/server').ExecutionEventBus} Bus */
/** @typedef {import('@a2a-js/sdk/server').TaskStore} TaskStore */
/** @typedef {{ taskId: string, contextId: string }} Ids */

/** @type {import('./script.mjs').Held[]} */
const held = [];

/**
 * @param {TaskStore} [store]
 * @returns {Promise<import('./script.mjs').Served>}
 */
export async function serve(store = new InMemoryTaskStore()) {
  const requestHandler = new DefaultRequestHandler(createCard(), store, { execute, cancelTask: async () => {} });
  const userBuilder = UserBuilder.noAuthentication;
  const app = express();
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
  app.use('/a2a/jsonrpc', jsonRpcHandler({ requestHandler, userBuilder }));
  app.use('/a2a/rest', restHandler({ requestHandler, userBuilder }));
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { port, jsonRpcPath: '/a2a/jsonrpc', restPath: '/a2a/rest', held, seed: (count, order) => seed(store, count, order) };
}

function createCard() {
  const url = 'http://127.0.0.1';
  return AgentCard.fromJSON({
    name: 'Benchmark',
    description: 'Answers the load generator',
    version: '1.0.0',
    supportedInterfaces: ['JSONRPC', 'HTTP+JSON'].map((protocolBinding) => ({ url, protocolBinding, protocolVersion: '1.0' })),
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'answer', name: 'Answer', description: 'Answers', tags: ['answer'] }],
  });
}

/**
 * @param {import('@a2a-js/sdk/server').RequestContext} context
 * @param {Bus} bus
 */
async function execute({ taskId, contextId, userMessage }, bus) {
  const ids = { taskId, contextId };
  const content = userMessage.parts[0]?.content;
  const { kind, count } = readAsk(content?.$case === 'text' ? content.value : '');
  if (kind === 'message') {
    bus.publish(AgentEvent.message(toMessage(randomUUID(), Role.ROLE_AGENT, REPLY, { taskId: '', contextId })));
    bus.finished();
    return;
  }
  bus.publish(AgentEvent.task(toTask(ids, userMessage, kind === 'history' ? count : 1)));
  if (kind === 'hold') return hold(ids, bus, count);
  const chunk = chunker(ids, bus);
  if (kind === 'task') chunk(REPLY);
  if (kind === 'turns') await inTurns(count, chunk);
  if (kind === 'burst') atOnce(count, chunk);
  const status = { state: TaskState.TASK_STATE_COMPLETED, message: undefined, timestamp: new Date().toISOString() };
  bus.publish(AgentEvent.statusUpdate({ ...ids, status, metadata: undefined }));
  bus.finished();
}

/**
 * Stays open until the process ends. The initial chunks are published as one: 10,000 separate chunks would take minutes.
 * @param {Ids} ids
 * @param {Bus} bus
 * @param {number} count
 */
async function hold(ids, bus, count) {
  const parts = Array.from({ length: count }, (_, index) => toPart(chunkText(index)));
  if (count > 0)
    bus.publish(AgentEvent.artifactUpdate({ ...ids, artifact: toArtifact(parts), append: false, lastChunk: false, metadata: undefined }));
  held.push({ chunk: chunker(ids, bus, count > 0) });
  await new Promise(() => {});
}

/**
 * @param {Ids} ids
 * @param {Bus} bus
 * @param {boolean} [begun] whether the artifact exists
 * @returns {(text: string) => void}
 */
function chunker(ids, bus, begun = false) {
  let append = begun;
  return (text) => {
    bus.publish(AgentEvent.artifactUpdate({ ...ids, artifact: toArtifact([toPart(text)]), append, lastChunk: false, metadata: undefined }));
    append = true;
  };
}

/**
 * @param {Ids} ids
 * @param {Message} message
 * @param {number} messages
 * @returns {Task}
 */
function toTask({ taskId, contextId }, message, messages) {
  const history = [message];
  for (let index = 1; index < messages; index += 1) {
    history.push(toMessage(randomUUID(), Role.ROLE_USER, historyText(index), { taskId, contextId }));
  }
  const status = { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: new Date().toISOString() };
  return { id: taskId, contextId, status, artifacts: [], history, metadata: undefined };
}

/**
 * @param {string} messageId
 * @param {Role} role
 * @param {string} text
 * @param {Ids} ids
 * @returns {Message}
 */
function toMessage(messageId, role, text, { taskId, contextId }) {
  return { messageId, contextId, taskId, role, parts: [toPart(text)], metadata: undefined, extensions: [], referenceTaskIds: [] };
}

/**
 * @param {string} text
 * @returns {import('@a2a-js/sdk').Part}
 */
function toPart(text) {
  return { content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: '' };
}

/**
 * @param {import('@a2a-js/sdk').Part[]} parts
 * @returns {import('@a2a-js/sdk').Artifact}
 */
function toArtifact(parts) {
  return { artifactId: ARTIFACT, name: '', description: '', parts, metadata: undefined, extensions: [] };
}

/**
 * @param {TaskStore} store
 * @param {number} count
 * @param {'in-order' | 'shuffled'} order
 */
async function seed(store, count, order) {
  const context = new ServerCallContext({ user: new UnauthenticatedUser(), requestedVersion: '1.0' });
  for (let n = 0; n < count; n += 1) {
    const ids = { taskId: seedId(n), contextId: `context-${n % 100}` };
    const timestamp = new Date(seedTime(n, count, order)).toISOString();
    const task = toTask(ids, toMessage(`message-${n}`, Role.ROLE_USER, 'task', ids), 1);
    task.status = { state: TaskState.TASK_STATE_COMPLETED, message: undefined, timestamp };
    task.artifacts = [toArtifact([toPart(REPLY)])];
    await store.save(task, context);
  }
}
