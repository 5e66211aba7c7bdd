import { isTerminal } from '../../protocol/task-state.js';
import { checkCreate } from '../check-write.js';
import { toColumn } from '../sql/name.js';
import { ENDED, type RefColumns, RUNNING, refValues, stateNumber } from '../sql/tasks.js';
import { artifactLines, entriesText, firstGeneration, snapshotValues, statusValues } from '../sql/write-values.js';
import type { CommitResult, SnapshotWrite, TaskWrite } from '../store.js';
import type { Connection, Row } from './connection.js';
import { LEASE_OF } from './lease.js';
import type { Requests } from './requests.js';
import { BY_REF, ownerOf } from './tasks.js';
import type { Totals } from './totals.js';
import { staysInline, type TextRows } from './write-texts.js';

type Create = NonNullable<TaskWrite['create']>;

/** All values that are written for a new task. */
interface NewTask {
  readonly ref: RefColumns;
  readonly state: number;
  readonly values: Row;
  readonly text: string;
  readonly snapshot: SnapshotWrite;
  /** The texts that are too long for the task row. */
  readonly outside: { readonly messages: boolean; readonly artifacts: boolean };
}

interface CreateParts {
  readonly requests: Requests;
  readonly totals: Totals;
  readonly texts: TextRows;
}

/** Inserts the row, its first entries and the link of its request, or returns the reason why not. */
export function prepareCreate(
  db: Connection,
  { requests, totals, texts }: CreateParts,
): (write: TaskWrite, create: Create, at: number) => CommitResult {
  const exists = db.query<readonly [number]>(`SELECT 1 FROM tasks WHERE ${BY_REF}`);
  const insertTask = db.insertion(`
    INSERT INTO tasks (agent, tenant, owner, id, context, state, status_at, status_seq, ended, epoch, node, lease,
      snapshot_seq, generation, head, messages, history_bytes, inlined, history, artifacts, artifact_rows)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${LEASE_OF}, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (agent, tenant, owner, id) DO NOTHING`);
  const insertEvents = db.command(
    'INSERT INTO events (task, first_seq, count, epoch, text, generation, committed_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );

  /** An existing task is reported before any other error. */
  const unlessExists = (write: TaskWrite, answer: CommitResult): CommitResult =>
    exists.one(refValues(write.ref)) === undefined ? answer : { kind: 'exists' };

  return (write, create, at) => {
    const { request, node } = create;
    const task = toNewTask(write, node);
    if ('cause' in task) return unlessExists(write, { kind: 'failed', cause: task.cause });
    if (request !== undefined && !requests.isOpenFor(request, node)) return unlessExists(write, { kind: 'fenced' });
    const pk = insertTask(task.values);
    if (pk === undefined) return { kind: 'exists' };
    insertEvents([pk, write.firstSeq, write.entries.length, write.epoch, task.text, firstGeneration(write), at]);
    if (task.outside.messages) texts.addMessages(pk, task.snapshot);
    if (task.outside.artifacts) texts.setArtifacts(pk, task.snapshot);
    if (request !== undefined) requests.link(request, write.ref.id);
    totals.moved(ownerOf(task.ref), undefined, task.state);
    return { kind: 'ok', refused: [] };
  };
}

function toNewTask(write: TaskWrite, node: string): NewTask | { readonly cause: unknown } {
  try {
    checkCreate(write);
    const { head, snapshot, epoch, entries, release } = write;
    if (head === undefined || snapshot === undefined)
      throw new TypeError('Unreachable: checkCreate refuses a write without head or snapshot');
    const ref = refValues(write.ref);
    const hasEnded = isTerminal(head.state);
    const name = toColumn(node);
    const artifacts = artifactLines(snapshot);
    const outside = { messages: !staysInline(snapshot.history, hasEnded), artifacts: !staysInline(artifacts, hasEnded) };
    const values = [
      ...ref,
      toColumn(head.contextId),
      ...statusValues(head),
      hasEnded ? ENDED : RUNNING,
      epoch,
      hasEnded || release === true ? null : name,
      name,
      ...snapshotValues(snapshot, { seq: entries.length, generation: entries.at(-1)?.generation ?? 0 }),
      outside.messages ? 0 : snapshot.messages,
      outside.messages ? '' : snapshot.history,
      outside.artifacts ? '' : artifacts,
      outside.artifacts ? 1 : 0,
    ];
    return { ref, state: stateNumber(head.state), values, text: entriesText(write), snapshot, outside };
  } catch (cause) {
    return { cause };
  }
}
