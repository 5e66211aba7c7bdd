/**
 * The entries of one commit as one text, one line per entry: the letter of its kind, the time, a space, its JSON. The row stores the first
 * seq, the first generation and the commit time; the other numbers follow from these.
 */
import { hasNextGeneration } from '../check-write.js';
import { type Entry, type EntryKind, isSent, type StoredEntry } from '../store.js';
import { SEPARATOR } from './name.js';

/** A row that begins with this letter and has one entry is an entry of an artifact. */
export const ARTIFACT_LETTER = 'a';

const LETTERS: Readonly<Record<string, string>> = {
  task: 't',
  status: 's',
  artifact: ARTIFACT_LETTER,
  input: 'i',
  note: 'n',
} satisfies Record<EntryKind, string>;
const KINDS = new Map(Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as EntryKind]));

/** Undefined when the entries could not be read back: a gap in the numbers, an unknown kind, or a line break in the JSON. */
export function toText(entries: readonly Entry[], firstSeq: number): string | undefined {
  let text = '';
  let expected = firstSeq;
  let before: number | undefined;
  for (const entry of entries) {
    const { seq, kind, at, json } = entry;
    const letter = LETTERS[kind];
    if (seq !== expected || letter === undefined || typeof json !== 'string' || json.includes('\n')) return undefined;
    if (!hasNextGeneration(entry, before)) return undefined;
    before = entry.generation;
    text += `${expected === firstSeq ? '' : '\n'}${letter}${at} ${json}`;
    expected += 1;
  }
  return text;
}

/** The other columns of the row of a commit. */
export interface CommitFacts {
  readonly firstSeq: number;
  /** The generation of the first entry. */
  readonly generation: number;
  readonly committedAt: number;
}

export function fromText(text: string, { firstSeq, generation: first, committedAt }: CommitFacts): readonly StoredEntry[] {
  let generation = first;
  return text.split('\n').map((line, index) => {
    const space = line.indexOf(' ');
    const kind = KINDS.get(line.slice(0, 1));
    if (kind === undefined) throw new Error(`The log contains an entry of a kind that this version does not know: ${line.slice(0, space)}`);
    if (index > 0 && isSent(kind)) generation += 1;
    return { seq: firstSeq + index, kind, at: Number(line.slice(1, space)), json: line.slice(space + 1), generation, committedAt };
  });
}

/**
 * For a log without generations: the generations of the first and the last entry of a text, and the time of the last. `before` is the
 * generation of the entry before the text.
 */
export function endOfText(text: string, before: number): { readonly first: number; readonly last: number; readonly lastAt: number } {
  const entries = fromText(text, { firstSeq: 1, generation: before, committedAt: 0 });
  const step = entries[0] !== undefined && isSent(entries[0].kind) ? 1 : 0;
  return { first: before + step, last: (entries.at(-1)?.generation ?? before) + step, lastAt: entries.at(-1)?.at ?? 0 };
}

export function isNoArtifact({ kind }: Entry): boolean {
  return kind !== 'artifact';
}

/** The letters of the kinds that readers get, for a character class in a regular expression. */
export const SENT_LETTERS = [...KINDS].flatMap(([letter, kind]) => (isSent(kind) ? [letter] : [])).join('');

/** Marks rows that PostgreSQL has not read: the number of their entries follows. No row begins with it. */
export const UNREAD = '+';

/** Parses the rows after a snapshot, joined into one text by PostgreSQL. Each row begins with its generation and its commit time. */
export function fromTail(tail: string | null, snapshotSeq: number): readonly StoredEntry[] {
  if (tail === null) return [];
  let firstSeq = snapshotSeq + 1;
  return tail.split(SEPARATOR).flatMap((row) => {
    if (row.startsWith(UNREAD)) {
      firstSeq += Number(row.slice(UNREAD.length));
      return [];
    }
    const [generation, committedAt] = [row.indexOf(' '), row.indexOf(' ', row.indexOf(' ') + 1)];
    const facts = { firstSeq, generation: Number(row.slice(0, generation)), committedAt: Number(row.slice(generation + 1, committedAt)) };
    const entries = fromText(row.slice(committedAt + 1), facts);
    firstSeq += entries.length;
    return entries;
  });
}
