// F67: bodies that are sent almost to their end, and never finished.
import { setTimeout as pause } from 'node:timers/promises';
import { RETRY_MS } from './common.mjs';
import { after, hold, onEach, toRequest } from './raw.mjs';

/** The body limit before and after D58. */
const LENGTHS = [10_400_000, 4_190_000];
const MISSING_BYTES = 10_000;

/** @param {import('../attacker-process.mjs').Siege} siege */
export async function attack({ ports, token, count, connections, ready }) {
  const requests = LENGTHS.map((length) => toRequest({ path: '/message:send', token, body: ' '.repeat(length - MISSING_BYTES), length }));
  const onSent = after(connections, ready);
  await onEach(connections, async (index) => {
    for (let n = index; ; n += 1) {
      await hold(ports[n % ports.length] ?? 0, requests[n % requests.length] ?? Buffer.alloc(0), { isRead: true, onSent });
      count('connection ended');
      await pause(RETRY_MS);
    }
  });
}
