// F67: the largest messages that the limits allow, each kept in a task.
import { bodyOf } from '../jobs.mjs';
import { sendOnce } from './common.mjs';
import { after, onEach } from './raw.mjs';

/** Of each attacker. */
const MESSAGES = 24;
const SIZES = [4_900_000, 4_100_000];

/** @param {import('../attacker-process.mjs').Siege} siege */
export async function attack(siege) {
  const bodies = SIZES.map((size) => Buffer.from(JSON.stringify(bodyOf({ kind: 'store' }, { extra: [{ text: 'x'.repeat(size) }] }))));
  const onSent = after(MESSAGES, siege.ready);
  await onEach(siege.connections, async (index) => {
    for (let n = index; ; n += 1) {
      await sendOnce(siege, { path: '/message:send', body: bodies[n % bodies.length] ?? '', node: n });
      onSent();
    }
  });
}
