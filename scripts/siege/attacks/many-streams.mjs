// F67: as many streams as the server accepts, on tasks that never end. One task has at most 1,000 readers.
import { setTimeout as pause } from 'node:timers/promises';
import { bodyOf } from '../jobs.mjs';
import { sendOnce } from './common.mjs';
import { after, hold, onEach, toRequest } from './raw.mjs';

const TASKS = 4;

/** @param {import('../attacker-process.mjs').Siege} siege */
export async function attack(siege) {
  const { ports, token, count, connections, ready } = siege;
  /** @type {Buffer[]} */
  const requests = [];
  for (let n = 0; n < TASKS; n += 1) {
    const text = await sendOnce(siege, { path: '/message:send', body: bodyOf({ kind: 'hold' }, { returnImmediately: true }) });
    requests.push(toRequest({ path: `/tasks/${JSON.parse(text).task.id}:subscribe`, token }));
  }
  const onSent = after(connections, ready);
  await onEach(connections, async (index) => {
    await pause(index); // a burst would fill the queue of the operating system, which no server can prevent
    await hold(ports[index % ports.length] ?? 0, requests[index % TASKS] ?? Buffer.alloc(0), { isRead: true, onSent });
    count('connection ended');
  });
}
