// F63: reads of a very large task, one per connection, that are never read.
import { setTimeout as pause } from 'node:timers/promises';
import { growTasks, RETRY_MS } from './common.mjs';
import { after, hold, onEach, toRequest } from './raw.mjs';

const TASK_BYTES = 39_000_000;

/** @param {import('../attacker-process.mjs').Siege} siege */
export async function attack(siege) {
  const { ports, token, count, connections, ready } = siege;
  const [id] = await growTasks(siege, 1, TASK_BYTES);
  const bytes = toRequest({ path: `/tasks/${id}`, token });
  const onSent = after(connections, ready);
  await onEach(connections, async (index) => {
    for (;;) {
      await hold(ports[index % ports.length] ?? 0, bytes, { isRead: false, onSent });
      count('connection ended');
      await pause(RETRY_MS);
    }
  });
}
