// F61, F62: bodies that are expensive to read: many small values, deep nesting, long metadata, and the largest that the limits allow.
import { bodyOf } from '../jobs.mjs';
import { sendOnce } from './common.mjs';
import { onEach } from './raw.mjs';

const LEVELS = 50;
const HERE = 'HERE';

/** @param {import('../attacker-process.mjs').Siege} siege */
export async function attack(siege) {
  const dense = nested(4_100_000, 2);
  const asData = JSON.stringify(bodyOf({ kind: 'store' }, { extra: [{ data: HERE }] }));
  const asMetadata = JSON.stringify(bodyOf({ kind: 'store' }, { metadata: { key: HERE } }));
  const bodies = [
    fill(asData, dense),
    fill(asData, nested(4_100_000, 195)),
    fill(asMetadata, dense),
    fill(asMetadata, nested(9_900_000, 8)),
  ];
  siege.ready();
  await onEach(siege.connections, async (index) => {
    for (let n = index; ; n += 1) await sendOnce(siege, { path: '/message:send', body: bodies[n % bodies.length] ?? '' });
  });
}

/**
 * @param {string} body
 * @param {string} json
 */
function fill(body, json) {
  return Buffer.from(body.replace(`"${HERE}"`, () => json));
}

/**
 * The text of an object of about this size: branches of 50 levels, each with a value of `valueBytes`, all under distinct keys. As text,
 * because the objects themselves take seconds to build.
 * @param {number} bytes
 * @param {number} valueBytes
 */
function nested(bytes, valueBytes) {
  const value = 'v'.repeat(valueBytes);
  const end = `{}${'}'.repeat(LEVELS)}`;
  /** @type {string[]} */
  const pieces = [];
  let keys = 0;
  for (let size = 0; size < bytes; ) {
    pieces.push(`${pieces.length === 0 ? '{' : ','}"b${keys}":`);
    for (let level = 0; level < LEVELS; level += 1) {
      keys += 1;
      const piece = `{"k${keys}":"${value}","n":`;
      size += piece.length + 1;
      pieces.push(piece);
    }
    pieces.push(end);
  }
  return `${pieces.join('')}}`;
}
