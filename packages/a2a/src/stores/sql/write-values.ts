/** A write as the columns that it sets. */
import type { TaskText } from '../../protocol/task-text.js';
import { malformed } from '../check-write.js';
import type { Entry, TaskHead, TaskWrite } from '../store.js';
import { toText } from './entry-text.js';
import { stateNumber } from './tasks.js';

export function statusValues({ state, statusAt, statusSeq }: TaskHead): readonly (string | number)[] {
  return [stateNumber(state), statusAt, statusSeq];
}

/** `at` is where the log is: its last seq and generation. */
export function snapshotValues(
  { head, history, artifacts }: TaskText,
  at: Pick<Entry, 'seq' | 'generation'>,
): readonly (string | number)[] {
  return [at.seq, head, history, artifacts, at.generation];
}

/** The generation of the row of a write, which is that of its first entry. */
export function firstGeneration({ entries }: TaskWrite): number {
  return entries[0]?.generation ?? 0;
}

/** The text of the entries. Throws on what every store may refuse and this one could not give back. */
export function entriesText(write: TaskWrite): string {
  const text = toText(write.entries, write.firstSeq);
  if (text === undefined) throw malformed(write, 'an entry is of no known kind, or not one line of text');
  if (write.head !== undefined && stateNumber(write.head.state) < 0) throw malformed(write, `there is no state ${write.head.state}`);
  return text;
}

/** What nearly every write does, and what is cheapest. */
export function onlyAppends({ create, head, snapshot, take, release, entries }: TaskWrite): boolean {
  const changesTask = create !== undefined || head !== undefined || snapshot !== undefined || take !== undefined || release === true;
  return !changesTask && entries.length > 0;
}
