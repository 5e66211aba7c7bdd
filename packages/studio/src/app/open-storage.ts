/** Stores conversations in IndexedDB, else in localStorage, else only in memory. */
import { type ConversationStorage, indexedDb, webStorage } from '@parley/a2a/conversation';

/** Returns undefined if the browser offers no storage; conversations are then lost on reload. */
export async function openStorage(): Promise<ConversationStorage | undefined> {
  for (const make of [() => indexedDb({ name: 'parley-studio' }), () => webStorage(localStorage)]) {
    try {
      const storage = make();
      await storage.keys('parley:'); // some browsers refuse only on the first use
      return storage;
    } catch {
      // Try the next storage.
    }
  }
  return undefined;
}
