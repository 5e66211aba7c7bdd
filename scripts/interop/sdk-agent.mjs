// An agent of the official SDK, set up as in its sample: Express, one request handler for both bindings, everything in memory.
import { setTimeout as sleep } from 'node:timers/promises';
import { AgentCard, Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import {
  AgentEvent,
  DefaultExecutionEventBusManager,
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';

/** @typedef {import('@a2a-js/sdk/server').RequestContext} Context */
/** @typedef {import('@a2a-js/sdk/server').ExecutionEventBus} Bus */

/** Ids of canceled tasks. @type {Set<string>} */
const canceled = new Set();

/**
 * @param {{ streaming?: boolean }} [options] whether the card declares streaming
 * @returns {Promise<{ url: string, close(): Promise<void> }>}
 */
export async function startSdkAgent({ streaming = true } = {}) {
  const app = express();
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const url = `http://127.0.0.1:${port}`;
  const card = createCard(url, streaming);
  const requestHandler = new DefaultRequestHandler(
    card,
    new InMemoryTaskStore(),
    { execute, cancelTask },
    new DefaultExecutionEventBusManager(),
    new InMemoryPushNotificationStore(),
    { send: async () => {} },
    async () => ({ ...card, name: 'SDK agent, extended' }),
  );
  const userBuilder = UserBuilder.noAuthentication;
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
  app.use('/a2a/jsonrpc', jsonRpcHandler({ requestHandler, userBuilder }));
  app.use('/a2a/rest', restHandler({ requestHandler, userBuilder }));
  return {
    url,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * @param {string} url
 * @param {boolean} streaming
 */
function createCard(url, streaming) {
  return AgentCard.fromJSON({
    name: 'SDK agent',
    description: 'Does what the text of a message says',
    version: '1.0.0',
    supportedInterfaces: [
      { url: `${url}/a2a/jsonrpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${url}/a2a/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ],
    capabilities: { streaming, pushNotifications: true, extendedAgentCard: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'answer', name: 'Answer', description: 'Answers', tags: ['answer'] }],
  });
}

/**
 * @param {Context} context
 * @param {Bus} bus
 */
async function execute(context, bus) {
  const [word = '', count = '0'] = textOf(context.userMessage).split(' ');
  const say = speaker(context, bus);
  try {
    if (word === 'message') return say.message('A direct answer');
    say.task();
    if (context.task !== undefined) return say.end('COMPLETED', `Hello ${word}`);
    say.status('WORKING');
    if (word === 'ask') return say.end('INPUT_REQUIRED', 'What is your name?');
    if (word === 'fail') return say.end('FAILED', 'It did not work');
    if (word === 'reject') return say.end('REJECTED', 'Not here');
    if (word === 'slow') return await waitForCancel(context, say);
    await say.chunks(Number(count) || 3);
    say.end('COMPLETED');
  } finally {
    bus.finished();
  }
}

/**
 * @param {Context} context
 * @param {ReturnType<typeof speaker>} say
 */
async function waitForCancel({ taskId }, say) {
  for (let waited = 0; waited < 500 && !canceled.has(taskId); waited += 1) await sleep(10);
  say.end(canceled.delete(taskId) ? 'CANCELED' : 'COMPLETED');
}

/** @param {string} taskId */
async function cancelTask(taskId) {
  canceled.add(taskId);
}

/**
 * @param {Context} context
 * @param {Bus} bus
 */
function speaker({ taskId, contextId, userMessage, task }, bus) {
  const status = (/** @type {string} */ state, /** @type {string | undefined} */ text) => ({
    state: `TASK_STATE_${state}`,
    timestamp: new Date().toISOString(),
    ...(text !== undefined && { message: { messageId: crypto.randomUUID(), role: 'ROLE_AGENT', taskId, contextId, parts: [{ text }] } }),
  });
  const update = (/** @type {string} */ state, /** @type {string | undefined} */ text = undefined) =>
    bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ taskId, contextId, status: status(state, text) })));
  return {
    task: () => {
      const begun = { id: taskId, contextId, status: status('SUBMITTED', undefined), history: [Message.toJSON(userMessage)] };
      bus.publish(AgentEvent.task(task ?? Task.fromJSON(begun)));
    },
    status: update,
    end: update,
    message: (/** @type {string} */ text) => {
      const message = { messageId: crypto.randomUUID(), role: 'ROLE_AGENT', contextId, parts: [{ text }] };
      bus.publish(AgentEvent.message(Message.fromJSON(message)));
    },
    /** @param {number} count */
    chunks: async (count) => {
      for (let index = 0; index < count; index += 1) {
        const artifact = { artifactId: 'answer', parts: [{ text: `${index + 1} ` }] };
        const event = { taskId, contextId, artifact, append: index > 0, lastChunk: index === count - 1 };
        bus.publish(AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON(event)));
        await sleep(1);
      }
    },
  };
}

/** @param {import('@a2a-js/sdk').Message} message */
function textOf({ parts }) {
  return parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');
}
