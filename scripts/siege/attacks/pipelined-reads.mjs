// F60: one large task, then many pipelined reads of it on one connection whose answers are never read.
import { setTimeout as pause } from 'node:timers/promises';
import { growTasks } from './common.mjs';
import { hold, toRequest } from './raw.mjs';

const TASK_BYTES = 9_800_000;
const REQUEST_BYTES = 95_000;

/** @param {import('../attacker-process.mjs').Siege} siege */
export async function attack(siege) {
  const { ports, token, count, ready } = siege;
  const [id] = await growTasks(siege, 1, TASK_BYTES);
  const one = toRequest({ path: `/tasks/${id}`, token });
  const bytes = Buffer.concat(new Array(Math.ceil(REQUEST_BYTES / one.length)).fill(one));
  ready();
  for (let n = 0; ; n += 1) {
    await hold(ports[n % ports.length] ?? 0, bytes, { isRead: false });
    count('connection ended');
    await pause(1_000);
  }
}
