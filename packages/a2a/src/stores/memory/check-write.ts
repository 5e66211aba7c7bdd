/** What makes a write malformed. Checked as a whole before anything is changed, so a write is applied entirely or not at all. */
import { A2AError } from '../../protocol/errors.js';
import { isTerminal } from '../../protocol/task-state.js';
import type { TaskText } from '../../protocol/task-text.js';
import type { TaskHead, TaskWrite } from '../store.js';
import type { TaskRow } from './task-row.js';

/** Throws what becomes the cause of a failed answer. */
export function checkWrite(write: TaskWrite, row: TaskRow | undefined): void {
  checkEntries(write, row?.seq ?? 0);
  if (write.head !== undefined) checkHead(write, write.head, row);
  if (write.snapshot !== undefined) checkSnapshot(write, write.snapshot);
  if (write.take !== undefined) checkTake(write, write.take, row);
}

export function checkCreate(write: TaskWrite): void {
  if (write.epoch !== 1) throw malformed(write, `a new task has epoch 1, the write has ${write.epoch}`);
  if (write.entries.length === 0) throw malformed(write, 'a new task needs its first entries');
  if (write.head === undefined || write.snapshot === undefined) throw malformed(write, 'a new task needs its head and snapshot');
}

export function malformed({ ref }: TaskWrite, why: string): A2AError {
  return new A2AError('INTERNAL_ERROR', `The write to task ${ref.id} can not be applied: ${why}`);
}

function checkEntries(write: TaskWrite, seq: number): void {
  const { entries, firstSeq } = write;
  if (entries.length > 0 && firstSeq !== seq + 1) {
    throw malformed(write, `its first entry must be ${seq + 1}, the write begins at ${firstSeq}`);
  }
  let expected = firstSeq;
  for (const entry of entries) {
    if (entry.seq !== expected) throw malformed(write, `entry ${entry.seq} stands where ${expected} belongs`);
    if (typeof entry.json !== 'string') throw malformed(write, `entry ${entry.seq} has no text`);
    expected += 1;
  }
}

function checkHead(write: TaskWrite, head: TaskHead, row: TaskRow | undefined): void {
  if (row !== undefined && head.contextId !== row.contextId) {
    throw malformed(write, `it belongs to context ${row.contextId}, the write says ${head.contextId}`);
  }
  if (!Number.isSafeInteger(head.statusAt)) throw malformed(write, `status time ${head.statusAt} is not in whole milliseconds`);
  if (isTerminal(head.state) && write.snapshot === undefined) throw malformed(write, 'its end needs a snapshot');
}

function checkSnapshot(write: TaskWrite, { head, history, artifacts }: TaskText): void {
  const isText = typeof head === 'string' && typeof history === 'string' && typeof artifacts === 'string';
  if (!isText) throw malformed(write, 'its snapshot is not text');
}

function checkTake(write: TaskWrite, take: NonNullable<TaskWrite['take']>, row: TaskRow | undefined): void {
  const lastSeq = (row?.seq ?? 0) + write.entries.length;
  const taken = new Set<number>();
  for (const { n, seq } of take) {
    if (taken.has(n) || row?.inbox?.isPending(n) !== true) throw malformed(write, `inbox row ${n} is not pending`);
    if (seq < 1 || seq > lastSeq) throw malformed(write, `inbox row ${n} can not be taken by entry ${seq}: the last is ${lastSeq}`);
    taken.add(n);
  }
}
