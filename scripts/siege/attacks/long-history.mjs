// F72: turn after turn on one task, with long messages. When the task is full, the next one begins.
import { bodyOf } from '../jobs.mjs';
import { sendOnce } from './common.mjs';
import { after, onEach } from './raw.mjs';

/** Of each attacker, before the time of the attack begins. */
const TURNS = 40;
const TEXT = 'x'.repeat(300_000);

/** @param {import('../attacker-process.mjs').Siege} siege */
export async function attack(siege) {
  const onTurn = after(TURNS, siege.ready);
  await onEach(siege.connections, async (index) => {
    let taskId = '';
    for (let n = index; ; n += 1) {
      const body = bodyOf({ kind: 'turn' }, { extra: [{ text: TEXT }], ...(taskId && { taskId }), historyLength: 0 });
      const text = await sendOnce(siege, { path: '/message:send', body, node: n });
      onTurn();
      taskId = text === '' ? '' : (JSON.parse(text).task?.id ?? '');
    }
  });
}
