// F65: starts runs that ask a question, and never replies.
import { bodyOf } from '../jobs.mjs';
import { sendOnce } from './common.mjs';
import { after, onEach } from './raw.mjs';

/** Of each attacker, before the time of the attack begins. */
const RUNS = 500;
const BALLAST = 'x'.repeat(20_000);

/** @param {import('../attacker-process.mjs').Siege} siege */
export async function attack(siege) {
  const onSent = after(RUNS, siege.ready);
  await onEach(siege.connections, async (index) => {
    for (let n = index; ; n += 1) {
      const body = bodyOf({ kind: 'wait' }, { returnImmediately: true, extra: [{ text: BALLAST }] });
      await sendOnce(siege, { path: '/message:send', body, node: n });
      onSent();
    }
  });
}
