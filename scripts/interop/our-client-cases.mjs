// One case for each use of an agent of the official SDK by our client, over each binding.
import assert from 'node:assert/strict';
import { A2AError, A2ATaskCanceledError, A2ATaskFailedError, A2ATaskRejectedError } from '@parley/a2a';
import { createClient } from '@parley/a2a/client';

/** Created for each case, so that cases do not share a conversation. */
/** @typedef {{ client: import('@parley/a2a/client').Client, calm: import('@parley/a2a/client').Client }} OurTarget `calm`: a client of an agent without streaming */
/** @typedef {{ name: string, run: (target: OurTarget) => Promise<void> }} OurCase */

/**
 * @param {'JSONRPC' | 'HTTP+JSON'} binding
 * @param {{ streaming: string, calm: string }} urls
 * @returns {OurTarget}
 */
export function reach(binding, urls) {
  const prefer = binding === 'JSONRPC' ? 'jsonrpc' : 'rest';
  return {
    client: createClient(urls.streaming, { prefer }),
    calm: createClient(urls.calm, { prefer, pollingIntervalMs: 5 }),
  };
}

const COUNTED = Array.from({ length: 20 }, (_, index) => `${index + 1} `).join('');

/**
 * The cases that are equal for a peer of 1.0 and a peer of 0.3.
 * @type {readonly OurCase[]}
 */
export const COMMON_CASES = [
  { name: 'the card is found and its binding is used', run: readsCard },
  { name: 'G57: the extended card', run: readsExtendedCard },
  { name: 'a send returns the finished task', run: sends },
  { name: 'a send returns a direct message', run: sendsForMessage },
  { name: 'a stream delivers chunk by chunk until the end', run: streams },
  { name: 'G2: the client polls an agent without streaming', run: polls },
  { name: 'G15: the agent asks, the handler replies, and the same task continues', run: answers },
  { name: 'G15: the same with polling', run: answersByPolling },
  { name: 'G19: without a handler the task waits and can be answered later', run: answersLater },
  { name: 'C24: cancel stops the task and the run', run: cancels },
  { name: 'G57: push configuration: create, get, list, delete', run: configuresPush },
  { name: 'D34: a canceled stream resumes at the same position', run: resumes },
  { name: 'C6: watching an ended task reads its stored state', run: watchesEnded },
];

/** @type {readonly OurCase[]} */
export const OUR_CASES = [
  ...COMMON_CASES,
  { name: 'G7: failed and rejected tasks are errors with the whole task', run: readsFailures },
  { name: 'G57: list returns all pages', run: lists },
  { name: 'G46: errors: unknown task, ended task, bad parameters', run: readsErrors },
];

/** @param {OurTarget} target */
async function readsCard({ client }) {
  const card = await client.card();
  assert.match(card.name, /^SDK agent/);
}

/** @param {OurTarget} target */
async function readsExtendedCard({ client }) {
  assert.equal((await client.getExtendedAgentCard({})).name, 'SDK agent, extended');
}

/** @param {OurTarget} target */
async function sends({ client }) {
  const reply = await client.send('count 20');
  assert.deepEqual([reply.kind, reply.text, reply.finishReason], ['task', COUNTED, 'completed']);
}

/** @param {OurTarget} target */
async function sendsForMessage({ client }) {
  const reply = await client.run('message').result;
  assert.deepEqual([reply.kind, reply.text], ['message', 'A direct answer']);
}

/** @param {OurTarget} target */
async function streams({ client }) {
  const run = client.run('count 20');
  const deltas = [];
  for await (const update of run) if (update.kind === 'text') deltas.push(update.delta);
  assert.equal(deltas.length, 20);
  assert.equal(deltas.join(''), COUNTED);
  assert.equal((await run.result).text, COUNTED);
}

/** @param {OurTarget} target */
async function polls({ calm }) {
  assert.equal((await calm.run('count 20').result).text, COUNTED);
}

/** @param {OurTarget} target */
async function answers({ client }) {
  assert.equal(await converse(client), 'Hello Ada');
}

/** @param {OurTarget} target */
async function answersByPolling({ calm }) {
  assert.equal(await converse(calm), 'Hello Ada');
}

/** @param {import('@parley/a2a/client').Client} client */
async function converse(client) {
  /** @type {string[]} */
  const prompts = [];
  const run = client.run('ask', {
    onInputRequired: (prompt) => {
      prompts.push(prompt);
      return 'Ada';
    },
  });
  const { text } = await run.result;
  assert.deepEqual(prompts, ['What is your name?']);
  return text;
}

/** @param {OurTarget} target */
async function answersLater({ client }) {
  const error = await client.run('ask').result.catch((thrown) => thrown);
  assert.deepEqual([error.name, error.prompt], ['A2AInputRequiredError', 'What is your name?']);
  assert.equal((await client.run('Grace', { taskId: error.task.id }).result).text, 'Hello Grace');
}

/** @param {OurTarget} target */
async function cancels({ client }) {
  const run = client.run('slow');
  /** @type {unknown} */
  let error;
  /** @type {import('@parley/a2a').Task | undefined} */
  let task;
  try {
    for await (const update of run) if (update.kind === 'state') task = await run.cancel();
  } catch (thrown) {
    error = thrown;
  }
  assert.ok(task);
  assert.ok(error instanceof A2ATaskCanceledError, String(error));
  assert.equal((await client.getTask({ id: task.id })).status.state, 'TASK_STATE_CANCELED');
}

/** @param {OurTarget} target */
async function readsFailures({ client, calm }) {
  for (const one of [client, calm]) {
    const failed = await one.run('fail').result.catch((error) => error);
    assert.ok(failed instanceof A2ATaskFailedError, String(failed));
    assert.equal(failed.task.history?.[0]?.parts[0]?.text, 'fail');
    const rejected = await one.run('reject').result.catch((error) => error);
    assert.ok(rejected instanceof A2ATaskRejectedError, String(rejected));
  }
}

/** @param {OurTarget} target */
async function lists({ client }) {
  const contextId = crypto.randomUUID();
  const made = [];
  for (let index = 0; index < 5; index += 1) {
    const reply = await client.send('count 1', { contextId });
    if (reply.kind === 'task') made.push(reply.taskId);
  }
  const found = [];
  for await (const task of client.tasks({ contextId, pageSize: 2 })) found.push(task.id);
  assert.deepEqual(found.toSorted(), made.toSorted());
}

/** @param {OurTarget} target */
async function configuresPush({ client }) {
  const reply = await client.send('ask', { contextId: null });
  assert.ok(reply.kind === 'task');
  const taskId = reply.taskId;
  const created = await client.createTaskPushNotificationConfig({ taskId, id: 'one', url: 'http://127.0.0.1:9/hook', token: 'secret' });
  assert.deepEqual([created.id, created.url], ['one', 'http://127.0.0.1:9/hook']);
  assert.equal((await client.getTaskPushNotificationConfig({ taskId, id: 'one' })).token, 'secret');
  assert.equal((await client.listTaskPushNotificationConfigs({ taskId })).configs?.length, 1);
  await client.deleteTaskPushNotificationConfig({ taskId, id: 'one' });
  assert.equal((await client.listTaskPushNotificationConfigs({ taskId })).configs?.length ?? 0, 0);
}

/** @param {OurTarget} target */
async function resumes({ client }) {
  const first = client.run('count 200');
  let taskId = '';
  for await (const update of first) {
    taskId = update.task?.id ?? '';
    if (update.kind === 'text') break;
  }
  const { text } = await client.watch(taskId).result;
  assert.equal(text, Array.from({ length: 200 }, (_, index) => `${index + 1} `).join(''));
}

/** @param {OurTarget} target */
async function watchesEnded({ client }) {
  const reply = await client.send('count 20');
  assert.ok(reply.kind === 'task');
  assert.equal((await client.watch(reply.taskId).result).text, COUNTED);
}

/** @param {OurTarget} target */
async function readsErrors({ client }) {
  await refused(client.getTask({ id: 'no-such-task' }), 'TASK_NOT_FOUND');
  await refused(client.cancelTask({ id: 'no-such-task' }), 'TASK_NOT_FOUND');
  const reply = await client.send('count 1');
  assert.ok(reply.kind === 'task');
  await refused(client.send('more', { taskId: reply.taskId }), 'UNSUPPORTED_OPERATION');
  await refused(client.cancelTask({ id: reply.taskId }), 'TASK_NOT_CANCELABLE');
  await refused(client.listTasks({ pageSize: 1000 }), 'INVALID_PARAMS');
}

/**
 * @param {Promise<unknown>} call
 * @param {string} reason
 */
export async function refused(call, reason) {
  const error = await call.then(
    () => new Error(`expected an error with reason ${reason}`),
    (thrown) => thrown,
  );
  assert.ok(error instanceof A2AError, String(error));
  assert.equal(error.reason, reason);
}
