import { toColumn } from '../sql/name.js';
import { COMPACTED, ENDED } from '../sql/tasks.js';
import type { Retention } from '../store.js';
import type { Connection } from './connection.js';
import type { Requests } from './requests.js';
import type { Totals } from './totals.js';

type Old = readonly [pk: number, statusAt: number, agent: string, tenant: string, owner: string, state: number];

/** Deletes, then compacts, the oldest first. Each call is one transaction of at most `batch` tasks. */
export function prepareSweep(db: Connection, requests: Requests, totals: Totals): (policy: Retention, now: number) => number {
  // SQLite needs `ended > 0` to use the partial index; it does not derive it from `ended = n`.
  const old = (ended: number): string => `
    SELECT * FROM (SELECT pk, status_at, agent, tenant, owner, state FROM tasks INDEXED BY tasks_by_end
      WHERE agent = ?1 AND ended > 0 AND ended = ${ended} AND status_at < ?2 ORDER BY status_at, pk LIMIT ?3)`;
  const deletable = db.query<Old>(`
    SELECT * FROM (${old(ENDED)} UNION ALL ${old(COMPACTED)}) ORDER BY status_at, pk LIMIT ?3`);
  const compactable = db.query<Old>(old(ENDED));
  const deleteTask = db.command('DELETE FROM tasks WHERE pk = ?');
  const deleteInbox = db.command('DELETE FROM inbox WHERE task = ?');
  const deleteEvents = db.command('DELETE FROM events WHERE task = ?');
  const deleteMessages = db.command('DELETE FROM task_messages WHERE task = ?');
  const deleteArtifacts = db.command('DELETE FROM task_artifacts WHERE task = ?');
  const emptyInbox = db.command("UPDATE inbox SET json = '' WHERE task = ?");
  const markCompacted = db.command(`UPDATE tasks SET ended = ${COMPACTED} WHERE pk = ?`);

  const remove = (pk: number): void => {
    for (const command of [deleteEvents, deleteInbox, deleteMessages, deleteArtifacts, deleteTask]) command([pk]);
  };
  const compact = (pk: number): void => {
    for (const command of [deleteEvents, emptyInbox, markCompacted]) command([pk]);
  };

  return ({ agent, deleteFinalAfterMs, replayMs, batch }, now) =>
    db.transaction(() => {
      const name = toColumn(agent);
      requests.forgetExpired(now);
      const doomed = deleteFinalAfterMs === undefined ? [] : deletable.all([name, now - deleteFinalAfterMs, batch]);
      for (const [pk] of doomed) remove(pk);
      for (const [, , agent, tenant, owner, state] of doomed) totals.moved({ agent, tenant, owner }, state, undefined);
      const aged = compactable.all([name, now - replayMs, batch - doomed.length]);
      for (const [pk] of aged) compact(pk);
      return doomed.length + aged.length;
    });
}
