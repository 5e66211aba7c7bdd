/** Per-node pseudo-random order of tasks, so that nodes do not race for the same orphan. */
import { refKey, type TaskRef } from '../../stores/store.js';

export function inOrderOf(node: string, refs: readonly TaskRef[]): TaskRef[] {
  return refs
    .map((ref) => ({ ref, rank: hash(node + refKey(ref)) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ ref }) => ref);
}

/** FNV-1a, then the finalizer of MurmurHash3: without it, the last characters hardly affect the high bits, which determine the order. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
