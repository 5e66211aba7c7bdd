// The A2A client of Gemini CLI: its client manager, and the session that its remote agents run in. Neither needs a model.
import { A2AClientManager } from '@google/gemini-cli-core/dist/src/agents/a2a-client-manager.js';
import { RemoteSubagentSession } from '@google/gemini-cli-core/dist/src/agents/remote-subagent-protocol.js';
import { runCase } from '../program.mjs';

/** @param {string} url */
function open(url) {
  const agentCardUrl = `${url}/.well-known/agent-card.json`;
  const manager = new A2AClientManager({ getProxy: () => undefined });
  const context = { config: { getA2AClientManager: () => manager } };
  const session = new RemoteSubagentSession({ kind: 'remote', name: 'agent', agentCardUrl }, context);
  const say = async (text) => {
    await session.startWithQuery(text);
    return (await session.getResult()).llmContent[0].text;
  };
  return { manager, session, say, load: () => manager.loadAgent('agent', { type: 'url', url: agentCardUrl }) };
}

/** The session adds a heading to each artifact. @param {string} text */
const bodyOf = (text) => text.replace(/^Artifact[^\n]*:\n/, '');

await runCase({
  async discovery(url) {
    return { name: (await open(url).load()).name };
  },
  async send(url) {
    return { text: bodyOf(await open(url).say('hello')) };
  },
  async stream(url) {
    const { session, say } = open(url);
    const chunks = [];
    session.subscribe((event) => {
      if (event.type === 'message' && event.role === 'agent') chunks.push(event.content[0].text);
    });
    const text = bodyOf(await say('stream'));
    return { chunks, text };
  },
  async cancel(url) {
    const { manager, load } = open(url);
    await load();
    for await (const event of manager.sendMessageStream('agent', 'slow')) {
      const id = event.kind === 'task' ? event.id : event.taskId;
      return { state: (await manager.cancelTask('agent', id)).status.state };
    }
    throw new Error('the stream had no event');
  },
  async question(url) {
    const { session, say } = open(url);
    const question = await say('ask');
    const tasks = new Set([session.getSessionState().taskId]);
    const text = bodyOf(await say('Lisbon'));
    // The session forgets the id of a task that has ended, and keeps that of another one.
    const { taskId } = session.getSessionState();
    if (taskId !== undefined) tasks.add(taskId);
    return { question, text, tasks: tasks.size };
  },
  async error(url) {
    const { manager, load } = open(url);
    await load();
    return manager.getTask('agent', 'no-such-task').then(
      () => ({}),
      ({ cause }) => ({ error: cause.constructor.name }),
    );
  },
  async 'receive file'(url) {
    const { manager, load } = open(url);
    await load();
    const parts = [];
    for await (const { artifact, artifacts = [artifact] } of manager.sendMessageStream('agent', 'file')) {
      parts.push(...artifacts.flatMap((one) => one?.parts ?? []));
    }
    const { file } = parts.find(({ kind }) => kind === 'file');
    return { mediaType: file.mimeType, content: Buffer.from(file.bytes, 'base64').toString() };
  },
});
