// An agent of the official SDK 0.3.14, which speaks A2A 0.3: Express, one request handler for both bindings, everything in memory.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DefaultExecutionEventBusManager,
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
} from 'a2a-sdk-03/server';
import { agentCardHandler, jsonRpcHandler, restHandler } from 'a2a-sdk-03/server/express';
import express from 'express';
import { ARTIFACT_PARTS } from './parts.mjs';

/** @typedef {import('a2a-sdk-03').Task} Task */
/** @typedef {import('a2a-sdk-03').TaskState} TaskState */
/** @typedef {import('a2a-sdk-03/server').RequestContext} Context */
/** @typedef {import('a2a-sdk-03/server').ExecutionEventBus} Bus */

/**
 * @typedef {object} SdkAgentOptions
 * @property {boolean} [streaming] whether the card declares streaming. Default true
 * @property {string} [cardPath] the only path of the card. Default: that of 0.3
 */

export const EXTENSION = 'urn:example:interop:v03';
/** The path of the card before 0.3. */
export const OLD_CARD_PATH = '/.well-known/agent.json';

/** Ids of canceled tasks. @type {Set<string>} */
const canceled = new Set();

/** Starts the agents that the cases need: with and without streaming, and with its card at the path before 0.3. */
export async function startSdkAgents() {
  const [streaming, calm, old] = await Promise.all([
    startSdkAgent(),
    startSdkAgent({ streaming: false }),
    startSdkAgent({ cardPath: OLD_CARD_PATH }),
  ]);
  return {
    urls: { streaming: streaming.url, calm: calm.url, old: old.url },
    close: () => Promise.all([streaming, calm, old].map((agent) => agent.close())),
  };
}

/**
 * @param {SdkAgentOptions} [options]
 * @returns {Promise<{ url: string, close(): Promise<void> }>}
 */
async function startSdkAgent({ streaming = true, cardPath = '/.well-known/agent-card.json' } = {}) {
  const app = express();
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const url = `http://127.0.0.1:${port}`;
  const card = createCard(url, streaming);
  const store = new FragileStore();
  const requestHandler = new DefaultRequestHandler(
    card,
    store,
    { execute: (context, bus) => execute(context, bus, store), cancelTask },
    new DefaultExecutionEventBusManager(),
    new InMemoryPushNotificationStore(),
    { send: async () => {} },
    async () => ({ ...card, name: 'SDK agent, extended' }),
  );
  app.use(cardPath, agentCardHandler({ agentCardProvider: requestHandler }));
  app.use(activateExtensions);
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
 * @returns {import('a2a-sdk-03').AgentCard}
 */
function createCard(url, streaming) {
  return {
    protocolVersion: '0.3.0',
    name: 'SDK agent',
    description: 'Does what the text of a message says',
    version: '1.0.0',
    url: `${url}/a2a/jsonrpc`,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [
      { url: `${url}/a2a/jsonrpc`, transport: 'JSONRPC' },
      { url: `${url}/a2a/rest`, transport: 'HTTP+JSON' },
    ],
    capabilities: { streaming, pushNotifications: true, extensions: [{ uri: EXTENSION }] },
    supportsAuthenticatedExtendedCard: true,
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'answer', name: 'Answer', description: 'Answers', tags: ['answer'] }],
  };
}

/**
 * The SDK gives the executor a copy of the call, so the executor cannot activate an extension.
 * @param {import('express').Request} request
 * @param {import('express').Response} response
 * @param {() => void} next
 */
function activateExtensions(request, response, next) {
  const requested = request.header('X-A2A-Extensions') ?? '';
  if (requested.includes(EXTENSION)) response.setHeader('X-A2A-Extensions', EXTENSION);
  next();
}

/** The caller of a request: it gives the executor the headers. */
class Caller {
  isAuthenticated = true;
  userName = 'caller';

  /** @param {import('node:http').IncomingHttpHeaders} headers */
  constructor(headers) {
    this.headers = headers;
  }
}

/** @param {import('express').Request} request */
async function userBuilder({ headers }) {
  return new Caller(headers);
}

/** Cannot store a task with `metadata.broken`. The SDK then ends the stream with an error. */
class FragileStore extends InMemoryTaskStore {
  /** @param {Task} task @override */
  async save(task) {
    if (task.metadata?.broken === true) throw new Error('The store is broken');
    await super.save(task);
  }
}

/**
 * @param {Context} context
 * @param {Bus} bus
 * @param {FragileStore} store
 */
async function execute(context, bus, store) {
  const [word = '', argument = ''] = textOf(context.userMessage).split(' ');
  const say = speaker(context, bus);
  try {
    if (word === 'message') return say.message('A direct answer');
    if (word === 'bare') return await answerWithoutTask(context, say, store);
    say.task();
    if (context.task !== undefined) return say.end('completed', `Hello ${word}`);
    say.status('working');
    if (word === 'ask') return say.status('input-required', 'What is your name?', argument === 'final');
    if (word === 'fail') return say.end('failed', 'It did not work');
    if (word === 'reject') return say.end('rejected', 'Not here');
    if (word === 'break') return say.task({ broken: true });
    if (word === 'slow') return await waitForCancel(context, say);
    if (word === 'echo') say.artifact(context.userMessage.parts);
    else if (word === 'parts') say.artifact(ARTIFACT_PARTS);
    else if (word === 'headers') say.artifact([{ kind: 'data', data: headersOf(context) }]);
    else await say.chunks(Number(argument) || 3);
    say.end('completed');
  } finally {
    bus.finished();
  }
}

/**
 * The first event of the stream is a status update, as agents of 0.3 in Python send it.
 * @param {Context} context
 * @param {ReturnType<typeof speaker>} say
 * @param {FragileStore} store
 */
async function answerWithoutTask({ taskId, contextId }, say, store) {
  await store.save({ kind: 'task', id: taskId, contextId, status: { state: 'submitted' } });
  say.status('submitted');
  await say.chunks(3);
  say.end('completed');
}

/**
 * @param {Context} context
 * @param {ReturnType<typeof speaker>} say
 */
async function waitForCancel({ taskId }, say) {
  for (let waited = 0; waited < 500 && !canceled.has(taskId); waited += 1) await sleep(10);
  say.end(canceled.delete(taskId) ? 'canceled' : 'completed');
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
  const ids = { taskId, contextId };
  const toStatus = (/** @type {TaskState} */ state, /** @type {string | undefined} */ text) => ({
    state,
    timestamp: new Date().toISOString(),
    ...(text !== undefined && { message: { ...toMessage(text), ...ids } }),
  });
  const status = (/** @type {TaskState} */ state, /** @type {string | undefined} */ text = undefined, final = false) =>
    bus.publish({ kind: 'status-update', ...ids, status: toStatus(state, text), final });
  const artifact = (/** @type {import('a2a-sdk-03').Part[]} */ parts, append = false, lastChunk = true) =>
    bus.publish({ kind: 'artifact-update', ...ids, artifact: { artifactId: 'answer', parts }, append, lastChunk });
  return {
    task: (/** @type {Task['metadata']} */ metadata = undefined) => {
      /** @type {Task} */
      const begun = { kind: 'task', id: taskId, contextId, status: toStatus('submitted', undefined), history: [userMessage] };
      bus.publish({ ...(task ?? begun), ...(metadata && { metadata }) });
    },
    status,
    end: (/** @type {TaskState} */ state, /** @type {string | undefined} */ text = undefined) => status(state, text, true),
    message: (/** @type {string} */ text) => bus.publish({ ...toMessage(text), contextId }),
    artifact,
    /** @param {number} count */
    chunks: async (count) => {
      for (let index = 0; index < count; index += 1) {
        artifact([{ kind: 'text', text: `${index + 1} ` }], index > 0, index === count - 1);
        await sleep(1);
      }
    },
  };
}

/**
 * @param {string} text
 * @returns {import('a2a-sdk-03').Message}
 */
function toMessage(text) {
  return { kind: 'message', messageId: crypto.randomUUID(), role: 'agent', parts: [{ kind: 'text', text }] };
}

/** @param {import('a2a-sdk-03').Message} message */
function textOf({ parts }) {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

/** @param {Context} context */
function headersOf({ context }) {
  const headers = context?.user instanceof Caller ? context.user.headers : {};
  return { version: headers['a2a-version'], extensions: headers['x-a2a-extensions'], accept: headers.accept };
}
