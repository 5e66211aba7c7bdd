import assert from 'node:assert/strict';
import { readCard, send, startExample } from '../start-example.mjs';

const agent = await startExample(new URL('agent.mjs', import.meta.url));
try {
  assert.equal((await readCard(agent.url)).name, 'Echo');

  const { task } = await send(agent.url, { parts: [{ text: 'Hello, agent!' }] });
  assert.equal(task.status.state, 'TASK_STATE_COMPLETED');
  assert.deepEqual(task.artifacts, [{ artifactId: 'answer', parts: [{ text: 'Hello, agent!' }] }]);
  console.log('hello: the agent serves a card and echoes the message');
} finally {
  await agent.stop();
}
