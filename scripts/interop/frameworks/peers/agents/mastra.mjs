// An agent of Mastra with a scripted model, served with `MastraServer` of @mastra/hono.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { MastraServer } from '@mastra/hono';
import { InMemoryTaskStore } from '@mastra/server/a2a/store';
import { Hono } from 'hono';
import { z } from 'zod';
import { listenOnFreePort, print } from '../program.mjs';

const USAGE = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

/** Suspends the run until the user has named a city. */
const askCity = createTool({
  id: 'ask-city',
  description: 'Asks for a city',
  inputSchema: z.object({}),
  suspendSchema: z.object({ message: z.string() }),
  resumeSchema: z.string(),
  async execute(_input, { agent }) {
    if (agent.resumeData === undefined) return agent.suspend({ message: 'Which city?' });
    return { city: agent.resumeData };
  },
});

/** A language model of the AI SDK, specification v2. */
const model = {
  specificationVersion: 'v2',
  provider: 'interop',
  modelId: 'scripted',
  supportedUrls: {},
  async doGenerate({ prompt }) {
    const content = [];
    for await (const part of answer(prompt)) content.push(part.type === 'text' ? part : { ...part, type: 'tool-call' });
    return { content, finishReason: finishOf(content), usage: USAGE, warnings: [] };
  },
  async doStream({ prompt }) {
    return { stream: ReadableStream.from(toStream(prompt)) };
  },
};

async function* toStream(prompt) {
  const content = [];
  yield { type: 'stream-start', warnings: [] };
  for await (const part of answer(prompt)) {
    if (part.type === 'text' && content.length === 0) yield { type: 'text-start', id: 'text' };
    content.push(part);
    yield part.type === 'text' ? { type: 'text-delta', id: 'text', delta: part.text } : part;
  }
  if (content[0]?.type === 'text') yield { type: 'text-end', id: 'text' };
  yield { type: 'finish', finishReason: finishOf(content), usage: USAGE };
}

const finishOf = (content) => (content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop');

async function* answer(prompt) {
  const last = prompt.at(-1);
  if (last.role === 'tool') {
    const { output } = last.content[0];
    return yield { type: 'text', text: `A room in ${output.value.city}.` };
  }
  const file = last.content.find(({ type }) => type === 'file');
  const text = last.content.map((part) => part.text ?? '').join('');
  if (file) return yield { type: 'text', text: `Received ${Buffer.from(file.data, 'base64').length} bytes of ${file.mediaType}` };
  if (text === 'fail') throw new Error('The agent failed on purpose.');
  if (text === 'ask') return yield { type: 'tool-call', toolCallId: crypto.randomUUID(), toolName: 'askCity', input: '{}' };
  if (text === 'stream') {
    for (const word of ['one ', 'two ', 'three']) {
      yield { type: 'text', text: word };
      await sleep(20);
    }
    return;
  }
  if (text === 'slow') for (let count = 0; count < 1_000; count += 1, await sleep(20)) yield { type: 'text', text: `${count} ` };
  yield { type: 'text', text: `You said: ${text}` };
}

const agent = new Agent({
  id: 'mastra-agent',
  name: 'mastra-agent',
  instructions: 'Does what the text of a message says',
  model,
  tools: { askCity },
  maxRetries: 0,
});
const mastra = new Mastra({ agents: { 'mastra-agent': agent }, storage: new InMemoryStore(), logger: false });
const app = new Hono();
await new MastraServer({ app, mastra, taskStore: new InMemoryTaskStore() }).init();
const server = createServer(getRequestListener(app.fetch));
const url = await listenOnFreePort(server);
await print({ url, card: `${url}/api/.well-known/mastra-agent/agent-card.json` });
