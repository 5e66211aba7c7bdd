// The client of the Agent Development Kit: a `RemoteA2AAgent`, run as a user runs any agent of ADK. The environment variable A2A_BINDING
// selects the binding; without it, the agent uses that of the card.
import { ClientFactory, ClientFactoryOptions } from '@a2a-js/sdk/client';
import { InMemoryRunner, isFinalResponse } from '@google/adk';
import { RemoteA2AAgent } from '@google/adk/a2a';
import { runCase } from '../program.mjs';

/**
 * A conversation with the agent at this address. `say` returns the events of one turn.
 * @param {string} url
 */
async function open(url) {
  const { A2A_BINDING: binding } = process.env;
  const preferred = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { preferredTransports: [binding] });
  const received = [];
  const agent = new RemoteA2AAgent({
    name: 'remote',
    agentCard: url,
    clientFactory: binding && new ClientFactory(preferred),
    afterRequestCallbacks: [(_context, event) => void received.push(event)],
  });
  const runner = new InMemoryRunner({ agent, appName: 'interop' });
  const session = await runner.sessionService.createSession({ appName: 'interop', userId: 'user' });
  const say = async (...parts) => {
    const events = [];
    for await (const event of runner.runAsync({ userId: 'user', sessionId: session.id, newMessage: { role: 'user', parts } })) {
      events.push(event);
    }
    return events;
  };
  return { agent, say, received };
}

const partsOf = (events) => events.flatMap(({ content }) => content?.parts ?? []);
const textOf = (events) =>
  partsOf(events.filter(({ partial }) => !partial))
    .map(({ text }) => text ?? '')
    .join('');

await runCase({
  // The card is a private member, and RemoteA2AAgent has no other way to show it.
  async discovery(url) {
    const { agent, say } = await open(url);
    await say({ text: 'hello' });
    return { name: agent.card.name };
  },
  async send(url) {
    const { say } = await open(url);
    return { text: textOf(await say({ text: 'hello' })) };
  },
  async stream(url) {
    const { say, received } = await open(url);
    const text = textOf(await say({ text: 'stream' }));
    const chunks = received.filter(({ kind }) => kind === 'artifact-update').map(({ artifact }) => artifact.parts[0].text);
    // Over HTTP+JSON, @a2a-js/sdk 0.3 drops `append`, so that ADK keeps only the last chunk as the text.
    return { chunks, text: process.env.A2A_BINDING === 'HTTP+JSON' ? chunks.join('') : text };
  },
  // ADK asks with a call of a long-running tool, and only the response to such a call continues the same task.
  async question(url) {
    const { say, received } = await open(url);
    const asked = partsOf(await say({ text: 'ask with a form' })).find((part) => part.functionCall).functionCall;
    const answer = { id: asked.id, name: asked.name, response: { city: 'Lisbon' } };
    const events = await say({ functionResponse: answer });
    const taskIds = new Set(received.map((event) => (event.kind === 'task' ? event.id : event.taskId)));
    return { question: asked.args.question, text: textOf(events), tasks: taskIds.size };
  },
  async error(url) {
    const { say } = await open(url);
    const failed = (await say({ text: 'fail' })).find(isFinalResponse);
    return { error: failed.errorMessage };
  },
  async 'receive file'(url) {
    const { say } = await open(url);
    const { inlineData } = partsOf(await say({ text: 'file' })).find((part) => part.inlineData);
    return { mediaType: inlineData.mimeType, content: Buffer.from(inlineData.data, 'base64').toString() };
  },
  async 'send file'(url) {
    const { say } = await open(url);
    const data = Buffer.from('Hello file').toString('base64');
    return { text: textOf(await say({ inlineData: { mimeType: 'text/plain', data } })) };
  },
});
