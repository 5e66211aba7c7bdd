import assert from 'node:assert/strict';
import { cancel, send, startExample, stream } from '../start-example.mjs';

const agent = await startExample(new URL('agent.mjs', import.meta.url));
try {
  await asksAndStreams(agent.url);
  await canBeCancelled(agent.url);
} finally {
  await agent.stop();
}

/** @param {string} url */
async function asksAndStreams(url) {
  const { task } = await send(url, { parts: [{ text: 'Plan a trip' }] });
  assert.equal(task.status.state, 'TASK_STATE_INPUT_REQUIRED');
  assert.match(task.status.message.parts[0].text, /Which city/);

  const events = [];
  for await (const event of stream(url, { taskId: task.id, parts: [{ text: 'Lisbon' }] })) events.push(event);
  const chunks = events.flatMap(({ artifactUpdate }) => (artifactUpdate ? [artifactUpdate.artifact.parts[0].text] : []));
  assert.equal(events[0]?.task?.id, task.id);
  assert.equal(chunks.length, 3);
  assert.match(chunks.join(''), /^Friday in Lisbon: .*\nSaturday in Lisbon: .*\nSunday in Lisbon: .*\n$/);
  assert.equal(events.at(-1)?.statusUpdate?.status.state, 'TASK_STATE_COMPLETED');
  const ids = events.map(({ id }) => id);
  assert.deepEqual(
    ids,
    [...new Set(ids)].sort((a, b) => a - b),
  );
  console.log('trip planner: asks, then streams a plan that uses the answer');
}

/** @param {string} url */
async function canBeCancelled(url) {
  const { task } = await send(url, { parts: [{ text: 'Plan a trip' }] });
  for await (const { artifactUpdate } of stream(url, { taskId: task.id, parts: [{ text: 'Oslo' }] })) if (artifactUpdate) break;
  const { status, artifacts } = await cancel(url, task.id);
  assert.equal(status.state, 'TASK_STATE_CANCELED');
  assert.equal(status.message.parts[0].text, 'Home is nice, too.');
  assert.doesNotMatch(artifacts[0].parts[0].text, /Sunday/);
  console.log('trip planner: stops when it is canceled, and keeps what it wrote');
}
