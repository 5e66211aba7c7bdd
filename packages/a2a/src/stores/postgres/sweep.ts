import { toColumn } from '../sql/name.js';
import type { TaskStore } from '../store.js';
import type { Database } from './database.js';

/** Deletes, then compacts, at most `batch` tasks in one transaction. Returns 0 when another node is sweeping. Also folds counts. */
export function prepareSweep(db: Database, s: string): TaskStore['sweep'] {
  const sql = `SELECT ${s}.sweep_tasks($1, $2, $3, $4, $5, $6, $7)`;
  return async ({ agent, deleteFinalAfterMs, replayMs, batch }, now) => {
    const deleteBefore = deleteFinalAfterMs === undefined ? null : Math.floor(now - deleteFinalAfterMs);
    const values = [s, toColumn(agent), deleteBefore, Math.floor(now - replayMs), batch, Math.floor(now)];
    return (await db.one<readonly [number]>(sql, ({ lockMs }) => [lockMs, ...values]))?.[0] ?? 0;
  };
}
