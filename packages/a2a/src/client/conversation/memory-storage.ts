import type { ConversationStorage } from './storage.js';
import { toJsonText } from './storage-error.js';

/** Keeps conversations as long as the process lives: for tests, and for pages that only switch between threads. */
export function memoryStorage(): ConversationStorage {
  // As text, so that nobody who changes a value afterwards changes what is kept.
  const texts = new Map<string, string>();
  return {
    async get(key) {
      const text = texts.get(key);
      return text === undefined ? undefined : JSON.parse(text);
    },
    async set(key, value) {
      texts.set(key, toJsonText(key, value));
    },
    async remove(key) {
      texts.delete(key);
    },
    async keys(prefix) {
      return [...texts.keys()].filter((key) => key.startsWith(prefix));
    },
  };
}
