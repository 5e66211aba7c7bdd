// F66: starts runs that never end, to take all places.
import { bodyOf } from '../jobs.mjs';
import { sendOnce } from './common.mjs';
import { onEach } from './raw.mjs';

/** @param {import('../attacker-process.mjs').Siege} siege */
export async function attack(siege) {
  siege.ready();
  await onEach(siege.connections, async (index) => {
    for (let n = index; ; n += 1) {
      await sendOnce(siege, { path: '/message:send', body: bodyOf({ kind: 'hold' }, { returnImmediately: true }), node: n });
    }
  });
}
