// The client of Mastra: an `A2AAgent`. The environment variable A2A_VERSION selects its protocol version.
import { A2AAgent } from '@mastra/core/a2a';
import { runCase } from '../program.mjs';

const open = (url) => new A2AAgent({ url, protocolVersion: process.env.A2A_VERSION });

await runCase({
  async discovery(url) {
    return { name: (await open(url).getAgentCard()).name };
  },
  async send(url) {
    const { text, task } = await open(url).generate('hello');
    return { text, state: task.status.state };
  },
  async stream(url) {
    const result = await open(url).stream('stream');
    const chunks = [];
    for await (const chunk of result.fullStream) if (chunk.type === 'text-delta') chunks.push(chunk.payload.text);
    return { chunks, text: await result.text, state: (await result.task).status.state };
  },
  async question(url) {
    const agent = open(url);
    const asked = await agent.generate('ask');
    const { text, task } = await agent.resumeGenerate('Lisbon', { runId: asked.runId });
    return { question: asked.text, text, tasks: new Set([asked.task.id, task.id]).size, state: task.status.state };
  },
  async error(url) {
    const { task } = await open(url).generate('fail');
    return { state: task.status.state, error: task.status.message.parts[0].text };
  },
  async 'receive file'(url) {
    const { task } = await open(url).generate('file');
    const { file } = task.artifacts.flatMap(({ parts }) => parts).find(({ kind }) => kind === 'file');
    return { mediaType: file.mimeType, content: Buffer.from(file.bytes, 'base64').toString() };
  },
});
