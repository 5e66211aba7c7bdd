// Tests of the agent, and of code that calls agents. No test opens a port. Run them with `node check.mjs`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '@parley/a2a/client';
import { createTestFetch, faultFetch, withFaults } from '@parley/a2a/testing';
import { createGreeter } from './agent.mjs';

const onInputRequired = () => 'Ada';

/**
 * Closes the agent after its test: a task that waits for input would keep the process alive.
 * @param {import('node:test').TestContext} t
 */
function startGreeter(t) {
  const greeter = createGreeter();
  t.after(() => greeter.close({ drainMs: 0 }));
  return greeter;
}

test('asks for a name and greets the user by it', async (t) => {
  const client = createClient('http://test', { fetch: createTestFetch(startGreeter(t)), onInputRequired });
  const { text } = await client.run('Greet me').result;
  assert.equal(text, 'Hello, Ada!');
});

test('works over HTTP+JSON alone', async (t) => {
  const fetch = createTestFetch(startGreeter(t), { binding: 'rest' });
  const client = createClient('http://test', { fetch });
  const reply = await client.send('Greet me');
  assert.equal(reply.kind === 'task' && reply.state, 'TASK_STATE_INPUT_REQUIRED');
  assert.deepEqual(
    fetch.requests.map(({ path }) => path),
    ['/.well-known/agent-card.json', '/message:send'],
  );
});

test('every word arrives once, although each connection breaks after two events', async (t) => {
  const fetch = withFaults(createTestFetch(startGreeter(t)), ({ operation }) =>
    operation === 'SendStreamingMessage' || operation === 'SubscribeToTask' ? { do: 'drop', afterFrames: 2 } : undefined,
  );
  const client = createClient('http://test', { fetch, onInputRequired, reconnect: { initialDelayMs: 0 } });
  let said = '';
  let breaks = 0;
  for await (const update of client.run('Greet me')) {
    if (update.kind === 'text') said += update.delta;
    if (update.kind === 'reconnect') breaks += 1;
  }
  assert.equal(said, 'Hello, Ada!');
  assert.ok(breaks >= 1);
});

test('a client retries when the agent is busy', async () => {
  const task = { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_COMPLETED' } };
  const busy = { status: 503, headers: { 'retry-after': '0' } };
  const fetch = faultFetch({ script: { SendMessage: [busy, busy, { value: { task } }] } });
  const client = createClient('http://test', { fetch, retry: { initialDelayMs: 0 } });
  const reply = await client.send('Are you available?');
  assert.equal(reply.kind === 'task' && reply.taskId, 't-1');
  assert.equal(fetch.requests.filter(({ operation }) => operation === 'SendMessage').length, 3);
});
