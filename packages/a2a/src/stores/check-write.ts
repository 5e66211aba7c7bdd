/**
 * The checks that make a write malformed, shared by all stores. They run before anything is changed, so that a write is applied entirely or
 * not at all.
 */
import { A2AError } from '../protocol/errors.js';
import { isTerminal } from '../protocol/task-state.js';
import { type Entry, isSent, type SnapshotWrite, type TaskHead, type TaskWrite } from './store.js';

/** The task before the write. */
export interface WrittenTask {
  readonly seq: number;
  readonly contextId: string;
  /** The number of messages in its snapshot. */
  readonly messages: number;
}

/** Throws the error that becomes the `cause` of a `failed` answer. `isPending` is called for the inbox rows that the write takes. */
export function checkWrite(write: TaskWrite, task: WrittenTask | undefined, isPending: (n: number) => boolean): void {
  checkEntries(write, task?.seq ?? 0);
  if (write.head !== undefined) checkHead(write, write.head, task);
  if (write.snapshot !== undefined) checkSnapshot(write, write.snapshot, task?.messages ?? 0);
  if (write.take !== undefined) checkTake(write, (task?.seq ?? 0) + write.entries.length, isPending);
}

/** The same checks for a write that creates its task. */
export function checkCreate(write: TaskWrite): void {
  if (write.epoch !== 1) throw malformed(write, `a new task must have epoch 1, got ${write.epoch}`);
  if (write.entries.length === 0) throw malformed(write, 'a new task must have at least one entry');
  if (write.head === undefined || write.snapshot === undefined) throw malformed(write, 'a new task must have a head and a snapshot');
  checkWrite(write, undefined, () => false);
}

export function malformed({ ref }: TaskWrite, why: string): A2AError {
  return new A2AError('INTERNAL_ERROR', `The write to task ${ref.id} cannot be applied: ${why}`);
}

function checkEntries(write: TaskWrite, seq: number): void {
  const { entries, firstSeq } = write;
  if (entries.length > 0 && firstSeq !== seq + 1) {
    throw malformed(write, `its first entry must have seq ${seq + 1}, got ${firstSeq}`);
  }
  let expected = firstSeq;
  let before = write.create === undefined ? undefined : 0;
  for (const entry of entries) {
    if (entry.seq !== expected) throw malformed(write, `entry ${entry.seq} must have seq ${expected}`);
    if (typeof entry.json !== 'string') throw malformed(write, `entry ${entry.seq} has no JSON text`);
    expected += 1;
    if (!hasNextGeneration(entry, before)) throw wrongGeneration(write, entry, before);
    before = entry.generation;
  }
}

/** `before` is undefined when only the writer knows the last generation of the log. */
export function hasNextGeneration({ kind, generation }: Entry, before: number | undefined): boolean {
  const step = isSent(kind) ? 1 : 0;
  return Number.isSafeInteger(generation) && (before === undefined ? generation >= step : generation === before + step);
}

function wrongGeneration(write: TaskWrite, { seq, kind, generation }: Entry, before: number | undefined): A2AError {
  return malformed(write, `entry ${seq} (${kind}) has generation ${generation}${before === undefined ? '' : ` after ${before}`}`);
}

function checkHead(write: TaskWrite, head: TaskHead, task: WrittenTask | undefined): void {
  if (task !== undefined && head.contextId !== task.contextId) {
    throw malformed(write, `the task belongs to context ${task.contextId}, the write to ${head.contextId}`);
  }
  if (!Number.isSafeInteger(head.statusAt)) throw malformed(write, `statusAt must be in whole milliseconds, got ${head.statusAt}`);
  if (isTerminal(head.state) && write.snapshot === undefined) throw malformed(write, 'a final state needs a snapshot');
}

function checkSnapshot(write: TaskWrite, snapshot: SnapshotWrite, stored: number): void {
  const { head, history, messagesBefore, messages, historyBytes, artifacts } = snapshot;
  if (typeof head !== 'string' || typeof history !== 'string' || artifacts.some(({ json }) => typeof json !== 'string')) {
    throw malformed(write, 'the snapshot must consist of texts');
  }
  if (messagesBefore !== stored) throw malformed(write, `its snapshot follows ${messagesBefore} messages, the stored one has ${stored}`);
  if (!isCount(messages) || !isCount(historyBytes) || messages < messagesBefore || (history === '') !== (messages === messagesBefore)) {
    throw malformed(write, `its snapshot has ${messages} messages after ${messagesBefore}, which its history does not have`);
  }
  let before = -1;
  for (const { n } of artifacts) {
    if (!isCount(n) || n <= before) throw malformed(write, `the numbers of its artifacts must increase, got ${n} after ${before}`);
    before = n;
  }
}

const isCount = (n: number): boolean => Number.isSafeInteger(n) && n >= 0;

function checkTake(write: TaskWrite, lastSeq: number, isPending: (n: number) => boolean): void {
  const taken = new Set<number>();
  for (const { n, seq } of write.take ?? []) {
    if (taken.has(n) || !isPending(n)) throw malformed(write, `inbox row ${n} is not pending`);
    if (seq < 1 || seq > lastSeq) throw malformed(write, `inbox row ${n} cannot be taken by entry ${seq}: the last entry is ${lastSeq}`);
    taken.add(n);
  }
}
