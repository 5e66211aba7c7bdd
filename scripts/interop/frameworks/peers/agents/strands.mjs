// An agent of the Strands Agents SDK with a scripted model, served with `A2AExpressServer`.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, AgentResult, ContentBlockEvent, DocumentBlock, Message, Model, TextBlock } from '@strands-agents/sdk';
import { A2AExpressServer } from '@strands-agents/sdk/a2a/express';
import express from 'express';
import { listenOnFreePort, print } from '../program.mjs';

class ScriptedModel extends Model {
  #config = { modelId: 'scripted' };

  updateConfig(config) {
    this.#config = { ...this.#config, ...config };
  }

  getConfig() {
    return this.#config;
  }

  async *stream(messages) {
    const { content } = messages.findLast(({ role }) => role === 'user');
    yield { type: 'modelMessageStartEvent', role: 'assistant' };
    yield { type: 'modelContentBlockStartEvent' };
    for (const text of answer(content)) {
      yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text } };
      await sleep(20);
    }
    yield { type: 'modelContentBlockStopEvent' };
    yield { type: 'modelMessageStopEvent', stopReason: 'endTurn' };
  }
}

/** Models stream only text and tool calls, so the agent itself adds the file. */
class ScriptedAgent extends Agent {
  async *stream(content, options) {
    if (content[0].text !== 'file') return yield* super.stream(content, options);
    const bytes = new TextEncoder().encode('Hello file');
    yield new ContentBlockEvent({ agent: this, contentBlock: new DocumentBlock({ name: 'report.txt', format: 'txt', source: { bytes } }) });
    const lastMessage = new Message({ role: 'assistant', content: [new TextBlock('Here it is.')] });
    return new AgentResult({ stopReason: 'endTurn', lastMessage, invocationState: {} });
  }
}

function answer(content) {
  const document = content.find(({ type }) => type === 'documentBlock');
  const text = content.map((block) => block.text ?? '').join('');
  if (document) return [`Received ${document.source.bytes.length} bytes of ${document.format}`];
  if (text === 'fail') throw new Error('The agent failed on purpose.');
  if (text === 'stream') return ['one ', 'two ', 'three'];
  return [`You said: ${text}`];
}

// The card needs the port, so the server listens before it has a handler.
const server = createServer();
const url = await listenOnFreePort(server);
const agentFactory = () => new ScriptedAgent({ model: new ScriptedModel(), printer: false });
const peer = new A2AExpressServer({
  agentFactory,
  name: 'strands_agent',
  description: 'Does what the text of a message says',
  httpUrl: url,
});
server.on('request', express().use(peer.createMiddleware()));
await print({ url });
