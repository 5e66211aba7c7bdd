/** Storages hold JSON text, so a stored value does not change when the caller's object changes. */
import { A2AError } from '../../protocol/errors.js';
import type { JsonValue } from '../../protocol/types.js';

/** Throws INVALID_PARAMS for a value that JSON cannot represent; nothing is stored then. */
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

/** Text that is not JSON is foreign or damaged. It is returned unchanged, so that its reader can report it. */
export function fromStoredText(stored: unknown): unknown {
  if (stored === null) return undefined;
  if (typeof stored !== 'string') return stored;
  try {
    return JSON.parse(stored);
  } catch {
    return stored;
  }
}
