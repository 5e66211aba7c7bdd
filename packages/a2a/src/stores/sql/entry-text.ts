/**
 * The entries of one commit as one text, a line for each: the letter of its kind, the time, a space, its JSON. The row says the first
 * seq, so nothing else has to be written down.
 */
import type { Entry, EntryKind } from '../store.js';

const LETTERS: Readonly<Record<string, string>> = {
  task: 't',
  status: 's',
  artifact: 'a',
  input: 'i',
  note: 'n',
} satisfies Record<EntryKind, string>;
const KINDS = new Map(Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as EntryKind]));

/** Undefined when they could not be read back: not contiguous from `firstSeq`, of no known kind, or not one line each. */
export function toText(entries: readonly Entry[], firstSeq: number): string | undefined {
  let text = '';
  let expected = firstSeq;
  for (const { seq, kind, at, json } of entries) {
    const letter = LETTERS[kind];
    if (seq !== expected || letter === undefined || typeof json !== 'string' || json.includes('\n')) return undefined;
    text += `${expected === firstSeq ? '' : '\n'}${letter}${at} ${json}`;
    expected += 1;
  }
  return text;
}

export function fromText(text: string, firstSeq: number): readonly Entry[] {
  return text.split('\n').map((line, index) => {
    const space = line.indexOf(' ');
    const kind = KINDS.get(line.slice(0, 1));
    if (kind === undefined) throw new Error(`The log has a kind of entry that this version does not know: ${line.slice(0, space)}`);
    return { seq: firstSeq + index, kind, at: Number(line.slice(1, space)), json: line.slice(space + 1) };
  });
}
