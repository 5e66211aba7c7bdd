// Parley, as built, with the default options. Only the limits of tasks, bytes and readers are raised, because the workloads keep more of
// them open than the defaults allow, all from one address.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { listen } from '@parley/a2a/node';
import { createAgent, memoryStore } from '@parley/a2a/server';
import { sqlite } from '@parley/a2a/sqlite';
import { ARTIFACT, atOnce, historyText, inTurns, REPLY, readAsk, seedId, seedTime } from './script.mjs';

/** @typedef {import('@parley/a2a/server').RequestContext} RequestContext */
/** @typedef {import('@parley/a2a/server').TaskEvents} TaskEvents */
/** @typedef {import('@parley/a2a/server').TaskStore} TaskStore */

const GIB = 1024 ** 3;

/** @type {import('./script.mjs').Held[]} */
const held = [];

/**
 * @param {'memory' | 'sqlite'} kind
 * @param {string} folder
 * @returns {Promise<import('./script.mjs').Served>}
 */
export async function serve(kind, folder) {
  const store = kind === 'memory' ? memoryStore({ maxBytes: GIB, maxBytesPerOwner: GIB }) : sqlite(join(folder, 'tasks.db'));
  const agent = createAgent({
    name: 'Benchmark',
    store,
    executor: { execute },
    maxRunningTasks: 10_000,
    maxRunningTasksPerCaller: 10_000,
    maxReadersPerTask: 2_000,
    maxReadersPerCaller: 10_000,
    onError: (error) => console.error(error),
  });
  const { port } = await listen(agent, { port: 0 });
  return { port, jsonRpcPath: '/', restPath: '', held, seed: (count, order) => seed(store, count, order) };
}

/**
 * @param {RequestContext} context
 * @param {TaskEvents} events
 */
async function execute(context, events) {
  const { kind, count } = readAsk(context.text);
  if (kind === 'message') return events.reply(REPLY);
  if (kind === 'hold') return hold(context, events, count);
  if (kind === 'raw-task') return publishTask(context, events, (artifact) => artifact(REPLY));
  if (kind === 'raw-turns') return publishTask(context, events, (artifact) => inTurns(count, artifact));
  if (kind === 'task') await events.artifact({ artifactId: ARTIFACT, parts: [{ text: REPLY }] });
  if (kind === 'history') await events.publish(longTask(context, count));
  if (kind === 'turns') await inTurns(count, (text) => events.appendText(ARTIFACT, text));
  if (kind === 'burst') atOnce(count, (text) => events.appendText(ARTIFACT, text));
  await events.complete();
}

/**
 * Stays open until the process ends.
 * @param {RequestContext} context
 * @param {TaskEvents} events
 * @param {number} count
 */
async function hold({ signal }, events, count) {
  await events.task();
  atOnce(count, (text) => events.appendText(ARTIFACT, text));
  await events.flush();
  held.push({ chunk: (text) => events.appendText(ARTIFACT, text) });
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
}

/**
 * Publishes the events of the helpers as raw events, as an executor does that was written for another SDK.
 * @param {RequestContext} context
 * @param {TaskEvents} events
 * @param {(artifact: (text: string) => Promise<void>) => Promise<void>} work
 */
async function publishTask({ taskId, contextId, message }, events, work) {
  const status = (/** @type {import('@parley/a2a').TaskState} */ state) => ({ state, timestamp: new Date().toISOString() });
  await events.publish({
    id: taskId,
    contextId,
    status: status('TASK_STATE_SUBMITTED'),
    artifacts: [],
    history: message === undefined ? [] : [message],
  });
  let append = false;
  await work((text) => {
    const published = events.publish({
      taskId,
      contextId,
      artifact: { artifactId: ARTIFACT, parts: [{ text }] },
      append,
      lastChunk: false,
    });
    append = true;
    return published;
  });
  await events.publish({ taskId, contextId, status: status('TASK_STATE_COMPLETED') });
}

/**
 * @param {RequestContext} context
 * @param {number} count
 * @returns {import('@parley/a2a').Task}
 */
function longTask({ taskId, contextId, message }, count) {
  /** @type {import('@parley/a2a').Message[]} */
  const history = message === undefined ? [] : [message];
  for (let index = 1; index < count; index += 1) {
    history.push({ messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: historyText(index) }], contextId, taskId });
  }
  return { id: taskId, contextId, status: { state: 'TASK_STATE_WORKING' }, history };
}

/**
 * Writes completed tasks through the store contract: over the wire it would take longer than the measurement.
 * @param {TaskStore} store
 * @param {number} count
 * @param {'in-order' | 'shuffled'} order
 */
async function seed(store, count, order) {
  for (let n = 0; n < count; n += 1_000) {
    const size = Math.min(1_000, count - n);
    const writes = Array.from({ length: size }, (_, index) => toWrite(n + index, seedTime(n + index, count, order)));
    const answers = await store.commit(writes);
    if (answers.some(({ kind }) => kind !== 'ok')) throw new Error(`the store refused a seeded task: ${JSON.stringify(answers[0])}`);
  }
}

/**
 * @param {number} n
 * @param {number} statusAt
 * @returns {Parameters<TaskStore['commit']>[0][number]}
 */
function toWrite(n, statusAt) {
  const id = seedId(n);
  const contextId = `context-${n % 100}`;
  const status = { state: 'TASK_STATE_COMPLETED', timestamp: new Date(statusAt).toISOString() };
  const message = { messageId: `message-${n}`, role: 'ROLE_USER', parts: [{ text: 'task' }], contextId, taskId: id };
  const artifact = { artifactId: ARTIFACT, parts: [{ text: REPLY }] };
  const json = JSON.stringify({ task: { id, contextId, status, artifacts: [artifact], history: [message] } });
  return {
    ref: { agent: '', tenant: '', owner: '', id },
    epoch: 1,
    firstSeq: 1,
    entries: [{ seq: 1, kind: 'task', at: statusAt, json, generation: 1 }],
    create: { node: 'seed' },
    head: { contextId, state: 'TASK_STATE_COMPLETED', statusAt, statusSeq: 1 },
    snapshot: {
      head: JSON.stringify({ id, contextId, status }),
      history: JSON.stringify(message),
      messagesBefore: 0,
      messages: 1,
      historyBytes: JSON.stringify(message).length,
      artifacts: [{ n: 0, json: JSON.stringify(artifact) }],
    },
  };
}
