/** Errors of storages. Browsers use different names for the same failure. */
import { A2AError, isA2AError } from '../../protocol/errors.js';

/** `what` is the attempted operation, for example `save parley:1`. */
export function toStorageError(thrown: unknown, storage: string, what: string): A2AError {
  if (isA2AError(thrown)) return thrown;
  const name = nameOf(thrown);
  if (FULL.includes(name)) return new A2AError('CONTENT_TOO_LARGE', `${storage} is full: could not ${what}`, { cause: thrown });
  if (name === 'SecurityError')
    return new A2AError('INTERNAL_ERROR', `${storage} is not allowed on this page: could not ${what}`, { cause: thrown });
  return new A2AError('INTERNAL_ERROR', `${storage} failed: could not ${what}`, { cause: thrown });
}

/** The second name is Firefox's for a full localStorage. */
const FULL = ['QuotaExceededError', 'NS_ERROR_DOM_QUOTA_REACHED'];

/** A DOMException is not an instance of Error in every runtime. */
export function nameOf(thrown: unknown): string {
  const name: unknown = typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, 'name') : undefined;
  return typeof name === 'string' ? name : '';
}
