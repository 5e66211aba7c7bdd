import { onlyAppends } from '../sql/write-values.js';
import type { CommitResult, TaskWrite } from '../store.js';
import type { Connection } from './connection.js';
import { isOutcomeUnknown, toUnavailable } from './failure.js';
import type { WriteHealth } from './write-health.js';
import type { WriteTask } from './write-task.js';

/**
 * Applies all writes in one transaction with the commit time `at`, and returns one answer per write. Throws only when it is unknown whether
 * the file has the writes.
 */
export function prepareCommit(
  db: Connection,
  writeTask: WriteTask,
  health: WriteHealth,
): (writes: readonly TaskWrite[], at: number) => readonly CommitResult[] {
  const together = (writes: readonly TaskWrite[], at: number): readonly CommitResult[] => {
    const [first] = writes;
    if (writes.length === 1 && first !== undefined && onlyAppends(first)) return [writeTask(first, at)];
    return db.transaction(() => writes.map((write) => writeTask(write, at)));
  };
  const attempt = (writes: readonly TaskWrite[], at: number): readonly CommitResult[] => {
    try {
      return together(writes, at);
    } catch (cause) {
      if (isOutcomeUnknown(cause)) throw cause;
      // Nothing was written. Try the writes one by one: on a full disk, a small write may still fit.
      if (writes.length > 1) return writes.flatMap((write) => attempt([write], at));
      health.failed();
      return [{ kind: 'failed', cause: toUnavailable(cause) }];
    }
  };
  return attempt;
}
