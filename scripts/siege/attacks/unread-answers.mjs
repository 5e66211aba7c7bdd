// F63: reads of a very large task, one per connection, that are never read.
import { setTimeout as pause } from 'node:timers/promises';
import { growTask, RETRY_MS } from './common.mjs';
import { hold, onEach, toRequest } from './raw.mjs';

const TASK_BYTES = 39_000_000;

/** @param {import('../attacker-process.mjs').Siege} siege */
export async function attack(siege) {
  const { ports, token, count, connections, ready } = siege;
  const bytes = toRequest({ path: `/tasks/${await growTask(siege, TASK_BYTES)}`, token });
  ready();
  await onEach(connections, async (index) => {
    for (;;) {
      await hold(ports[index % ports.length] ?? 0, bytes, 'unread');
      count('connection ended');
      await pause(RETRY_MS);
    }
  });
}
