import { isTerminal } from '../../protocol/task-state.js';
import { checkCreate, checkWrite } from '../check-write.js';
import type { CommitResult, Scope, TaskHead, TaskWrite } from '../store.js';
import { EntryLog } from './entry-log.js';
import { pack } from './packed-text.js';
import { checkGrowth, checkRoom, makePlace } from './room.js';
import type { Tables } from './tables.js';
import { flatten, isFinal, setSnapshot, type TaskRow } from './task-row.js';

const OK: CommitResult = Object.freeze({ kind: 'ok', refused: Object.freeze<number[]>([]) });

/**
 * Applies one write entirely or not at all. Never throws: an invalid write, or one without room, gets a `failed` answer. `at` is the commit
 * time, which all writes of one commit share.
 */
export function commitWrite(tables: Tables, write: TaskWrite, at = tables.clock.now()): CommitResult {
  try {
    return write.create === undefined ? append(tables, { write, at }) : create(tables, { write, at }, write.create);
  } catch (cause) {
    return { kind: 'failed', cause };
  }
}

interface TimedWrite {
  readonly write: TaskWrite;
  readonly at: number;
}

function append(tables: Tables, timed: TimedWrite): CommitResult {
  const { write } = timed;
  const row = tables.tasks.find(write.ref);
  if (row === undefined) return { kind: 'missing' };
  if (row.epoch !== write.epoch) return { kind: 'fenced' };
  if (isFinal(row)) return { kind: 'final' };
  checkWrite(write, row, (n) => row.inbox?.isPending(n) === true);
  checkGrowth(tables, row, write);
  return apply(tables, row, timed);
}

function create(tables: Tables, timed: TimedWrite, { node, request }: NonNullable<TaskWrite['create']>): CommitResult {
  const { write } = timed;
  if (tables.tasks.find(write.ref) !== undefined) return { kind: 'exists' };
  checkCreate(write);
  const lease = tables.nodes.leaseOf(node);
  if (request !== undefined && !tables.requests.isOpenFor(request, lease)) return { kind: 'fenced' };
  // A task that has already ended is accepted: its work is done, and it can be dropped later.
  if (write.head !== undefined && !isTerminal(write.head.state)) checkRoom(tables, write.ref);
  makePlace(tables);
  const row = tables.tasks.add(write.ref, (scope) => rowFor(tables, write, scope));
  if (!isFinal(row)) tables.ownership.own(row, lease);
  tables.waiting.enter(row);
  if (request !== undefined) tables.requests.link(request, row.id);
  return apply(tables, row, timed);
}

/** The row before its first entries. It already has its status, so that the indexes place it correctly, and its snapshot. */
function rowFor(tables: Tables, { ref, epoch, entries, head, snapshot }: TaskWrite, scope: Scope): TaskRow {
  if (head === undefined || snapshot === undefined)
    throw new TypeError('Unreachable: checkCreate refuses a write without head or snapshot');
  tables.births += 1;
  return {
    scope,
    id: ref.id,
    contextId: head.contextId,
    born: tables.births,
    state: head.state,
    statusAt: head.statusAt,
    statusSeq: head.statusSeq,
    seq: 0,
    generation: 0,
    epoch,
    lease: undefined,
    snapshotSeq: entries.length,
    headText: snapshot.head,
    historyText: pack(snapshot.history),
    artifactsText: pack(snapshot.artifacts.map(({ json }) => json).join('\n')),
    messages: snapshot.messages,
    historyBytes: snapshot.historyBytes,
    laterMessages: undefined,
    artifacts: undefined,
    artifactsLength: snapshot.artifacts.reduce((length, { json }) => length + json.length, 0),
    log: new EntryLog(),
    inbox: undefined,
    bytes: 0,
    unfinishedBytes: 0,
  };
}

function apply(tables: Tables, row: TaskRow, { write, at }: TimedWrite): CommitResult {
  const { entries, head, snapshot, take } = write;
  row.log?.append(entries, write.epoch, at);
  row.seq += entries.length;
  row.generation = entries.at(-1)?.generation ?? row.generation;
  if (take !== undefined) for (const { n, seq } of take) row.inbox?.take(n, seq);
  if (snapshot !== undefined && write.create === undefined) setSnapshot(row, snapshot, head !== undefined && isTerminal(head.state));
  if (head !== undefined && write.create === undefined) restatus(tables, row, head);
  tables.usage.recount(row);
  if (isFinal(row)) return finish(tables, row);
  if (write.release === true) park(tables, row);
  else tables.ownership.noteMail(row);
  return OK;
}

function restatus({ waiting, tasks }: Tables, row: TaskRow, head: TaskHead): void {
  waiting.leave(row);
  tasks.restatus(row, head);
  waiting.enter(row);
}

function park(tables: Tables, row: TaskRow): void {
  tables.ownership.park(row);
  if (row.laterMessages === undefined && row.artifacts === undefined) flatten(row);
}

function finish(tables: Tables, row: TaskRow): CommitResult {
  const refused = row.inbox?.refuseWaiting() ?? [];
  tables.ownership.end(row);
  flatten(row);
  tables.finals.add(row);
  return refused.length === 0 ? OK : { kind: 'ok', refused };
}
