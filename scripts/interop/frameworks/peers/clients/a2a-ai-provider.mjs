// The model provider of the AI SDK for A2A: `generateText` and `streamText` with the agent as the model.

import { a2a } from 'a2a-ai-provider';
import { generateText, streamText } from 'ai';
import { runCase } from '../program.mjs';

globalThis.AI_SDK_LOG_WARNINGS = false;

const modelOf = (url) => a2a(`${url}/.well-known/agent-card.json`);
/** Errors appear in the result; without this, they would also be printed. */
const onError = () => {};

await runCase({
  // The provider reads the card for each call and gives nothing of it to its user, so the requests show what it did.
  async discovery(url) {
    const { fetch } = globalThis;
    const cards = [];
    globalThis.fetch = async (...request) => {
      const response = await fetch(...request);
      if (String(request[0]).endsWith('/agent-card.json')) cards.push(await response.clone().json());
      return response;
    };
    await generateText({ model: modelOf(url), prompt: 'hello' });
    return { name: cards[0]?.name };
  },
  async send(url) {
    return { text: (await generateText({ model: modelOf(url), prompt: 'hello' })).text };
  },
  async stream(url) {
    const result = streamText({ model: modelOf(url), prompt: 'stream', onError });
    const chunks = [];
    for await (const chunk of result.textStream) chunks.push(chunk);
    return { chunks, text: await result.text };
  },
  // `doGenerate` reports every task as finished; only a stream has the finish reason of the task.
  async error(url) {
    const result = streamText({ model: modelOf(url), prompt: 'fail', onError });
    await result.consumeStream();
    return { finishReason: await result.finishReason };
  },
  async 'receive file'(url) {
    const { files } = await generateText({ model: modelOf(url), prompt: 'file' });
    return { mediaType: files[0].mediaType, content: Buffer.from(files[0].uint8Array).toString() };
  },
  async 'send file'(url) {
    const file = { type: 'file', data: Buffer.from('Hello file'), mediaType: 'text/plain', filename: 'report.txt' };
    return { text: (await generateText({ model: modelOf(url), messages: [{ role: 'user', content: [file] }] })).text };
  },
});
