// F61, F62: bodies that are expensive to read: many small values, deep nesting, long metadata, and the largest that the limits allow.
import { bodyOf } from '../jobs.mjs';
import { sendOnce } from './common.mjs';
import { onEach } from './raw.mjs';

/** @param {import('../attacker-process.mjs').Siege} siege */
export async function attack(siege) {
  const bodies = [
    Buffer.from(JSON.stringify(bodyOf({ kind: 'store' }, { extra: [{ data: filled(4_900_000, 2) }] }))),
    Buffer.from(JSON.stringify(bodyOf({ kind: 'store' }, { extra: [{ data: filled(4_100_000, 195) }] }))),
    Buffer.from(JSON.stringify(bodyOf({ kind: 'store' }, { metadata: filled(4_100_000, 2) }))),
    Buffer.from(JSON.stringify(bodyOf({ kind: 'store' }, { metadata: filled(9_900_000, 8) }))),
  ];
  siege.ready();
  await onEach(siege.connections, async (index) => {
    for (let n = index; ; n += 1) {
      await sendOnce(siege, { path: '/message:send', body: bodies[n % bodies.length] ?? '', node: 0 });
    }
  });
}

/**
 * An object of about this many bytes: branches of 50 levels, each level with values of `valueBytes`, under distinct keys.
 * @param {number} bytes
 * @param {number} valueBytes
 */
function filled(bytes, valueBytes) {
  /** @type {Record<string, unknown>} */
  const top = {};
  const value = 'v'.repeat(valueBytes);
  let keys = 0;
  for (let size = 0; size < bytes; ) {
    /** @type {Record<string, unknown>} */
    let level = {};
    const key = `branch${keys}`;
    for (let depth = 0; depth < 50; depth += 1) {
      keys += 1;
      level = { [`k${keys}`]: value, n: level };
      size += 18 + valueBytes;
    }
    top[key] = level;
  }
  return top;
}
