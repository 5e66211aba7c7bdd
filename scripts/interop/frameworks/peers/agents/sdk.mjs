// An agent of @a2a-js/sdk 0.3. Only for checks of the clients in this folder: it does for them what Parley's agent does.

import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { listenOnFreePort, print } from '../program.mjs';

const canceled = new Set();

async function execute({ userMessage, taskId, contextId, task }, bus) {
  const text = userMessage.parts.map((part) => part.text ?? '').join('');
  const message = (parts) => ({ kind: 'message', messageId: crypto.randomUUID(), role: 'agent', taskId, contextId, parts });
  const status = (state, parts, final = false) =>
    bus.publish({ kind: 'status-update', taskId, contextId, final, status: { state, ...(parts && { message: message(parts) }) } });
  const artifact = (artifactId, parts, more = {}) =>
    bus.publish({
      kind: 'artifact-update',
      taskId,
      contextId,
      artifact: { artifactId, name: 'answer', parts },
      append: false,
      lastChunk: true,
      ...more,
    });
  const end = (state, parts) => {
    status(state, parts, true);
    bus.finished();
  };
  if (!task) bus.publish({ kind: 'task', id: taskId, contextId, status: { state: 'submitted' }, history: [userMessage] });
  status('working');
  const file = userMessage.parts.find(({ kind }) => kind === 'file')?.file;
  const form = userMessage.parts.find(({ kind }) => kind === 'data')?.data;
  if (task) {
    artifact('answer', [{ kind: 'text', text: `A room in ${form ? form.response.city : text}.` }]);
    return end('completed');
  }
  if (text === 'ask') return end('input-required', [{ kind: 'text', text: 'Which city?' }]);
  if (text === 'ask with a form') {
    const data = { id: 'ask-city', name: 'ask_city', args: { question: 'Which city?' } };
    return end('input-required', [{ kind: 'data', data, metadata: { adk_type: 'function_call', adk_is_long_running: true } }]);
  }
  if (text === 'fail') return end('failed', [{ kind: 'text', text: 'The agent failed on purpose.' }]);
  if (text === 'slow') {
    for (let waited = 0; waited < 1_000 && !canceled.has(taskId); waited += 1) await sleep(20);
    return end('canceled');
  }
  if (text === 'stream') {
    for (const [index, word] of ['one ', 'two ', 'three'].entries()) {
      artifact('answer', [{ kind: 'text', text: word }], { append: index > 0, lastChunk: index === 2 });
      await sleep(20);
    }
    return end('completed');
  }
  if (file) artifact('answer', [{ kind: 'text', text: `Received ${Buffer.from(file.bytes, 'base64').length} bytes of ${file.mimeType}` }]);
  else if (text === 'file') {
    const bytes = Buffer.from('Hello file').toString('base64');
    artifact('file', [{ kind: 'file', file: { bytes, name: 'report.txt', mimeType: 'text/plain' } }]);
  } else artifact('answer', [{ kind: 'text', text: `You said: ${text}` }]);
  end('completed');
}

const server = createServer();
const url = await listenOnFreePort(server);
const card = {
  name: 'interop_agent',
  description: 'Does what the text of a message says',
  version: '1.0.0',
  protocolVersion: '0.3.0',
  url: `${url}/jsonrpc`,
  preferredTransport: 'JSONRPC',
  additionalInterfaces: [
    { url: `${url}/jsonrpc`, transport: 'JSONRPC' },
    { url: `${url}/rest`, transport: 'HTTP+JSON' },
  ],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
};
const cancelTask = async (taskId) => void canceled.add(taskId);
const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), { execute, cancelTask });
const userBuilder = UserBuilder.noAuthentication;
const app = express();
app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
app.use('/jsonrpc', jsonRpcHandler({ requestHandler, userBuilder }));
app.use('/rest', restHandler({ requestHandler, userBuilder }));
server.on('request', app);
await print({ url });
