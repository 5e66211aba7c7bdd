import type { ConversationStorage } from './storage.js';
import { fromStoredText, toStoredText } from './storage-text.js';

/** Stores conversations in memory until the process or page ends: for tests, and for pages that only switch between threads. */
export function memoryStorage(): ConversationStorage {
  const texts = new Map<string, string>();
  return {
    async get(key) {
      return fromStoredText(texts.get(key));
    },
    async set(key, value) {
      texts.set(key, toStoredText(key, value));
    },
    async remove(key) {
      texts.delete(key);
    },
    async keys(prefix) {
      return [...texts.keys()].filter((key) => key.startsWith(prefix));
    },
  };
}
