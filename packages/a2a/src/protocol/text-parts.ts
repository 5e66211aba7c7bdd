/** Parts that contain only text: adjacent ones can be joined without loss. */
import type { Part } from './types.js';

/** A part with no member except `text`. */
export interface TextPart extends Part {
  readonly text: string;
}

/** Undefined members do not count: JSON does not write them, and a log that is read back must fold to the same task. */
export function isTextPart(part: Part | undefined): part is TextPart {
  if (typeof part?.text !== 'string') return false;
  for (const member in part) {
    if (member !== 'text' && part[member as keyof Part] !== undefined) return false; // a key of the part itself
  }
  return true;
}

/** Joins adjacent text parts. */
export function joinTextParts(parts: readonly Part[]): readonly Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (isTextPart(last) && isTextPart(part)) joined[joined.length - 1] = { text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}
