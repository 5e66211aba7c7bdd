/**
 * Erases tasks on request, in any state (D60). Each call is one transaction, on a thread of the driver with its own connection: overwriting
 * the texts of a large task takes long enough to block the event loop. Writes wait meanwhile, heartbeats too, so a transaction has a maximum size.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { toColumn } from '../sql/name.js';
import { ERASED } from '../sql/request-row.js';
import { refValues, toRef } from '../sql/tasks.js';
import type { ContextRef, TaskRef } from '../store.js';
import type { Connection } from './connection.js';
import { connectBeside } from './second-connection.js';
import { BY_REF } from './tasks.js';
import type { Totals } from './totals.js';

type Found = readonly [pk: number, agent: string, tenant: string, owner: string, id: string, bytes: number];
type ScopeColumns = readonly [agent: string, tenant: string, owner: string];

/** The approximate size of the texts that one transaction erases, unless one task is longer. */
const BATCH_BYTES = 16 * 1024 * 1024;
/** Replies that are examined at once, on the event loop. */
const REPLIES = 100;

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
  const columns = `pk, agent, tenant, owner, id, octet_length(history) + ifnull(history_bytes, 0) + octet_length(artifacts)
    + ifnull((SELECT sum(octet_length(json)) FROM task_artifacts WHERE task = t.pk), 0)
    + ifnull((SELECT sum(octet_length(text)) FROM events WHERE task = t.pk), 0)`;
  const find = db.query<Found>(`SELECT ${columns} FROM tasks AS t WHERE ${BY_REF}`);
  const newest = db.query<Found>(`
    SELECT ${columns} FROM tasks AS t INDEXED BY tasks_by_context
    WHERE agent = ? AND tenant = ? AND owner = ? AND context = ? ORDER BY pk DESC LIMIT ?`);

  const keysOf = prepareReplyKeys(db);

  const run = async (found: readonly Found[]): Promise<Erased> => {
    try {
      await inOneTransaction(path, erasureOf(found));
    } finally {
      totals.forget(); // a list may have counted the tasks meanwhile; after a disk error it is unknown whether they are gone
    }
    return {
      refs: found.map(([, agent, tenant, owner, id]) => toRef([agent, tenant, owner, id])),
      chars: found.reduce((sum, row) => sum + row[5], 0),
    };
  };

  return {
    async erase(ref) {
      const found = find.one(refValues(ref));
      return run(found === undefined ? [] : [found]);
    },
    async eraseContext(context, limit) {
      const { agent, tenant, owner, contextId } = context;
      const scope = [toColumn(agent), toColumn(tenant), toColumn(owner)] as const;
      const found = newest.all([...scope, toColumn(contextId), limit]);
      if (found.length > 0) return run(oneBatch(found));
      await inOneTransaction(path, replyErasureOf(scope, await keysOf(scope, contextId)));
      return { refs: [], chars: 0 };
    },
  };
}

/** At least one task. */
function oneBatch(found: readonly Found[]): readonly Found[] {
  let bytes = 0;
  const end = found.findIndex((row, index) => {
    bytes += row[5];
    return index > 0 && bytes > BATCH_BYTES;
  });
  return end < 0 ? found : found.slice(0, end);
}

/** All tasks are of one scope. The requests are updated together, because each update examines all requests of the scope. */
function erasureOf(found: readonly Found[]): readonly string[] {
  const [first] = found;
  if (first === undefined) return [];
  const [, agent, tenant, owner] = first;
  const pks = found.map(([pk]) => pk).join(', ');
  const ids = found.map(([, , , , id]) => quote(id)).join(', ');
  return [
    ...['events', 'inbox', 'task_messages', 'task_artifacts'].map((table) => `DELETE FROM ${table} WHERE task IN (${pks})`),
    `DELETE FROM tasks WHERE pk IN (${pks})`,
    `UPDATE requests SET body_hash = '${ERASED}' WHERE ${scopeIs([agent, tenant, owner])} AND task_id IN (${ids})`,
  ];
}

function replyErasureOf(scope: ScopeColumns, keys: readonly string[]): readonly string[] {
  if (keys.length === 0) return [];
  return [
    `UPDATE requests SET body_hash = '${ERASED}', task_id = '', reply = NULL
     WHERE ${scopeIs(scope)} AND reply IS NOT NULL AND key IN (${keys.map(quote).join(', ')})`,
  ];
}

/**
 * The keys of the requests that were answered with a Message of this context. Without JSON functions of SQLite: they refuse deep texts, so
 * one such reply would block every erasure of its owner.
 */
function prepareReplyKeys(db: Connection): (scope: ScopeColumns, contextId: string) => Promise<readonly string[]> {
  const next = db.query<readonly [key: string, reply: string | null]>(`
    SELECT key, CASE WHEN instr(reply, ?) > 0 THEN reply END FROM requests
    WHERE agent = ? AND tenant = ? AND owner = ? AND key > ? AND reply IS NOT NULL ORDER BY key LIMIT ${REPLIES}`);
  return async (scope, contextId) => {
    const keys: string[] = [];
    const text = `"contextId":${JSON.stringify(contextId)}`;
    // A key is never empty.
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page = next.all([text, ...scope, after]);
      for (const [key, reply] of page) if (reply !== null && JSON.parse(reply)?.contextId === contextId) keys.push(key);
      after = page.length < REPLIES ? undefined : page.at(-1)?.[0];
      if (after !== undefined) await nextTurn();
    }
    return keys;
  };
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

function scopeIs([agent, tenant, owner]: ScopeColumns): string {
  return `agent = ${quote(agent)} AND tenant = ${quote(tenant)} AND owner = ${quote(owner)}`;
}

/** The driver runs scripts only as text. Names in columns contain no NUL character, which would end the text. */
function quote(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}
