/**
 * Erases tasks on request, in any state (D60). Each call is one transaction, on a thread of the driver with its own connection: overwriting
 * the texts of a large task takes long enough to block the event loop. Writes wait meanwhile.
 */
import { toColumn } from '../sql/name.js';
import { ERASED } from '../sql/request-row.js';
import { refValues, toRef } from '../sql/tasks.js';
import type { ContextRef, TaskRef } from '../store.js';
import type { Connection } from './connection.js';
import { connectBeside } from './second-connection.js';
import { BY_REF } from './tasks.js';
import type { Totals } from './totals.js';

type Found = readonly [pk: number, agent: string, tenant: string, owner: string, id: string, state: number, bytes: number];

export interface Erased {
  readonly refs: readonly TaskRef[];
  /** The approximate size of the erased texts. */
  readonly chars: number;
}

interface Erase {
  erase(ref: TaskRef): Promise<Erased>;
  eraseContext(context: ContextRef, limit: number): Promise<Erased>;
}

/** The caller keeps other writes out until the promise is settled. */
export function prepareErase({ db, path }: { readonly db: Connection; readonly path: string }, totals: Totals): Erase {
  // `octet_length` does not read the text.
  const columns = `pk, agent, tenant, owner, id, state, octet_length(history) + ifnull(history_bytes, 0) + octet_length(artifacts)
    + ifnull((SELECT sum(octet_length(json)) FROM task_artifacts WHERE task = t.pk), 0)
    + ifnull((SELECT sum(octet_length(text)) FROM events WHERE task = t.pk), 0)`;
  const find = db.query<Found>(`SELECT ${columns} FROM tasks AS t WHERE ${BY_REF}`);
  const newest = db.query<Found>(`
    SELECT ${columns} FROM tasks AS t INDEXED BY tasks_by_context
    WHERE agent = ? AND tenant = ? AND owner = ? AND context = ? ORDER BY pk DESC LIMIT ?`);

  const run = async (found: readonly Found[], more: readonly string[] = []): Promise<Erased> => {
    try {
      await inOneTransaction(path, [...found.flatMap(erasureOf), ...more]);
    } catch (error) {
      totals.forget(); // after a disk error it is unknown whether the tasks are gone
      throw error;
    }
    for (const [, agent, tenant, owner, , state] of found) totals.moved({ agent, tenant, owner }, state, undefined);
    const refs = found.map(([, agent, tenant, owner, id]) => toRef([agent, tenant, owner, id]));
    return { refs, chars: found.reduce((sum, row) => sum + row[6], 0) };
  };

  return {
    async erase(ref) {
      const found = find.one(refValues(ref));
      return run(found === undefined ? [] : [found]);
    },
    async eraseContext(context, limit) {
      const { agent, tenant, owner, contextId } = context;
      const found = newest.all([toColumn(agent), toColumn(tenant), toColumn(owner), toColumn(contextId), limit]);
      return run(found, replyErasureOf(context));
    },
  };
}

function erasureOf([pk, agent, tenant, owner, id]: Found): readonly string[] {
  return [
    ...['events', 'inbox', 'task_messages', 'task_artifacts'].map((table) => `DELETE FROM ${table} WHERE task = ${pk}`),
    `DELETE FROM tasks WHERE pk = ${pk}`,
    `UPDATE requests SET body_hash = '${ERASED}' WHERE ${scopeIs([agent, tenant, owner])} AND task_id = ${quote(id)}`,
  ];
}

function replyErasureOf({ agent, tenant, owner, contextId }: ContextRef): readonly string[] {
  if (toColumn(contextId) !== contextId) return []; // an encoded name is not the text in the reply
  return [
    `UPDATE requests SET body_hash = '${ERASED}', task_id = '', reply = NULL
     WHERE ${scopeIs([toColumn(agent), toColumn(tenant), toColumn(owner)])} AND reply IS NOT NULL
       AND json_extract(reply, '$.contextId') = ${quote(contextId)}`,
  ];
}

/** `secure_delete`: otherwise SQLite leaves deleted texts in unused parts of the file. A failed script ends with its connection. */
async function inOneTransaction(path: string, statements: readonly string[]): Promise<void> {
  if (statements.length === 0) return;
  const own = connectBeside(path);
  if (own === undefined) throw new Error('A second connection to the file is not possible');
  try {
    await own.exec(`
      PRAGMA busy_timeout = 500; PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON;
      BEGIN IMMEDIATE; ${statements.join(';\n')}; COMMIT;`);
  } finally {
    own.close();
  }
}

function scopeIs([agent, tenant, owner]: readonly [string, string, string]): string {
  return `agent = ${quote(agent)} AND tenant = ${quote(tenant)} AND owner = ${quote(owner)}`;
}

/** The driver runs scripts only as text. Names in columns contain no NUL character, which would end the text. */
function quote(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}
