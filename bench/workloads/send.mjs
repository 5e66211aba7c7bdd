// 1 to 3: unary sends, over 16 connections, and over 4 and 1, because a server that gathers its work gains most from many connections.
import { message } from '../load/client.mjs';
import { cpuPerOperation, expect } from '../measure.mjs';
import { ARTIFACT, REPLY } from '../servers/script.mjs';
import { requests } from './requests.mjs';

/** @typedef {import('../measure.mjs').Workload} Workload */
/** @typedef {import('../measure.mjs').Bench} Bench */
/** @typedef {Readonly<{ id: string, title: string, measure: (bench: Bench, connections: number) => Promise<number> }>} Kind */

export const MANY = 16;

/** @type {readonly Kind[]} */
const KINDS = [
  { id: '1', title: 'SendMessage, returns a Message, JSON-RPC', measure: measureMessage },
  { id: '2', title: 'SendMessage, returns a Task with an artifact, JSON-RPC', measure: measureTask },
  { id: '3', title: 'SendMessage, returns a Task with an artifact, HTTP+JSON', measure: measureTaskByRest },
];

/** Three repetitions of these show the trend. */
const WITHOUT_GOAL = ['1 × 4', '1 × 1', '2 × 4', '3 × 4', '3 × 1'];

/** @type {readonly Workload[]} */
export const sends = KINDS.flatMap((kind) => [MANY, 4, 1].map((connections) => sendOf(kind, connections)));

/**
 * @param {Kind} kind
 * @param {number} connections
 * @returns {Workload}
 */
function sendOf(kind, connections) {
  const id = `${kind.id} × ${connections}`;
  const isMain = connections === MANY;
  const isWithoutGoal = WITHOUT_GOAL.includes(id);
  const isMeasuredWithSql = isMain && kind.id !== '1';
  return {
    id,
    title: `${isMain ? kind.title : 'the same'}, ${connections} connection${connections === 1 ? '' : 's'}`,
    unit: 'µs per request',
    contestants: ['floor', 'gathered', 'peer', ...(isMeasuredWithSql ? /** @type {const} */ (['peer-sql']) : []), 'memory', 'sqlite'],
    size: {
      ...(isWithoutGoal && { full: { repetitions: 3 } }),
      ...(!isMain && { quick: { repetitions: 1 } }),
    },
    isFullOnly: isWithoutGoal,
    // The overhead share divides by the cost of the peer, so the peer must be as warm and as often measured as Parley.
    isPeerEqual: true,
    ...(!isMain && { peerSize: { quick: { repetitions: 0 } } }),
    ...(kind.id === '2' && { peerSqlSize: { quick: { repetitions: 1 } } }),
    run: (bench) => kind.measure(bench, connections),
  };
}

/**
 * @param {Bench} bench
 * @param {number} connections
 */
async function measureMessage(bench, connections) {
  const build = () => bench.client.rpc('SendMessage', message('message'));
  const reply = await bench.client.ask(build());
  expect(reply.message?.parts?.[0]?.text, REPLY, 'the text of the message');
  return cpuPerOperation(bench, () => requests(bench, build, { mark: REPLY, connections }));
}

/**
 * @param {Bench} bench
 * @param {number} connections
 */
async function measureTask(bench, connections) {
  return cpuPerOperation(bench, await sendTask(bench, { text: 'task', connections }));
}

/**
 * @param {Bench} bench
 * @param {number} connections
 */
async function measureTaskByRest(bench, connections) {
  return cpuPerOperation(bench, await sendTask(bench, { text: 'task', connections, isRest: true }));
}

/**
 * Checks the reply to one request; returns a function that sends one round of them.
 * @param {Bench} bench
 * @param {{ text: string, connections: number, isRest?: boolean }} options `text` is the command for the agent
 */
export async function sendTask(bench, { text, connections, isRest = false }) {
  const { client } = bench;
  const build = () => (isRest ? client.rest('/message:send', message(text)) : client.rpc('SendMessage', message(text)));
  const { task } = await client.ask(build());
  expect(task?.status?.state, 'TASK_STATE_COMPLETED', 'the state of the task');
  expect(task.artifacts?.length, 1, 'the number of artifacts');
  expect(task.artifacts[0].artifactId, ARTIFACT, 'the id of the artifact');
  expect(task.artifacts[0].parts?.[0]?.text, REPLY, 'the text of the artifact');
  expect(task.history?.[0]?.parts?.[0]?.text, text, 'the text of the message in the history');
  return () => requests(bench, build, { mark: 'TASK_STATE_COMPLETED', connections });
}
