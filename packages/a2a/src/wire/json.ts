/** Parses the text of a body into an unchecked value. */
import { A2AError } from '../protocol/errors.js';
import { scanJson } from './scan-json.js';

// Below this size the parser is fast for any text. Above it, millions of nested levels would block the event loop for seconds.
const SCAN_ABOVE_CHARS = 64 * 1024;
// Far more than any message may have; members have their own, smaller limits, which are checked later.
const MAX_DEPTH = 1_000;

/**
 * Throws PARSE_ERROR when the text is not JSON, and INVALID_REQUEST when it is nested extremely deep. `checkValues` may refuse the text for
 * its number of values, which are counted only if there may be more than `maxValues`.
 */
export function decodeJson(text: string, maxValues = Number.POSITIVE_INFINITY, checkValues?: (values: number) => void): unknown {
  const isLong = text.length > SCAN_ABOVE_CHARS;
  // A text of n characters has at most n values.
  if (isLong || text.length > maxValues) {
    const { values, depth } = scanJson(text, isLong ? MAX_DEPTH : text.length);
    if (isLong && depth > MAX_DEPTH) throw new A2AError('INVALID_REQUEST', 'The request is nested too deeply');
    checkValues?.(values);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new A2AError('PARSE_ERROR', 'Invalid JSON payload');
  }
}
