// The official SDK's server for the job, set up as in its sample, in its own process.
import { AgentCard, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { keepPace, STEPS } from './job.mjs';

/** Resolvers of runs with pace 'told' that wait for their next step. @type {(() => void)[]} */
const waiting = [];

process.once('disconnect', () => process.exit()); // the parent process ended
process.on('message', () => waiting.shift()?.());

const app = express();
const server = app.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
const url = `http://127.0.0.1:${port}`;
const requestHandler = new DefaultRequestHandler(createCard(), new InMemoryTaskStore(), { execute, cancelTask: async () => {} });
const userBuilder = UserBuilder.noAuthentication;
app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
app.use('/a2a/jsonrpc', jsonRpcHandler({ requestHandler, userBuilder }));
app.use('/a2a/rest', restHandler({ requestHandler, userBuilder }));
process.send?.(url);

function createCard() {
  return AgentCard.fromJSON({
    name: 'SDK agent on a bad line',
    description: 'Does the job',
    version: '1.0.0',
    supportedInterfaces: [
      { url: `${url}/a2a/jsonrpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${url}/a2a/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ],
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'job', name: 'Job', description: 'Does the job', tags: ['job'] }],
  });
}

/**
 * @param {import('@a2a-js/sdk/server').RequestContext} context
 * @param {import('@a2a-js/sdk/server').ExecutionEventBus} bus
 */
async function execute({ taskId, contextId, userMessage }, bus) {
  const content = userMessage.parts[0]?.content;
  /** @type {import('./job.mjs').Job} */
  const { pace } = JSON.parse(content?.$case === 'text' ? content.value : '');
  const ids = { taskId, contextId };
  const status = (/** @type {string} */ state, /** @type {string} */ text) => ({
    state,
    timestamp: new Date().toISOString(),
    message: { messageId: crypto.randomUUID(), role: 'ROLE_AGENT', parts: [{ text }], ...ids },
  });
  const task = Task.fromJSON({ id: taskId, contextId, status: { state: 'TASK_STATE_SUBMITTED', timestamp: new Date().toISOString() } });
  bus.publish(AgentEvent.task({ ...task, history: [userMessage] }));
  for (const step of STEPS) {
    await (pace === 'told' ? new Promise((resolve) => waiting.push(() => resolve(undefined))) : keepPace(pace));
    if (step.do === 'chunk') {
      const artifact = { artifactId: step.artifactId, parts: [{ text: step.text }] };
      bus.publish(AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON({ ...ids, artifact, append: !step.first })));
    } else {
      const state = step.do === 'working' ? 'TASK_STATE_WORKING' : 'TASK_STATE_COMPLETED';
      bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ ...ids, status: status(state, step.text) })));
    }
  }
  bus.finished();
}
