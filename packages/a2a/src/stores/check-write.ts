/** What makes a write malformed, for every store. Checked as a whole before anything is changed, so a write is applied entirely or not at all. */
import { A2AError } from '../protocol/errors.js';
import { isTerminal } from '../protocol/task-state.js';
import type { TaskText } from '../protocol/task-text.js';
import { type Entry, isSent, type TaskHead, type TaskWrite } from './store.js';

/** The task as it is before the write. */
export interface WrittenTask {
  readonly seq: number;
  readonly contextId: string;
}

/** Throws what becomes the cause of a failed answer. `isPending` is asked about the inbox rows that the write takes. */
export function checkWrite(write: TaskWrite, task: WrittenTask | undefined, isPending: (n: number) => boolean): void {
  checkEntries(write, task?.seq ?? 0);
  if (write.head !== undefined) checkHead(write, write.head, task);
  if (write.snapshot !== undefined) checkSnapshot(write, write.snapshot);
  if (write.take !== undefined) checkTake(write, (task?.seq ?? 0) + write.entries.length, isPending);
}

/** The same for a write that creates its task. */
export function checkCreate(write: TaskWrite): void {
  if (write.epoch !== 1) throw malformed(write, `a new task has epoch 1, the write has ${write.epoch}`);
  if (write.entries.length === 0) throw malformed(write, 'a new task needs its first entries');
  if (write.head === undefined || write.snapshot === undefined) throw malformed(write, 'a new task needs its head and snapshot');
  checkWrite(write, undefined, () => false);
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
  let before = write.create === undefined ? undefined : 0;
  for (const entry of entries) {
    if (entry.seq !== expected) throw malformed(write, `entry ${entry.seq} stands where ${expected} belongs`);
    if (typeof entry.json !== 'string') throw malformed(write, `entry ${entry.seq} has no text`);
    expected += 1;
    if (!hasNextGeneration(entry, before)) throw wrongGeneration(write, entry, before);
    before = entry.generation;
  }
}

/** `before` is undefined where only the writer knows the last generation of the log. */
export function hasNextGeneration({ kind, generation }: Entry, before: number | undefined): boolean {
  const step = isSent(kind) ? 1 : 0;
  return Number.isSafeInteger(generation) && (before === undefined ? generation >= step : generation === before + step);
}

function wrongGeneration(write: TaskWrite, { seq, kind, generation }: Entry, before: number | undefined): A2AError {
  return malformed(write, `entry ${seq} (${kind}) has generation ${generation}${before === undefined ? '' : ` after ${before}`}`);
}

function checkHead(write: TaskWrite, head: TaskHead, task: WrittenTask | undefined): void {
  if (task !== undefined && head.contextId !== task.contextId) {
    throw malformed(write, `it belongs to context ${task.contextId}, the write says ${head.contextId}`);
  }
  if (!Number.isSafeInteger(head.statusAt)) throw malformed(write, `status time ${head.statusAt} is not in whole milliseconds`);
  if (isTerminal(head.state) && write.snapshot === undefined) throw malformed(write, 'its end needs a snapshot');
}

function checkSnapshot(write: TaskWrite, { head, history, artifacts }: TaskText): void {
  const isText = typeof head === 'string' && typeof history === 'string' && typeof artifacts === 'string';
  if (!isText) throw malformed(write, 'its snapshot is not text');
}

function checkTake(write: TaskWrite, lastSeq: number, isPending: (n: number) => boolean): void {
  const taken = new Set<number>();
  for (const { n, seq } of write.take ?? []) {
    if (taken.has(n) || !isPending(n)) throw malformed(write, `inbox row ${n} is not pending`);
    if (seq < 1 || seq > lastSeq) throw malformed(write, `inbox row ${n} can not be taken by entry ${seq}: the last is ${lastSeq}`);
    taken.add(n);
  }
}
