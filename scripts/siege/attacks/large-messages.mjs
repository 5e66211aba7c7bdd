// F67: the largest messages that the limits allow, each kept in a task.
import { bodyOf } from '../jobs.mjs';
import { sendOnce } from './common.mjs';
import { onEach } from './raw.mjs';

const SIZES = [4_900_000, 4_100_000];

/** @param {import('../attacker-process.mjs').Siege} siege */
export async function attack(siege) {
  const texts = SIZES.map((size) => 'x'.repeat(size));
  siege.ready();
  await onEach(siege.connections, async (index) => {
    for (let n = index; ; n += 1) {
      const body = bodyOf({ kind: 'store' }, { extra: [{ text: texts[n % texts.length] }] });
      await sendOnce(siege, { path: '/message:send', body, node: n });
    }
  });
}
