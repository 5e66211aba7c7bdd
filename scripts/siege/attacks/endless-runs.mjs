// F66: starts runs that never end, to take all places.
import { bodyOf } from '../jobs.mjs';
import { sendOnce } from './common.mjs';
import { onEach } from './raw.mjs';

/** Two attackers together start more than the 1,000 runs that one server allows. */
const RUNS_PER_SERVER = 600;

/** @param {import('../attacker-process.mjs').Siege} siege */
export async function attack(siege) {
  const { ports, connections, ready } = siege;
  const wanted = RUNS_PER_SERVER * ports.length;
  let sent = 0;
  await onEach(connections, async (index) => {
    for (let n = index; ; n += 1) {
      sent += 1;
      if (sent === wanted) ready();
      const text = await sendOnce(siege, { path: '/message:send', body: bodyOf({ kind: 'hold' }, { returnImmediately: true }), node: n });
      if (text === '') ready(); // refused: there are no more places
    }
  });
}
