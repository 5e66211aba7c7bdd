/** Erases tasks on request, in any state (D60). Each call is one transaction. */
import { toColumn } from '../sql/name.js';
import { ERASED } from '../sql/request-row.js';
import { refValues, toRef } from '../sql/tasks.js';
import type { ContextRef, TaskRef } from '../store.js';
import type { Connection } from './connection.js';
import { BY_REF } from './tasks.js';
import type { Totals } from './totals.js';

type Found = readonly [pk: number, agent: string, tenant: string, owner: string, id: string, state: number];

interface Erase {
  erase(ref: TaskRef): boolean;
  eraseContext(context: ContextRef, limit: number): readonly TaskRef[];
}

export function prepareErase(db: Connection, totals: Totals): Erase {
  const columns = 'pk, agent, tenant, owner, id, state';
  const scope = 'agent = ? AND tenant = ? AND owner = ?';
  const find = db.query<Found>(`SELECT ${columns} FROM tasks WHERE ${BY_REF}`);
  const newest = db.query<Found>(
    `SELECT ${columns} FROM tasks INDEXED BY tasks_by_context WHERE ${scope} AND context = ? ORDER BY pk DESC LIMIT ?`,
  );
  const deletions = ['events', 'inbox', 'task_messages', 'task_artifacts'].map((table) => `DELETE FROM ${table} WHERE task = ?`);
  const commands = [...deletions, 'DELETE FROM tasks WHERE pk = ?'].map((sql) => db.command(sql));
  const eraseRequests = db.command(`UPDATE requests SET body_hash = '${ERASED}' WHERE ${scope} AND task_id = ?`);
  const eraseReplies = db.command(`
    UPDATE requests SET body_hash = '${ERASED}', task_id = '', reply = NULL
    WHERE ${scope} AND reply IS NOT NULL AND json_extract(reply, '$.contextId') = ?`);

  const eraseFound = ([pk, agent, tenant, owner, id, state]: Found): void => {
    for (const command of commands) command([pk]);
    eraseRequests([agent, tenant, owner, id]);
    totals.moved({ agent, tenant, owner }, state, undefined);
  };

  return {
    erase: (ref) =>
      overwriting(db, () => {
        const found = find.one(refValues(ref));
        if (found !== undefined) eraseFound(found);
        return found !== undefined;
      }),
    eraseContext: ({ agent, tenant, owner, contextId }, limit) =>
      overwriting(db, () => {
        const names = [toColumn(agent), toColumn(tenant), toColumn(owner)];
        const found = newest.all([...names, toColumn(contextId), limit]);
        for (const row of found) eraseFound(row);
        if (toColumn(contextId) === contextId) eraseReplies([...names, contextId]); // an encoded name is not the text in the reply
        return found.map(([, ...ref]) => toRef([ref[0], ref[1], ref[2], ref[3]]));
      }),
  };
}

/** SQLite leaves deleted texts in unused parts of the file, unless it is told to overwrite them with zeros. */
function overwriting<T>(db: Connection, work: () => T): T {
  db.exec('PRAGMA secure_delete = ON');
  try {
    return db.transaction(work);
  } finally {
    db.exec('PRAGMA secure_delete = OFF');
  }
}
