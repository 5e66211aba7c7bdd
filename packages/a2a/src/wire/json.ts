/** From the text of a body to a value that is still unknown. */
import { A2AError } from '../protocol/errors.js';

// Below this size the parser is quick whatever the text; above it, nesting by the million would hold up everybody for seconds.
const SCAN_ABOVE_CHARS = 64 * 1024;
// Far beyond what any message may have: members are held to their own, smaller limits later.
const MAX_DEPTH = 1_000;

/** Throws PARSE_ERROR when it is not JSON, INVALID_REQUEST when it is absurdly nested. */
export function decodeJson(text: string): unknown {
  if (text.length > SCAN_ABOVE_CHARS && isDeeper(text, MAX_DEPTH)) throw new A2AError('INVALID_REQUEST', 'The request is nested too deep');
  try {
    return JSON.parse(text);
  } catch {
    throw new A2AError('PARSE_ERROR', 'Invalid JSON payload');
  }
}

/** Whether brackets are open to more than so many levels. Right for JSON; for other text it only has to come to an end. */
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

/** Where the string that begins at `start` ends: at the next quote behind an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text.charCodeAt(before) === 0x5c) before--;
    if ((quote - before) % 2 === 1) return quote;
  }
  return text.length;
}
