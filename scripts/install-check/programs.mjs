// The source files of the projects of `npm run install-check`.

/** Serves an agent with Express, calls it, and creates a bus with ioredis. The arguments are the expected major versions. */
export const SERVER = `
import { createRequire } from 'node:module';
import { createClient } from '@parley/a2a/client';
import { expressHandler } from '@parley/a2a/express';
import { redis } from '@parley/a2a/redis';
import { createAgent } from '@parley/a2a/server';
import express from 'express';

const require = createRequire(import.meta.url);
const [, , ...wanted] = process.argv;
const majors = ['express', 'ioredis'].map((name) => require(\`\${name}/package.json\`).version.split('.')[0]);
if (majors.join() !== wanted.join()) throw new Error(\`expected the major versions \${wanted}, installed are \${majors}\`);

const app = express();
app.use((request, response, next) => {
  request.user = { id: 'ann' };
  next();
});
// No Redis listens on this port: the bus warns and retries, and the agent works without it.
const bus = redis('redis://127.0.0.1:1', { onWarning: () => {} });
const agent = createAgent({
  name: 'Echo',
  bus,
  auth: ({ host }) => host.express?.user,
  execute: ({ text, caller }) => \`\${caller.id} said \${text}\`,
});
app.use('/agent', expressHandler(agent));
const server = app.listen(0, '127.0.0.1', async () => {
  const client = createClient(\`http://127.0.0.1:\${server.address().port}/agent\`);
  const reply = await client.send('hello');
  if (reply.text !== 'ann said hello') throw new Error(reply.text);
  await client.close();
  await agent.close({ drainMs: 0 });
  process.exit();
});
`;

/** A page that uses the client and the hooks. */
export const PAGE = `
import { createClient } from '@parley/a2a/client';
import { ConversationProvider, useConversation } from '@parley/a2a/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

const client = createClient('https://agent.example.com');

function Chat() {
  const { messages, send } = useConversation();
  return <button type="button" onClick={() => send('hello')}>{messages.length}</button>;
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <ConversationProvider client={client}>
      <Chat />
    </ConversationProvider>
  </StrictMode>,
);
`;
