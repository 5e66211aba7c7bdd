/** The column values of a write. */
import { malformed } from '../check-write.js';
import type { Entry, SnapshotWrite, TaskHead, TaskWrite } from '../store.js';
import { toText } from './entry-text.js';
import { stateNumber } from './tasks.js';

export function statusValues({ state, statusAt, statusSeq }: TaskHead): readonly (string | number)[] {
  return [stateNumber(state), statusAt, statusSeq];
}

/** `at` is the end of the log: its last seq and generation. */
export function snapshotValues(
  { head, messages, historyBytes }: SnapshotWrite,
  at: Pick<Entry, 'seq' | 'generation'>,
): readonly (string | number)[] {
  return [at.seq, at.generation, head, messages, historyBytes];
}

/** The artifacts of a first snapshot as lines. */
export function artifactLines({ artifacts }: SnapshotWrite): string {
  return artifacts.map(({ json }) => json).join('\n');
}

/** The generation column of a write: that of its first entry. */
export function firstGeneration({ entries }: TaskWrite): number {
  return entries[0]?.generation ?? 0;
}

/** The entries as text. Throws on entries that this store could not read back; every store may refuse those. */
export function entriesText(write: TaskWrite): string {
  const text = toText(write.entries, write.firstSeq);
  if (text === undefined) throw malformed(write, 'an entry has an unknown kind, or its JSON contains a line break');
  if (write.head !== undefined && stateNumber(write.head.state) < 0) throw malformed(write, `unknown task state ${write.head.state}`);
  return text;
}

/** True for the most frequent and cheapest kind of write. */
export function onlyAppends({ create, head, snapshot, take, release, entries }: TaskWrite): boolean {
  const changesTask = create !== undefined || head !== undefined || snapshot !== undefined || take !== undefined || release === true;
  return !changesTask && entries.length > 0;
}
