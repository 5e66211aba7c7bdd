/** Parses the text of a body into an unchecked value. */
import { A2AError } from '../protocol/errors.js';

// Below this size the parser is fast for any text. Above it, millions of nested levels would block the event loop for seconds.
const SCAN_ABOVE_CHARS = 64 * 1024;
// Far more than any message may have; members have their own, smaller limits, which are checked later.
const MAX_DEPTH = 1_000;

/** Throws PARSE_ERROR when the text is not JSON, INVALID_REQUEST when it is nested extremely deep. */
export function decodeJson(text: string): unknown {
  if (text.length > SCAN_ABOVE_CHARS && isDeeper(text, MAX_DEPTH))
    throw new A2AError('INVALID_REQUEST', 'The request is nested too deeply');
  try {
    return JSON.parse(text);
  } catch {
    throw new A2AError('PARSE_ERROR', 'Invalid JSON payload');
  }
}

/** Whether brackets are nested deeper than `levels`. Exact for JSON; for other text it only has to terminate. */
export function isDeeper(text: string, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > levels) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
    }
  }
  return false;
}

/** The end of the string that begins at `start`: the next quote after an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text.charCodeAt(before) === 0x5c) before--;
    if ((quote - before) % 2 === 1) return quote;
  }
  return text.length;
}
