import { A2AError } from '../../protocol/errors.js';
import type { IdbDatabase, IdbFactory, IdbOpenRequest, IdbStore } from './indexed-db-types.js';
import type { ConversationStorage } from './storage.js';
import { nameOf, toStorageError } from './storage-error.js';
import { fromStoredText, toStoredText } from './storage-text.js';

/** Options of `indexedDb`: the name of the database, and the factory that opens it. */
export interface IndexedDbOptions {
  /** The name of the database. Default 'parley'. */
  readonly name?: string;
  /** Opens the database. Default: the global `indexedDB` of windows and workers. */
  readonly factory?: IdbFactory;
}

/** Stores conversations in IndexedDB, in windows and workers. Opens the database on first use, and again if it was closed or deleted. */
export function indexedDb(options: IndexedDbOptions = {}): ConversationStorage {
  const { name = 'parley', factory } = options;
  if (name === '') throw new A2AError('INVALID_PARAMS', 'the name of the database must not be empty');
  const database = new Database(name, factory);
  return {
    get: async (key) => fromStoredText(await database.run(`read ${key}`, 'readonly', (entries) => entries.get(key))),
    async set(key, value) {
      const text = toStoredText(key, value);
      await database.run(`save ${key}`, 'readwrite', (entries) => entries.put(text, key));
    },
    async remove(key) {
      await database.run(`remove ${key}`, 'readwrite', (entries) => entries.delete(key));
    },
    async keys(prefix) {
      const keys = await database.run(`list ${prefix}`, 'readonly', (entries) => entries.getAllKeys());
      return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string' && key.startsWith(prefix)) : [];
    },
  };
}

const STORE = 'conversations';

class Database {
  readonly #name: string;
  readonly #factory: IdbFactory | undefined;
  #opening: Promise<IdbDatabase> | undefined;
  /** Operations run one at a time, so that the last call wins even if the database has to be reopened in between. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(name: string, factory: IdbFactory | undefined) {
    this.#name = name;
    this.#factory = factory;
  }

  run(what: string, mode: 'readonly' | 'readwrite', ask: (entries: IdbStore) => { readonly result: unknown }): Promise<unknown> {
    const next = this.#last.then(() => this.#attempt(mode, ask));
    this.#last = next.catch(() => {});
    return next.catch((thrown: unknown) => {
      throw toStorageError(thrown, `the database ${this.#name}`, what);
    });
  }

  async #attempt(mode: 'readonly' | 'readwrite', ask: (entries: IdbStore) => { readonly result: unknown }): Promise<unknown> {
    try {
      return await transact(await this.#open(), mode, ask);
    } catch (thrown) {
      if (!GONE.includes(nameOf(thrown))) throw thrown;
      this.#opening = undefined;
      return transact(await this.#open(), mode, ask);
    }
  }

  #open(): Promise<IdbDatabase> {
    if (this.#opening !== undefined) return this.#opening;
    const opening = openDatabase(this.#factory ?? findFactory(), this.#name);
    this.#opening = opening;
    const forget = (): void => {
      if (this.#opening === opening) this.#opening = undefined;
    };
    opening.then((database) => {
      database.onclose = forget;
      // Close at once: another page that upgrades or deletes the database would wait for us. The next operation opens it again.
      database.onversionchange = () => {
        forget();
        database.close();
      };
    }, forget);
    return opening;
  }
}

/** The error names after the database was closed, deleted or emptied by another page. */
const GONE: readonly string[] = ['InvalidStateError', 'NotFoundError'];

/** Resolves when the transaction completes: until then a full disk can still roll it back. */
function transact(
  database: IdbDatabase,
  mode: 'readonly' | 'readwrite',
  ask: (entries: IdbStore) => { readonly result: unknown },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, mode);
    const request = ask(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error ?? new DOMException('the transaction was aborted', 'AbortError'));
  });
}

/** Opens the current version, and upgrades it if the object store is missing. */
async function openDatabase(factory: IdbFactory, name: string): Promise<IdbDatabase> {
  const database = await opened(factory.open(name));
  if (database.objectStoreNames.contains(STORE)) return database;
  const version = database.version + 1;
  database.close();
  return opened(factory.open(name, version));
}

function opened(request: IdbOpenRequest): Promise<IdbDatabase> {
  return new Promise((resolve, reject) => {
    let isGivenUp = false;
    request.onupgradeneeded = () => {
      if (!request.result.objectStoreNames.contains(STORE)) request.result.createObjectStore(STORE);
    };
    request.onsuccess = () => {
      if (isGivenUp) request.result.close();
      else resolve(request.result);
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => {
      isGivenUp = true;
      reject(
        new A2AError('INTERNAL_ERROR', 'another page holds the database open and blocks its upgrade; close that page, or retry later', {
          retryable: true,
        }),
      );
    };
  });
}

function findFactory(): IdbFactory {
  // In some private windows even reading the property throws.
  const factory: unknown = Reflect.get(globalThis, 'indexedDB');
  if (typeof factory === 'object' && factory !== null) return factory as IdbFactory; // the type of the browser's own object
  throw new A2AError('INTERNAL_ERROR', 'IndexedDB is not available: this host does not have it, or a private window hides it');
}
