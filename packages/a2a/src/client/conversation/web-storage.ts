import { A2AError } from '../../protocol/errors.js';
import type { ConversationStorage } from './storage.js';
import { toStorageError } from './storage-error.js';
import { fromStoredText, toStoredText } from './storage-text.js';

/** The interface of `localStorage` and `sessionStorage`. */
export interface WebStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/**
 * Stores conversations in `localStorage` or `sessionStorage`, as JSON text. Pass a function, `() => localStorage`, if the browser may
 * forbid access: calls then reject, and the page still loads. The limit is about 5 MB; `indexedDb()` stores more.
 */
export function webStorage(storage: WebStorage | (() => WebStorage)): ConversationStorage {
  if (typeof storage !== 'function' && typeof storage?.getItem !== 'function') {
    throw new A2AError(
      'INVALID_PARAMS',
      `webStorage expects localStorage, sessionStorage or a function that returns one, got ${String(storage)}`,
    );
  }
  const attempt = async <T>(what: string, work: (storage: WebStorage) => T): Promise<T> => {
    try {
      return work(typeof storage === 'function' ? storage() : storage);
    } catch (thrown) {
      throw toStorageError(thrown, 'the web storage', what);
    }
  };
  return {
    get: (key) => attempt(`read ${key}`, (items) => fromStoredText(items.getItem(key))),
    set: (key, value) => attempt(`save ${key}`, (items) => items.setItem(key, toStoredText(key, value))),
    remove: (key) => attempt(`remove ${key}`, (items) => items.removeItem(key)),
    keys: (prefix) => attempt(`list ${prefix}`, (items) => listKeys(items).filter((key) => key.startsWith(prefix))),
  };
}

function listKeys(storage: WebStorage): readonly string[] {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index));
  return keys.filter((key) => key !== null);
}
