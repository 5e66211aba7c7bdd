/** An order of tasks that is another one on each node: those that find the same orphans begin at different ends. */
import { refKey, type TaskRef } from '../stores/store.js';

export function inOrderOf(node: string, refs: readonly TaskRef[]): TaskRef[] {
  return refs
    .map((ref) => ({ ref, rank: hash(node + refKey(ref)) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ ref }) => ref);
}

/** FNV-1a: quick, and spread well enough. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value >>> 0;
}
