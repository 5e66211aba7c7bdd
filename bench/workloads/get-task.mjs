// 6, 6b: reading a task with a long history.
import { message } from '../load/client.mjs';
import { cpuPerOperation, expect } from '../measure.mjs';
import { historyText } from '../servers/script.mjs';
import { requests } from './requests.mjs';

const MESSAGES = 100;

export const getTask = getTaskOf('6', `GetTask with ${MESSAGES} messages in its history`, undefined);
export const getTaskShort = getTaskOf('6b', 'the same, historyLength 1', 1);

/**
 * @param {string} id
 * @param {string} title
 * @param {number | undefined} historyLength
 * @returns {import('../measure.mjs').Workload}
 */
function getTaskOf(id, title, historyLength) {
  return {
    id,
    title,
    unit: 'µs per request',
    contestants: ['floor', 'peer', 'peer-sql', 'memory', 'sqlite'],
    run: async (bench) => {
      const { client } = bench;
      const { task } = await client.ask(client.rpc('SendMessage', message(`history ${MESSAGES}`)));
      const build = () => client.rpc('GetTask', { id: task.id, historyLength });
      const found = await client.ask(build());
      expect(found.id, task.id, 'the id of the task');
      expect(found.status?.state, 'TASK_STATE_COMPLETED', 'the state of the task');
      expect(found.history?.length, historyLength ?? MESSAGES, 'the number of messages');
      expect(found.history.at(-1).parts?.[0]?.text, historyText(MESSAGES - 1), 'the last message');
      return cpuPerOperation(bench, () => requests(bench, build, { mark: historyText(MESSAGES - 1) }));
    },
  };
}
