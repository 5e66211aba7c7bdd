/** The part of a commit that belongs to one task. All checks run before any change; an invalid write gets the reason as its answer. */
import { isTerminal } from '../../protocol/task-state.js';
import { checkWrite } from '../check-write.js';
import { fromText, toText } from '../sql/entry-text.js';
import { fromColumn } from '../sql/name.js';
import { ENDED, RUNNING, refValues, stateNumber } from '../sql/tasks.js';
import { entriesText, firstGeneration, onlyAppends, snapshotValues, statusValues } from '../sql/write-values.js';
import type { CommitResult, Entry, TaskWrite } from '../store.js';
import type { Command, Connection } from './connection.js';
import { prepareCreate } from './create-task.js';
import type { InboxTable } from './inbox.js';
import type { Requests } from './requests.js';
import { BY_REF, ownerOf } from './tasks.js';
import type { Totals } from './totals.js';
import { prepareTextRows, type TextRows } from './write-texts.js';

/** Throws only when the database failed; then the transaction must be rolled back. */
export type WriteTask = (write: TaskWrite, at: number) => CommitResult;

const OK: CommitResult = Object.freeze({ kind: 'ok', refused: Object.freeze<number[]>([]) });

/** The task before the write. */
type Found = readonly [
  pk: number,
  epoch: number,
  ended: number,
  context: string,
  state: number,
  hasMail: number,
  seq: number,
  messages: number,
];

export interface WriteParts {
  readonly inbox: InboxTable;
  readonly requests: Requests;
  readonly totals: Totals;
}

export function prepareWriteTask(db: Connection, parts: WriteParts): WriteTask {
  const append = prepareAppend(db);
  const texts = prepareTextRows(db);
  const create = prepareCreate(db, { ...parts, texts });
  const change = prepareChange(db, { ...parts, texts }, append);
  return (write, at) => {
    if (write.create !== undefined) return create(write, write.create, at);
    if (onlyAppends(write)) {
      const text = toText(write.entries, write.firstSeq);
      // When the insert changes nothing, the full path below finds the reason.
      if (text !== undefined && append(write, text, at)) return OK;
    }
    return change(write, at);
  };
}

type Append = (write: TaskWrite, text: string, at: number) => boolean;

/**
 * A single statement that needs no transaction: the insert itself checks epoch, end and seq. It inserts one row, so there is no partial
 * work to undo: OR FAIL.
 */
function prepareAppend(db: Connection): Append {
  const insert = db.command(`
    INSERT OR FAIL INTO events (task, first_seq, count, epoch, text, generation, committed_at)
    SELECT pk, ?, ?, ?, ?, ?, ? FROM tasks AS t
    WHERE ${BY_REF} AND epoch = ? AND ended = ${RUNNING}
      AND ? = (SELECT first_seq + count FROM events WHERE task = t.pk ORDER BY first_seq DESC LIMIT 1)`);
  return (write, text, at) => {
    const { ref, epoch, firstSeq, entries } = write;
    return insert([firstSeq, entries.length, epoch, text, firstGeneration(write), at, ...refValues(ref), epoch, firstSeq]) === 1;
  };
}

function prepareChange(db: Connection, { inbox, totals, texts }: WriteParts & { readonly texts: TextRows }, append: Append): WriteTask {
  const find = db.query<Found>(`
    SELECT pk, epoch, ended, context, state, EXISTS (SELECT 1 FROM inbox WHERE task = t.pk AND state = 0),
      (SELECT first_seq + count - 1 FROM events WHERE task = t.pk ORDER BY first_seq DESC LIMIT 1),
      ifnull(messages, length(history) - length(replace(history, char(10), '')) + (history <> ''))
    FROM tasks AS t WHERE ${BY_REF}`);
  const update = prepareUpdate(db);
  const generationOf = prepareGeneration(db);

  return (write, at) => {
    const values = refValues(write.ref);
    const found = find.one(values);
    const text = examine(write, found, inbox);
    if (typeof text !== 'string' || found === undefined) return typeof text === 'string' ? { kind: 'fenced' } : text;
    const [pk, , , , state, hasMail, seq] = found;
    if (write.entries.length > 0 && !append(write, text, at)) throw new Error(`Task ${write.ref.id} changed within a transaction`);
    if (write.take !== undefined) inbox.take(pk, write.take);
    const last = write.entries.at(-1) ?? { seq, generation: write.snapshot === undefined ? 0 : generationOf(pk) };
    if (write.snapshot !== undefined) {
      texts.addMessages(pk, write.snapshot);
      texts.setArtifacts(pk, write.snapshot);
    }
    const hasEnded = update(pk, write, last);
    if (write.head !== undefined) totals.moved(ownerOf(values), state, stateNumber(write.head.state));
    const refused = hasEnded && hasMail === 1 ? inbox.refusePending(pk) : [];
    return refused.length === 0 ? OK : { kind: 'ok', refused };
  };
}

/** The generation of the last entry, for a snapshot that comes without entries. */
function prepareGeneration(db: Connection): (pk: number) => number {
  const newest = db.query<readonly [number, number, number, string]>(
    'SELECT first_seq, generation, committed_at, text FROM events WHERE task = ? ORDER BY first_seq DESC LIMIT 1',
  );
  return (pk) => {
    const [firstSeq, generation, committedAt, text] = newest.one([pk]) ?? [0, 0, 0, ''];
    return text === '' ? 0 : (fromText(text, { firstSeq, generation, committedAt }).at(-1)?.generation ?? 0);
  };
}

/** The text of the entries, or the answer to an invalid write. */
function examine(write: TaskWrite, found: Found | undefined, inbox: InboxTable): string | CommitResult {
  try {
    if (found === undefined) return { kind: 'missing' };
    const [pk, epoch, ended, context, , , seq, messages] = found;
    if (epoch !== write.epoch) return { kind: 'fenced' };
    if (ended !== RUNNING) return { kind: 'final' };
    checkWrite(write, { seq, contextId: fromColumn(context), messages }, (n) => inbox.isPending(pk, n));
    return entriesText(write);
  } catch (cause) {
    return { kind: 'failed', cause };
  }
}

/** Updates the task row only if the write changes one of its columns. Returns whether the write ended the task. */
function prepareUpdate(db: Connection): (pk: number, write: TaskWrite, last: Pick<Entry, 'seq' | 'generation'>) => boolean {
  const status = 'state = ?, status_at = ?, status_seq = ?';
  // A task of an earlier schema has all messages in its row until its next snapshot.
  const snapshot =
    'snapshot_seq = ?, generation = ?, head = ?, messages = ?, history_bytes = ?, inlined = ifnull(inlined, ?), artifact_rows = max(artifact_rows, ?)';
  const set = (columns: string): Command => db.command(`UPDATE tasks SET ${columns} WHERE pk = ?`);
  const setStatus = set(status);
  const setSnapshot = set(snapshot);
  const setBoth = set(`${status}, ${snapshot}`);
  const setEnd = set(`${status}, ${snapshot}, ended = ${ENDED}, node = NULL`);
  const setReleased = set('node = NULL');

  return (pk, { head, snapshot: text, release }, last) => {
    const values = [
      ...(head ? statusValues(head) : []),
      ...(text ? [...snapshotValues(text, last), text.messagesBefore, text.artifacts.length > 0 ? 1 : 0] : []),
      pk,
    ];
    if (head !== undefined && isTerminal(head.state)) {
      setEnd(values);
      return true;
    }
    if (head !== undefined) (text === undefined ? setStatus : setBoth)(values);
    else if (text !== undefined) setSnapshot(values);
    if (release === true) setReleased([pk]);
    return false;
  };
}
