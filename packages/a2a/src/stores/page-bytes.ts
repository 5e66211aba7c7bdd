/** The size of a task in a page of a list, which ends early when its tasks are large (`ListQuery.maxBytes`). */
import type { ListQuery, StoredTask } from './store.js';

/** The length of the texts. Artifacts that the caller does not need count only if the task has a tail, which is folded into them. */
export function pageBytesOf({ snapshot: { text }, tail }: StoredTask, { withoutArtifacts }: Pick<ListQuery, 'withoutArtifacts'>): number {
  let bytes = text.head.length + text.history.length;
  if (withoutArtifacts !== true || tail.length > 0) bytes += text.artifacts.length;
  for (const { json } of tail) bytes += json.length;
  return bytes;
}
