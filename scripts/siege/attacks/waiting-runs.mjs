// F65: starts runs that ask a question, and never replies.
import { bodyOf } from '../jobs.mjs';
import { sendOnce } from './common.mjs';
import { onEach } from './raw.mjs';

const BALLAST = 'x'.repeat(20_000);

/** @param {import('../attacker-process.mjs').Siege} siege */
export async function attack(siege) {
  siege.ready();
  await onEach(siege.connections, async (index) => {
    for (let n = index; ; n += 1) {
      const body = bodyOf({ kind: 'wait' }, { returnImmediately: true, extra: [{ text: BALLAST }] });
      await sendOnce(siege, { path: '/message:send', body, node: n });
    }
  });
}
