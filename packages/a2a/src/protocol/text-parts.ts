/** Parts that have only text: the pieces of one text, which may be joined without losing anything. */
import type { Part } from './types.js';

/** A part with no member but `text`. */
export interface TextPart extends Part {
  readonly text: string;
}

/** Members that are undefined do not count: JSON does not write them, and a log that is read back must fold to the same task. */
export function isTextPart(part: Part | undefined): part is TextPart {
  if (typeof part?.text !== 'string') return false;
  for (const member in part) {
    if (member !== 'text' && part[member as keyof Part] !== undefined) return false; // a key of the part itself
  }
  return true;
}

/** The parts with neighbouring texts joined. */
export function joinTextParts(parts: readonly Part[]): readonly Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (isTextPart(last) && isTextPart(part)) joined[joined.length - 1] = { text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}
