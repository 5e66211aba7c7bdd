// An agent of the Agent Development Kit without a model, served with `toA2a`.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { BaseAgent, createEvent } from '@google/adk';
import { toA2a } from '@google/adk/a2a';
import { listenOnFreePort, print } from '../program.mjs';

const QUESTION_ID = 'ask-city';

class ScriptedAgent extends BaseAgent {
  async *runAsyncImpl(context) {
    const say = (parts, more = {}) =>
      createEvent({ author: this.name, invocationId: context.invocationId, content: { role: 'model', parts }, ...more });
    const { parts = [] } = context.userContent ?? {};
    const answer = parts.find((part) => part.functionResponse)?.functionResponse;
    const file = parts.find((part) => part.inlineData)?.inlineData;
    const text = parts.map((part) => part.text ?? '').join('');
    if (answer) return yield say([{ text: `A room in ${answer.response.city}.` }]);
    if (file) return yield say([{ text: `Received ${Buffer.from(file.data, 'base64').length} bytes of ${file.mimeType}` }]);
    if (text === 'fail') throw new Error('The agent failed on purpose.');
    if (text === 'file') {
      return yield say([{ inlineData: { mimeType: 'text/plain', data: Buffer.from('Hello file').toString('base64') } }]);
    }
    if (text === 'ask') {
      const call = { id: QUESTION_ID, name: 'ask_city', args: { question: 'Which city?' } };
      return yield say([{ functionCall: call }], { longRunningToolIds: [QUESTION_ID] });
    }
    if (text === 'stream') {
      for (const word of ['one ', 'two ', 'three']) {
        yield say([{ text: word }], { partial: true });
        await sleep(20);
      }
      return yield say([{ text: 'one two three' }]);
    }
    yield say([{ text: `You said: ${text}` }]);
  }
}

// The card needs the port, so the server listens before it has a handler.
const server = createServer();
const url = await listenOnFreePort(server);
const agent = new ScriptedAgent({ name: 'adk_agent', description: 'Does what the text of a message says' });
const { hostname: host, port } = new URL(url);
server.on('request', await toA2a(agent, { host, port: Number(port), allowUnauthenticated: true }));
await print({ url });
