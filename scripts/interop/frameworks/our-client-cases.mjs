// The same cases with Parley's client, against an agent of another framework.
import assert from 'node:assert/strict';
import { A2AError, A2ATaskCanceledError, A2ATaskFailedError } from '@parley/a2a';

/** @typedef {import('@parley/a2a/client').Client} Client */
/** @typedef {import('./peers.mjs').Agent} Agent */

/** @type {Record<import('./cases.mjs').CaseName, (client: Client, agent: Agent) => Promise<void>>} */
export const OUR_CLIENT = {
  async discovery(client, { name, version }) {
    const card = await client.card();
    assert.equal(card.name, name);
    const versions = card.supportedInterfaces.map(({ protocolVersion }) => protocolVersion);
    assert.ok(
      versions.some((one) => one.startsWith(version)),
      `expected an interface of ${version}, got ${versions}`,
    );
  },
  async send(client) {
    assert.equal((await client.send('hello')).text, 'You said: hello');
  },
  async stream(client) {
    const run = client.run('stream');
    const deltas = [];
    for await (const update of run) if (update.kind === 'text') deltas.push(update.delta);
    assert.equal((await run.result).text, 'one two three');
    assert.ok(deltas.length >= 3, `expected a delta for each word, got ${JSON.stringify(deltas)}`);
  },
  async cancel(client) {
    const run = client.run('slow');
    /** @type {unknown} */
    let error;
    try {
      for await (const update of run) if (update.kind === 'text') await run.cancel();
    } catch (thrown) {
      error = thrown;
    }
    assert.ok(error instanceof A2ATaskCanceledError, String(error));
    assert.equal((await client.getTask({ id: run.taskId ?? '' })).status.state, 'TASK_STATE_CANCELED');
  },
  async question(client, { answer }) {
    /** @type {string[]} */
    const tasks = [];
    const { text, ...reply } = await client.run('ask', {
      onInputRequired(prompt, { task, message }) {
        tasks.push(task.id);
        // ADK asks with a data part; the prompt is then a general text.
        assert.match(`${prompt} ${JSON.stringify(message?.parts)}`, /Which city\?/);
        return answer;
      },
    }).result;
    assert.ok(reply.kind === 'task', 'expected a task');
    assert.match(text, /A room in Lisbon\.$/);
    assert.deepEqual(tasks, [reply.taskId]);
  },
  async error(client, { unknownTask }) {
    const failed = await client.run('fail').result.catch((error) => error);
    assert.ok(failed instanceof A2ATaskFailedError, String(failed));
    assert.match(failed.message, /failed on purpose/);
    const unknown = await client.getTask({ id: 'no-such-task' }).catch((error) => error);
    assert.ok(unknown instanceof A2AError, String(unknown));
    assert.equal(unknown.reason, unknownTask);
  },
  async 'receive file'(client) {
    const { artifacts } = await client.run('file').result;
    const file = artifacts.flatMap(({ parts }) => parts).find(({ raw }) => raw !== undefined);
    assert.deepEqual([file?.mediaType, Buffer.from(file?.raw ?? '', 'base64').toString()], ['text/plain', 'Hello file']);
  },
  async 'send file'(client) {
    const raw = Buffer.from('Hello file').toString('base64');
    const { text } = await client.run([{ raw, mediaType: 'text/plain', filename: 'report.txt' }]).result;
    assert.match(text, /^Received 10 bytes of (?:text\/plain|txt)$/);
  },
};
