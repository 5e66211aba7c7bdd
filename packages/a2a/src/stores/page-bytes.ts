/** The size of a task in a page of a list, which ends early when its tasks are large (`ListQuery.maxBytes`). */
import type { StoredTask } from './store.js';

/** The length of the texts. */
export function pageBytesOf({ snapshot: { text }, tail }: StoredTask): number {
  let bytes = text.head.length + text.history.length + text.artifacts.length;
  for (const { json } of tail) bytes += json.length;
  return bytes;
}
