// F63: lists without artifacts while a task has a large artifact that changes all the time.
import { setTimeout as pause } from 'node:timers/promises';
import { bodyOf } from '../jobs.mjs';
import { RETRY_MS, sendOnce } from './common.mjs';
import { onEach } from './raw.mjs';

/** The memory store counts such a task, with its log, as 60 MB: almost the share that one owner has for unfinished tasks. */
const TASK_BYTES = 15_000_000;
/** How long the agent gets to write the artifact. */
const GROW_MS = 2_000;

/** @param {import('../attacker-process.mjs').Siege} siege */
export async function attack(siege) {
  const body = bodyOf({ kind: 'swell', bytes: TASK_BYTES }, { returnImmediately: true });
  while ((await sendOnce(siege, { path: '/message:send', body })) === '') await pause(RETRY_MS);
  await pause(GROW_MS);
  siege.ready();
  await onEach(siege.connections, async (index) => {
    for (let n = index; ; n += 1) await sendOnce(siege, { path: '/tasks?pageSize=100', node: n });
  });
}
