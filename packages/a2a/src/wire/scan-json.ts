/** Measures JSON text before it is parsed: the parser blocks the event loop for text with very many values or levels. */

export interface JsonMeasure {
  /**
   * The number of JSON values: objects, arrays, strings, numbers, literals and the names of members, each counted once. Names count, because
   * a new name costs the parser more than any other value. `{"a":[1,2]}` has five: the object, the name, the array and two numbers.
   */
  readonly values: number;
  /** The number of nested levels. Counting stops above the limit of the scan. */
  readonly depth: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Most strings are short, and then a call of `indexOf` costs more than a look at each character. */
const SHORT_CHARS = 32;

/** Exact for JSON; for other text it only has to terminate. One look at each character, so that the cost is linear for any text. */
export function scanJson(text: string, maxDepth: number): JsonMeasure {
  let values = text === '' ? 0 : 1;
  let depth = 0;
  let deepest = 0;
  // A container without items has no first value; `isOpen` is true until something other than white space follows its bracket.
  let isOpen = false;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x20: // white space
      case 0x09:
      case 0x0a:
      case 0x0d:
        continue;
      case QUOTE:
        at = endOfString(text, at + 1);
        break;
      case 0x2c: // a comma, before the next value
      case 0x3a: // a colon, after a name
        values++;
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > deepest) deepest = depth;
        if (deepest > maxDepth) return { values, depth: deepest };
        values++;
        isOpen = true;
        continue;
      case 0x5d: // ]
      case 0x7d: // }
        if (isOpen) values--;
        depth--;
        break;
    }
    isOpen = false;
  }
  return { values, depth: deepest };
}

/** The position of the quote that ends the string, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start; at < text.length; ) {
    const near = Math.min(text.length, at + SHORT_CHARS);
    for (; at < near; at++) {
      const unit = text.charCodeAt(at);
      if (unit === QUOTE) return at;
      if (unit === BACKSLASH) at++;
    }
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    if (!isEscaped(text, at, quote)) return quote;
    at = quote + 1;
  }
  return text.length;
}

/** Whether an odd number of backslashes precedes; those before `start` belong to complete escapes. */
function isEscaped(text: string, start: number, quote: number): boolean {
  let before = quote - 1;
  while (before >= start && text.charCodeAt(before) === BACKSLASH) before--;
  return (quote - before) % 2 === 0;
}
