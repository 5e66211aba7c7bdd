/**
 * The rule for the text of an answer, for replies, updates and messages of a conversation: pieces of one artifact are joined as they are, a
 * blank line stands between two artifacts, and what is said is set apart where a sentence ends or begins.
 */
import type { Part } from '../protocol/types.js';

export interface TextPiece {
  readonly text: string;
  /** The whole text of one artifact. Otherwise a message. */
  readonly isArtifact: boolean;
}

export function joinTexts(pieces: Iterable<TextPiece>): string {
  let whole = '';
  let before: TextPiece | undefined;
  for (const piece of pieces) {
    if (piece.text === '') continue;
    if (before !== undefined) whole += before.isArtifact && piece.isArtifact ? blankLineAfter(whole) : seamOf(before.text, piece.text);
    whole += piece.text;
    before = piece;
  }
  return whole;
}

/** The text of parts whose artifacts are not known: each text stands by itself. */
export function textOfParts(parts: readonly Part[]): string {
  return joinTexts(parts.map(({ text = '' }) => ({ text, isArtifact: true })));
}

/**
 * The text of a message that comes from outside. The given text knows which parts belong to one artifact; it counts as long as it differs
 * from the texts of the parts by blanks only.
 */
export function textWith(parts: readonly Part[], given: unknown): string {
  const text = textOfParts(parts);
  return typeof given === 'string' && withoutBlanks(given) === withoutBlanks(text) ? given : text;
}

/** The text that has to be kept beside its parts; undefined where they give the same. */
export function textBeside(parts: readonly Part[], text: string | undefined): string | undefined {
  return text === textOfParts(parts) ? undefined : text;
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '');
}

/** What comes between two texts that were said one after the other: agents that stream words send their own blanks, others say sentences. */
export function seamOf(end: string, text: string): string {
  if (end === '' || text === '' || /\s$/.test(end) || /^\s/.test(text)) return '';
  return SENTENCE_END.test(end) || /^\p{Lu}/u.test(text) ? '\n\n' : '';
}

const SENTENCE_END = /[.!?…:;。！？]["'”’»)\]]?$/;

function blankLineAfter(text: string): string {
  if (text.endsWith('\n\n')) return '';
  return text.endsWith('\n') ? '\n' : '\n\n';
}
