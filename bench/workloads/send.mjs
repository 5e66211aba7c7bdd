// 1 to 3: unary sends.
import { message } from '../load/client.mjs';
import { cpuPerOperation, expect } from '../measure.mjs';
import { ARTIFACT, REPLY } from '../servers/script.mjs';
import { requests } from './requests.mjs';

/** @typedef {import('../measure.mjs').Workload} Workload */
/** @typedef {import('../load/client.mjs').Client} Client */

/** @type {Workload} */
export const sendForMessage = {
  id: '1',
  title: 'SendMessage, returns a Message, JSON-RPC',
  unit: 'µs per request',
  contestants: ['floor', 'peer', 'memory', 'sqlite'],
  run: async (bench) => {
    const build = () => bench.client.rpc('SendMessage', message('message'));
    const reply = await bench.client.ask(build());
    expect(reply.message?.parts?.[0]?.text, REPLY, 'the text of the message');
    return cpuPerOperation(bench, () => requests(bench, build, REPLY));
  },
};

/** @type {Workload} */
export const sendForTask = {
  id: '2',
  title: 'SendMessage, returns a Task with an artifact, JSON-RPC',
  unit: 'µs per request',
  contestants: ['floor', 'peer', 'peer-sql', 'memory', 'sqlite'],
  peerSqlSize: { quick: { repetitions: 1 } },
  run: (bench) => measureTask(bench, () => bench.client.rpc('SendMessage', message('task'))),
};

/** @type {Workload} */
export const sendForTaskByRest = {
  id: '3',
  title: 'the same over HTTP+JSON',
  unit: 'µs per request',
  contestants: ['floor', 'peer', 'peer-sql', 'memory', 'sqlite'],
  run: (bench) => measureTask(bench, () => bench.client.rest('/message:send', message('task'))),
};

/**
 * @param {import('../measure.mjs').Bench} bench
 * @param {() => string} build
 */
async function measureTask(bench, build) {
  const { task } = await bench.client.ask(build());
  expect(task?.status?.state, 'TASK_STATE_COMPLETED', 'the state of the task');
  expect(task.artifacts?.length, 1, 'the number of artifacts');
  expect(task.artifacts[0].artifactId, ARTIFACT, 'the id of the artifact');
  expect(task.artifacts[0].parts?.[0]?.text, REPLY, 'the text of the artifact');
  expect(task.history?.[0]?.parts?.[0]?.text, 'task', 'the text of the message in the history');
  return cpuPerOperation(bench, () => requests(bench, build, 'TASK_STATE_COMPLETED'));
}
