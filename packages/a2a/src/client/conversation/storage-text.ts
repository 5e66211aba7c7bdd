/** Storages keep JSON text: what is kept is what the value was when it was given, and nothing but JSON. */
import { A2AError } from '../../protocol/errors.js';
import type { JsonValue } from '../../protocol/types.js';

/** A value that JSON can not write is the caller's mistake, and nothing is kept of it. */
export function toStoredText(key: string, value: JsonValue): string {
  let text: string | undefined;
  let cause: unknown;
  try {
    text = JSON.stringify(value);
  } catch (thrown) {
    cause = thrown;
  }
  if (text === undefined) throw new A2AError('INVALID_PARAMS', `the value of ${key} is not plain JSON`, { cause });
  return text;
}

/** What is not JSON is somebody else's, or broken: it is given as it is, so that its reader can say so. */
export function fromStoredText(stored: unknown): unknown {
  if (stored === null) return undefined;
  if (typeof stored !== 'string') return stored;
  try {
    return JSON.parse(stored);
  } catch {
    return stored;
  }
}
