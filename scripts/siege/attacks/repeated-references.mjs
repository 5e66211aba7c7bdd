// F71: messages that refer to one task of 200 kB 3,000 times.
import { bodyOf } from '../jobs.mjs';
import { growTasks, sendOnce } from './common.mjs';
import { onEach } from './raw.mjs';

const TASK_BYTES = 200_000;
const REFERENCES = 3_000;

/** @param {import('../attacker-process.mjs').Siege} siege */
export async function attack(siege) {
  const [id] = await growTasks(siege, 1, TASK_BYTES);
  const { message, ...rest } = bodyOf({ kind: 'store' });
  const body = Buffer.from(JSON.stringify({ ...rest, message: { ...message, referenceTaskIds: new Array(REFERENCES).fill(id) } }));
  siege.ready();
  await onEach(siege.connections, async (index) => {
    for (let n = index; ; n += 1) await sendOnce(siege, { path: '/message:send', body, node: n });
  });
}
