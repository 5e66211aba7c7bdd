/** Where conversations are kept: IndexedDB, or localStorage where a browser does not give that, or nowhere. */
import { type ConversationStorage, indexedDb, webStorage } from '@parley/a2a/conversation';

/** undefined: nothing can be kept here, and the page says so by forgetting. */
export async function openStorage(): Promise<ConversationStorage | undefined> {
  for (const make of [() => indexedDb({ name: 'parley-studio' }), () => webStorage(localStorage)]) {
    try {
      const storage = make();
      await storage.keys('parley:'); // browsers may refuse at the first use only
      return storage;
    } catch {
      // The next one, then.
    }
  }
  return undefined;
}
