/** The Task as it was when it took a message: a send stream to an existing task begins with it (D3). */
import type { TaskDraft } from '../../protocol/apply-event.js';
import { fromTaskText, type TaskText, toTaskText } from '../../protocol/task-text.js';
import type { Entry, TaskRef } from '../../stores/store.js';
import { fold, foldStored, readInput, toEvent } from './entries.js';
import type { TaskLog } from './task-log.js';

export interface TaskAt {
  readonly seq: number;
  readonly text: TaskText;
}

/** The message that selects the point in the log. */
export interface InputAt {
  readonly ref: TaskRef;
  /** The entry that took the message. */
  readonly inputSeq: number;
  /** The task as of an earlier entry, if the caller has it: saves reading the log from its start. */
  readonly before?: TaskAt | undefined;
  /** The number of newest messages that the reader gets. Absent: all. `before` has them too. */
  readonly historyLength: number | undefined;
}

const SLICE_BYTES = 256 * 1024;
/** Enough for the message and the other entries of its commit. */
const FEW_BYTES = 4 * 1024;

/** Undefined when that part of the log no longer exists: the task has ended and was compacted, or it was deleted. */
export async function taskAtInput(log: TaskLog, input: InputAt): Promise<TaskAt | undefined> {
  const { ref, before, historyLength } = input;
  const seq = await commitEnd(log, input);
  if (seq === undefined) return undefined;
  const current = await log.current(ref, historyLength);
  if (current === undefined || current.seq === seq) return current;
  // The agent has published since then: those events follow on the stream, so they must not be in the Task.
  const base = before ? { seq: before.seq, draft: fromTaskText(before.text) } : await storedBefore(log, input, seq);
  const draft = await foldUpTo(log, ref, { ...base, to: seq });
  return draft && { seq, text: toTaskText(draft) };
}

/** A message that ends an interruption is committed together with WORKING, so that readers do not see the old question again (D2). */
async function commitEnd({ store }: TaskLog, { ref, inputSeq }: InputAt): Promise<number | undefined> {
  let isResumed: boolean | undefined;
  for (let from = inputSeq - 1; ; ) {
    const entries = await store.readAfter(ref, from, FEW_BYTES);
    if (typeof entries === 'string' || entries.length === 0) return isResumed === undefined ? undefined : inputSeq;
    const [first] = entries;
    isResumed ??= first?.kind === 'input' && readInput(first).resumes !== undefined;
    const status = isResumed ? entries.find(({ kind }) => kind === 'status') : first;
    if (status !== undefined) return status.seq;
    from = entries.at(-1)?.seq ?? from;
  }
}

interface Base {
  readonly seq: number;
  readonly draft: TaskDraft | undefined;
}

/** The stored snapshot, or the start of the log if the snapshot is newer. */
async function storedBefore({ store }: TaskLog, { ref, historyLength }: InputAt, seq: number): Promise<Base> {
  const stored = await store.load(ref, historyLength);
  if (stored === undefined || stored.snapshot.seq > seq) return { seq: 0, draft: undefined };
  return { seq, draft: foldStored({ ...stored, tail: stored.tail.filter((entry) => entry.seq <= seq) }) };
}

async function foldUpTo(
  { store }: TaskLog,
  ref: TaskRef,
  { seq, draft, to }: Base & { readonly to: number },
): Promise<TaskDraft | undefined> {
  let folded = draft;
  for (let from = seq; from < to; ) {
    const entries = await store.readAfter(ref, from, SLICE_BYTES);
    if (typeof entries === 'string' || entries.length === 0) return undefined;
    for (const entry of entries) if (entry.seq <= to) folded = foldEntry(folded, entry);
    from = entries.at(-1)?.seq ?? to;
  }
  return folded;
}

function foldEntry(draft: TaskDraft | undefined, entry: Entry): TaskDraft | undefined {
  const event = toEvent(entry);
  return event ? fold(draft, event) : draft;
}
