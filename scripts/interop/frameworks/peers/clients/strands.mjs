// The client of the Strands Agents SDK: an `A2AAgent`.
import { A2AAgent } from '@strands-agents/sdk/a2a';
import { runCase } from '../program.mjs';

/**
 * Streams one turn and returns the events of A2A and the result.
 * @param {string} url
 * @param {string} text
 */
async function follow(url, text) {
  const events = [];
  const stream = new A2AAgent({ url }).stream(text);
  let next = await stream.next();
  for (; !next.done; next = await stream.next()) if (next.value.type === 'a2aStreamUpdateEvent') events.push(next.value.event);
  return { events, text: next.value.toString() };
}

await runCase({
  async discovery(url) {
    const agent = new A2AAgent({ url });
    await agent.invoke('hello');
    return { name: agent.name };
  },
  async send(url) {
    return { text: (await new A2AAgent({ url }).invoke('hello')).toString() };
  },
  async stream(url) {
    const { events, text } = await follow(url, 'stream');
    const chunks = events.filter(({ kind }) => kind === 'artifact-update').map(({ artifact }) => artifact.parts[0]?.text);
    const { status } = events.findLast((event) => 'status' in event);
    return { chunks, text, state: status.state };
  },
  // A2AAgent does not throw when a task fails; its last event says so.
  async error(url) {
    const { events } = await follow(url, 'fail');
    const { status } = events.findLast((event) => 'status' in event);
    return { state: status.state, error: status.message.parts[0].text };
  },
  async 'receive file'(url) {
    const { events } = await follow(url, 'file');
    const parts = events.flatMap((event) => event.artifact?.parts ?? event.artifacts?.flatMap((artifact) => artifact.parts) ?? []);
    const { file } = parts.find(({ kind }) => kind === 'file');
    return { mediaType: file.mimeType, content: Buffer.from(file.bytes, 'base64').toString() };
  },
});
