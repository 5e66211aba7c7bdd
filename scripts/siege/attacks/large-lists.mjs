// F63: lists of large tasks with their artifacts.
import { growTasks, sendOnce } from './common.mjs';
import { onEach } from './raw.mjs';

const TASKS = 30;
const TASK_BYTES = 1_500_000;

/** @param {import('../attacker-process.mjs').Siege} siege */
export async function attack(siege) {
  await growTasks(siege, TASKS, TASK_BYTES);
  siege.ready();
  await onEach(siege.connections, async (index) => {
    for (let n = index; ; n += 1) await sendOnce(siege, { path: '/tasks?pageSize=100&includeArtifacts=true', node: n });
  });
}
