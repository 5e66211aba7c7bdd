import { newestMessages } from '../conversation.js';
import { ARTIFACT_LETTER, fromText, isNoArtifact } from '../sql/entry-text.js';
import { toColumn } from '../sql/name.js';
import {
  type ArtifactRow,
  COMPACTED,
  RUNNING,
  refValues,
  type TaskColumns,
  type TextColumns,
  toStoredTask,
  withRows,
} from '../sql/tasks.js';
import { ALL_MESSAGES, type MessageColumns, messageColumns, textColumns, toMessages } from '../sql/text-columns.js';
import type { ContextRef, StoredEntry, StoredTask, TaskPosition, TaskRef, TaskStore } from '../store.js';
import type { Connection, Query } from './connection.js';
import { BY_REF, DIALECT, taskColumns } from './tasks.js';

type Reads = {
  readonly [Name in 'load' | 'messages' | 'readAfter' | 'entryAt' | 'conversation']: (
    ...args: Parameters<TaskStore[Name]>
  ) => Awaited<ReturnType<TaskStore[Name]>>;
};

export function prepareReads(db: Connection): Reads & { positionOf(ref: TaskRef): TaskPosition | undefined } {
  return {
    positionOf: preparePosition(db),
    load: prepareLoad(db),
    messages: prepareMessages(db),
    readAfter: prepareReadAfter(db),
    entryAt: prepareEntryAt(db),
    conversation: prepareConversation(db),
  };
}

type EventColumns = readonly [firstSeq: number, generation: number, committedAt: number, text: string];

function toEntries([firstSeq, generation, committedAt, text]: EventColumns): readonly StoredEntry[] {
  return fromText(text, { firstSeq, generation, committedAt });
}

export type ReadTail = (pk: number, ended: number, snapshotSeq: number) => readonly StoredEntry[];

/** The entries after the snapshot. A snapshot is as of the end of a commit, so whole rows follow it. An ended task has none. */
export function prepareTail(db: Connection): ReadTail {
  const rows = prepareTailRows(db, '');
  return (pk, ended, snapshotSeq) => (ended === RUNNING ? rows.all([pk, snapshotSeq]).flatMap(toEntries) : []);
}

/** The same without entries of artifacts. A long entry is a row of its own, and such rows are not read. */
export function prepareTailWithoutArtifacts(db: Connection): ReadTail {
  const rows = prepareTailRows(db, `AND NOT (count = 1 AND text GLOB '${ARTIFACT_LETTER}*')`);
  return (pk, ended, snapshotSeq) => (ended === RUNNING ? rows.all([pk, snapshotSeq]).flatMap(toEntries).filter(isNoArtifact) : []);
}

function prepareTailRows(db: Connection, filter: string): Query<EventColumns> {
  return db.query(
    `SELECT first_seq, generation, committed_at, text FROM events WHERE task = ? AND first_seq > ? ${filter} ORDER BY first_seq`,
  );
}

export function prepareLoad(db: Connection): (ref: TaskRef, historyLength?: number) => StoredTask | undefined {
  const find = db.query<TaskColumns>(`SELECT ${taskColumns({ count: '?1', changesApart: true })} FROM tasks AS t WHERE ${BY_REF}`);
  const changesOf = db.query<ArtifactRow>('SELECT n, json FROM task_artifacts WHERE task = ? ORDER BY n');
  const tailOf = prepareTail(db);
  return (ref, historyLength) => {
    const columns = find.one([historyLength ?? ALL_MESSAGES, ...refValues(ref)]);
    if (columns === undefined) return undefined;
    const [pk, artifacts, changes] = [columns[0], columns[15], columns[16]];
    const tail = tailOf(pk, columns[6], columns[9]);
    const whole = changes === null ? undefined : withRows(artifacts, changesOf.all([pk]));
    return toStoredTask(columns, ref, { tail, historyLength, artifacts: whole });
  };
}

function prepareMessages(db: Connection): Reads['messages'] {
  const find = db.query<MessageColumns>(`SELECT ${messageColumns(DIALECT, '?1', '?2')} FROM tasks AS t WHERE ${BY_REF}`);
  return (ref, from, to) => {
    const columns = to <= from ? undefined : find.one([from, to, ...refValues(ref)]);
    return columns === undefined ? '' : toMessages(columns, from, to);
  };
}

/** Fetches few rows at first and then more at a time, because the length of their texts is unknown. */
const FIRST_ROWS = 4;
const MAX_ROWS = 256;

function prepareReadAfter(db: Connection): Reads['readAfter'] {
  const rows = db.query<EventColumns>(`
    SELECT e.first_seq, e.generation, e.committed_at, e.text FROM tasks AS t CROSS JOIN events AS e ON e.task = t.pk
    WHERE ${BY_REF} AND e.first_seq >= ifnull((SELECT max(first_seq) FROM events WHERE task = t.pk AND first_seq <= ?), 0)
      AND e.first_seq + e.count > ?
    ORDER BY e.first_seq LIMIT ?`);
  const find = db.query<readonly [number, number]>(`SELECT ended, snapshot_seq FROM tasks WHERE ${BY_REF}`);

  return (ref, seq, maxBytes) => {
    const values = refValues(ref);
    const entries = readInSteps((next, limit) => rows.all([...values, next, next, limit]), seq, maxBytes);
    if (entries.length > 0) return entries;
    const found = find.one(values);
    if (found === undefined) return 'missing';
    const [ended, snapshotSeq] = found;
    return ended === COMPACTED && seq < snapshotSeq ? 'compacted' : [];
  };
}

function readInSteps(
  read: (next: number, limit: number) => readonly EventColumns[],
  seq: number,
  maxBytes: number,
): readonly StoredEntry[] {
  const found: StoredEntry[] = [];
  let length = 0;
  for (let limit = FIRST_ROWS; ; limit = Math.min(limit * 4, MAX_ROWS)) {
    const rows = read((found.at(-1)?.seq ?? seq) + 1, limit);
    for (const row of rows) {
      for (const entry of toEntries(row)) {
        if (entry.seq <= seq) continue;
        length += entry.json.length;
        if (found.length > 0 && length > maxBytes) return found;
        found.push(entry);
      }
    }
    if (rows.length < limit) return found;
  }
}

function prepareEntryAt(db: Connection): Reads['entryAt'] {
  const row = db.query<readonly [epoch: number, ...EventColumns]>(`
    SELECT e.epoch, e.first_seq, e.generation, e.committed_at, e.text FROM tasks AS t CROSS JOIN events AS e ON e.task = t.pk
    WHERE ${BY_REF} AND e.first_seq <= ? ORDER BY e.first_seq DESC LIMIT 1`);
  return (ref, seq) => {
    const found = row.one([...refValues(ref), seq]);
    if (found === undefined) return undefined;
    const [epoch, ...columns] = found;
    const entry = toEntries(columns)[seq - columns[0]];
    return entry && { epoch, json: entry.json };
  };
}

/** The seq of the newest entry. A compacted task has no entries; its seq is that of the snapshot. */
function preparePosition(db: Connection): (ref: TaskRef) => TaskPosition | undefined {
  const row = db.query<readonly [number, number, number]>(`
    SELECT ifnull((SELECT first_seq + count - 1 FROM events WHERE task = t.pk ORDER BY first_seq DESC LIMIT 1), snapshot_seq), epoch,
      ifnull((SELECT max(n) FROM inbox WHERE task = t.pk), 0)
    FROM tasks AS t WHERE ${BY_REF}`);
  return (ref) => {
    const found = row.one(refValues(ref));
    return found && { seq: found[0], epoch: found[1], posted: found[2] };
  };
}

const TASKS_AT_ONCE = 64;

function prepareConversation(db: Connection): Reads['conversation'] {
  // Keys only, because they are sorted and texts are long.
  const keys = db.query<readonly [number]>(`
    SELECT pk FROM tasks INDEXED BY tasks_by_context
    WHERE agent = ? AND tenant = ? AND owner = ? AND context = ? AND pk < ? ORDER BY pk DESC LIMIT ${TASKS_AT_ONCE}`);
  // Artifacts are omitted, because they contain no messages.
  const task = db.query<readonly [number, number, string, ...TextColumns]>(
    `SELECT t.ended, t.snapshot_seq, t.head, ${textColumns(DIALECT, { count: '?1', artifactsIf: 'false' })} FROM tasks AS t WHERE t.pk = ?`,
  );
  const tailOf = prepareTailWithoutArtifacts(db);

  function* keysNewestFirst({ agent, tenant, owner, contextId }: ContextRef): Generator<number> {
    const values = [toColumn(agent), toColumn(tenant), toColumn(owner), toColumn(contextId)];
    let before: number | undefined = Number.MAX_SAFE_INTEGER;
    while (before !== undefined) {
      const found: readonly number[] = keys.all([...values, before]).map(([pk]) => pk);
      yield* found;
      before = found[TASKS_AT_ONCE - 1];
    }
  }

  const messagesOf = (pk: number, limit: number): readonly string[] => {
    const found = task.one([limit, pk]);
    if (found === undefined) return [];
    const [ended, seq, head, , , history] = found;
    return newestMessages({ snapshot: { text: { head, history } }, tail: tailOf(pk, ended, seq) }, limit);
  };

  return (context, limit) => {
    const messages: string[] = [];
    for (const pk of keysNewestFirst(context)) {
      if (messages.length >= limit) break;
      messages.push(...messagesOf(pk, limit - messages.length));
    }
    return messages.reverse();
  };
}
