// F66: starts runs that never end, to take all places.
import { bodyOf } from '../jobs.mjs';
import { sendOnce } from './common.mjs';
import { onEach } from './raw.mjs';

/** Two attackers together start more than the 1,000 runs that one server allows. All go to the first node. */
const RUNS = 600;

/** @param {import('../attacker-process.mjs').Siege} siege */
export async function attack(siege) {
  const { connections, ready } = siege;
  let sent = 0;
  await onEach(connections, async () => {
    for (;;) {
      sent += 1;
      if (sent === RUNS) ready();
      const text = await sendOnce(siege, { path: '/message:send', body: bodyOf({ kind: 'hold' }, { returnImmediately: true }) });
      if (text === '') ready(); // refused: there are no more places
    }
  });
}
