/**
 * Joins the text of an answer, for replies, updates and conversation messages. Pieces of one artifact are joined without a separator. Two
 * artifacts are separated by a blank line. Message text is separated by a blank line only at a sentence end or a sentence start.
 */
import type { Part } from '../protocol/types.js';

export interface TextPiece {
  readonly text: string;
  /** True for the whole text of one artifact, false for the text of a message. */
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

/** Joins the text of parts whose artifacts are unknown: a blank line separates every two texts. */
export function textOfParts(parts: readonly Part[]): string {
  return joinTexts(parts.map(({ text = '' }) => ({ text, isArtifact: true })));
}

/**
 * Returns the text of a message that comes from outside this process. The parts do not show which of them belong to one artifact, but
 * `given` does. `given` is used only if it differs from the text of the parts by white space alone.
 */
export function textWith(parts: readonly Part[], given: unknown): string {
  const text = textOfParts(parts);
  return typeof given === 'string' && withoutBlanks(given) === withoutBlanks(text) ? given : text;
}

/** Returns the text that must be stored beside its parts, or undefined if the parts alone give the same text. */
export function textBeside(parts: readonly Part[], text: string | undefined): string | undefined {
  return text === textOfParts(parts) ? undefined : text;
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '');
}

/**
 * Returns the separator between two consecutive texts. Agents that stream words send their own white space; other agents send whole
 * sentences.
 */
export function seamOf(end: string, text: string): string {
  if (end === '' || text === '' || /\s$/.test(end) || /^\s/.test(text)) return '';
  return SENTENCE_END.test(end) || /^\p{Lu}/u.test(text) ? '\n\n' : '';
}

const SENTENCE_END = /[.!?…:;。！？]["'”’»)\]]?$/;

function blankLineAfter(text: string): string {
  if (text.endsWith('\n\n')) return '';
  return text.endsWith('\n') ? '\n' : '\n\n';
}
