import { fromTail, fromText, isNoArtifact } from '../sql/entry-text.js';
import { COMPACTED, refValues, type TaskColumns, toStoredTask } from '../sql/tasks.js';
import { ALL_MESSAGES, type MessageColumns, toMessages } from '../sql/text-columns.js';
import type { ListQuery, Scope, StoredEntry, StoredTask, TaskPosition, TaskStore } from '../store.js';
import type { Database } from './database.js';
import { refOf } from './functions/fragments.js';
import { GatheredReads, type LogRow } from './gathered-reads.js';
import { joinColumn, NAME_COLUMNS, refValue } from './names.js';

/** The columns of a task, and the entries after its snapshot as one text. */
export type LoadedColumns = readonly [...TaskColumns, tail: string | null];

const TAIL = 17;

export function toTask(columns: LoadedColumns, scope: Scope, { historyLength, withoutArtifacts }: TaskRead): StoredTask {
  const entries = fromTail(columns[TAIL], columns[9]);
  const tail = withoutArtifacts === true ? entries.filter(isNoArtifact) : entries;
  // The tuple has one more column than `TaskColumns`, which is ignored.
  return toStoredTask(columns as unknown as TaskColumns, scope, { tail, historyLength });
}

type TaskRead = Pick<ListQuery, 'historyLength' | 'withoutArtifacts'>;

export function prepareLoad(db: Database, s: string): TaskStore['load'] {
  const sql = `SELECT * FROM ${s}.load_task($1, $2, $3, $4, $5)`;
  return async (ref, historyLength) => {
    const columns = await db.one<LoadedColumns>(sql, [...refValues(ref), historyLength ?? ALL_MESSAGES]);
    return columns && toTask(columns, ref, { historyLength });
  };
}

export function prepareMessages(db: Database, s: string): TaskStore['messages'] {
  const sql = `SELECT * FROM ${s}.messages($1, $2, $3, $4, $5, $6)`;
  return async (ref, from, to) => {
    if (to <= from) return db.nothing('');
    const columns = await db.one<MessageColumns>(sql, [...refValues(ref), from, to]);
    return columns === undefined ? '' : toMessages(columns, from, to);
  };
}

export function prepareReadAfter(db: Database, s: string): TaskStore['readAfter'] {
  const reads = new GatheredReads(db, s);
  return async (ref, seq, maxBytes) => {
    const found: StoredEntry[] = [];
    const limit = { seq, maxBytes, length: 0 };
    for (;;) {
      const next = (found.at(-1)?.seq ?? seq) + 1;
      const rows = await reads.read({ ref, next, maxBytes: maxBytes - limit.length });
      // The database measures sizes slightly differently and may have stopped too early.
      const isEnough = !addEntries(found, rows, limit) || limit.length >= maxBytes;
      const last = found.at(-1);
      if (last === undefined) return ofNone(rows[0], seq);
      if (isEnough || last.seq < next || last.seq >= (rows[0]?.[2] ?? 0)) return found;
    }
  };
}

/** False when `maxBytes` is reached. */
function addEntries(found: StoredEntry[], rows: readonly LogRow[], limit: { seq: number; maxBytes: number; length: number }): boolean {
  for (const [, , , firstSeq, text, generation, committedAt] of rows) {
    if (firstSeq === null || text === null) continue;
    for (const entry of fromText(text, { firstSeq, generation: generation ?? 0, committedAt: committedAt ?? 0 })) {
      if (entry.seq <= (found.at(-1)?.seq ?? limit.seq)) continue;
      limit.length += entry.json.length;
      if (found.length > 0 && limit.length > limit.maxBytes) return false;
      found.push(entry);
    }
  }
  return true;
}

function ofNone(row: LogRow | undefined, seq: number): readonly StoredEntry[] | 'compacted' | 'missing' {
  if (row === undefined) return 'missing';
  const [, ended, newest] = row;
  return ended === COMPACTED && seq < newest ? 'compacted' : [];
}

export function prepareEntryAt(db: Database, s: string): TaskStore['entryAt'] {
  const sql = `
    SELECT e.first_seq, e.generation, e.committed_at, e.text, e.epoch FROM ${s}.tasks AS t JOIN ${s}.events AS e ON e.task = t.pk
    WHERE ${refOf('t')} = $1 AND e.first_seq <= $2 ORDER BY e.first_seq DESC LIMIT 1`;
  return async (ref, seq) => {
    const row = await db.one<readonly [number, number, number, string, number]>(sql, [refValue(ref), seq]);
    if (row === undefined) return undefined;
    const [firstSeq, generation, committedAt, text, epoch] = row;
    const entry = fromText(text, { firstSeq, generation, committedAt })[seq - firstSeq];
    return entry && { epoch, json: entry.json };
  };
}

export function preparePositions(db: Database, s: string): TaskStore['positions'] {
  const sql = `SELECT * FROM ${s}.positions($1, $2, $3, $4)`;
  return async (refs) => {
    const positions: (TaskPosition | undefined)[] = refs.map(() => undefined);
    if (refs.length === 0) return db.nothing(positions);
    const names = refs.map(refValues);
    const rows = await db.rows<readonly [number, number, number, number]>(
      sql,
      NAME_COLUMNS.map((column) => joinColumn(names, column)),
    );
    for (const [i, seq, epoch, posted] of rows) positions[i - 1] = { seq, epoch, posted };
    return positions;
  };
}
