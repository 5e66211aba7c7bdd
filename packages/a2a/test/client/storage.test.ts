// Storages of conversations: one contract for all, and the special cases of each.
import { A2AError } from '@parley/a2a';
import { type IdbFactory, indexedDb, memoryStorage, type WebStorage, webStorage } from '@parley/a2a/conversation';
import { storageContract } from '@parley/a2a/testing';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, describe, expect, test, vi } from 'vitest';

/** A Web Storage as in browsers, with room for this many characters. */
function pageStorage(room = 5_000_000): WebStorage & { readonly items: Map<string, string> } {
  const items = new Map<string, string>();
  const used = (): number => [...items].reduce((sum, [key, text]) => sum + key.length + text.length, 0);
  return {
    items,
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem(key, value) {
      const before = items.get(key);
      if (used() - (before === undefined ? 0 : key.length + before.length) + key.length + value.length > room) {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      }
      items.set(key, value);
    },
    removeItem: (key) => void items.delete(key),
  };
}

const freshDb = (factory: IdbFactory = new IDBFactory()) => indexedDb({ factory });

const storages = {
  memoryStorage,
  'webStorage with room': () => webStorage(pageStorage(50_000_000)),
  webStorage: () => webStorage(pageStorage()),
  indexedDb: () => freshDb(),
};

describe.each(Object.entries(storages))('%s', (_name, create) => {
  for (const [sentence, run] of storageContract) test(sentence, () => run(create));

  test('D38: a value that is not JSON is refused, and the old value stays', async () => {
    const storage = create();
    await storage.set('parley:a', 1);
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    for (const value of [undefined, () => {}, 1n, circle]) {
      // @ts-expect-error: a caller without types can pass this
      await expect(storage.set('parley:a', value)).rejects.toMatchObject({ name: 'A2AError', reason: 'INVALID_PARAMS' });
    }
    expect(await storage.get('parley:a')).toBe(1);
  });
});

describe('D38: webStorage', () => {
  test('D38: foreign keys are neither listed nor changed, and a value that is not JSON is returned as text', async () => {
    const page = pageStorage();
    page.setItem('theme', 'dark');
    page.setItem('parley:broken', '{"half":');
    page.setItem('{', '}');
    const storage = webStorage(page);
    expect(await storage.keys('parley:')).toEqual(['parley:broken']);
    expect(await storage.get('parley:broken')).toBe('{"half":');
    await storage.set('parley:a', { ok: true });
    await storage.remove('parley:a');
    expect([...page.items]).toEqual([
      ['theme', 'dark'],
      ['parley:broken', '{"half":'],
      ['{', '}'],
    ]);
  });

  test('D38: a full storage rejects with CONTENT_TOO_LARGE', async () => {
    const storage = webStorage(pageStorage(100));
    await expect(storage.set('parley:a', 'x'.repeat(200))).rejects.toMatchObject({ reason: 'CONTENT_TOO_LARGE' });
  });

  test('D38: a storage that the browser forbids rejects, and does not break the page', async () => {
    const storage = webStorage(() => {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    });
    for (const call of [storage.get('a'), storage.set('a', 1), storage.remove('a'), storage.keys('')]) {
      await expect(call).rejects.toMatchObject({ name: 'A2AError', message: expect.stringContaining('not allowed') });
    }
  });

  test('D38: an invalid storage throws at once', () => {
    // @ts-expect-error: a caller without types can pass this
    expect(() => webStorage(undefined)).toThrow(A2AError);
    // @ts-expect-error: a caller without types can pass this
    expect(() => webStorage({})).toThrow(A2AError);
  });
});

describe('D38: indexedDb', () => {
  afterEach(() => vi.unstubAllGlobals());

  test('D38: two instances with the same name share their data; another name is another database', async () => {
    const factory = new IDBFactory();
    await indexedDb({ factory, name: 'x' }).set('parley:a', 1);
    expect(await indexedDb({ factory, name: 'x' }).get('parley:a')).toBe(1);
    expect(await indexedDb({ factory, name: 'y' }).get('parley:a')).toBe(undefined);
  });

  test('D38: a database that is deleted while open is created again', async () => {
    const factory = new IDBFactory();
    const storage = freshDb(factory);
    await storage.set('parley:a', 1);
    await new Promise((resolve, reject) => Object.assign(factory.deleteDatabase('parley'), { onsuccess: resolve, onblocked: reject }));
    expect(await storage.get('parley:a')).toBe(undefined);
    await storage.set('parley:a', 2);
    expect(await storage.get('parley:a')).toBe(2);
  });

  test('D38: a database of other code, of any version, gets our object store and keeps its data', async () => {
    const factory = new IDBFactory();
    const theirs = await openRaw(factory, 'parley', 7, (database) => database.createObjectStore('theirs'));
    theirs.close();
    const storage = freshDb(factory);
    await storage.set('parley:a', 1);
    const again = await openRaw(factory, 'parley');
    expect([...again.objectStoreNames]).toEqual(['conversations', 'theirs']);
  });

  test('D38: a page that keeps an older database open causes a retryable error, and nothing hangs', async () => {
    const factory = new IDBFactory();
    const theirs = await openRaw(factory, 'parley', 1, (database) => database.createObjectStore('theirs'));
    const storage = freshDb(factory);
    await expect(storage.get('parley:a')).rejects.toMatchObject({ name: 'A2AError', retryable: true });
    theirs.close();
    await storage.set('parley:a', 1);
    expect(await storage.get('parley:a')).toBe(1);
  });

  test('D38: a closed connection is opened again', async () => {
    const real = new IDBFactory();
    const connections: { close(): void }[] = [];
    const factory: IdbFactory = {
      open(...args) {
        const request = real.open(...args);
        request.addEventListener('success', () => connections.push(request.result));
        return request;
      },
    };
    const storage = freshDb(factory);
    await storage.set('parley:a', 1);
    for (const connection of connections) connection.close();
    const values = await Promise.all([storage.set('parley:a', 2), storage.set('parley:a', 3), storage.get('parley:a')]);
    expect(values[2]).toBe(3);
  });

  test('D38: a full disk rejects with CONTENT_TOO_LARGE, and the old value stays', async () => {
    const real = new IDBFactory();
    const database = freshDb(real);
    await database.set('parley:a', 'before');
    const raw = await openRaw(real, 'parley');
    const full = vi.spyOn(Object.getPrototypeOf(raw.transaction('conversations').objectStore('conversations')), 'put');
    full.mockImplementation(function (this: IDBObjectStoreLike) {
      queueMicrotask(() => this.transaction._abort('QuotaExceededError'));
      return {};
    });
    await expect(database.set('parley:a', 'after')).rejects.toMatchObject({ reason: 'CONTENT_TOO_LARGE' });
    full.mockRestore();
    expect(await database.get('parley:a')).toBe('before');
  });

  test('D38: when IndexedDB is missing, hidden or forbidden, calls reject with a message that says so', async () => {
    vi.stubGlobal('indexedDB', undefined);
    await expect(indexedDb().get('a')).rejects.toMatchObject({
      name: 'A2AError',
      message: expect.stringContaining('IndexedDB is not available'),
    });
    const forbid = (): never => {
      throw new DOMException('denied', 'SecurityError');
    };
    await expect(freshDb({ open: forbid }).get('a')).rejects.toMatchObject({ message: expect.stringContaining('not allowed') });
    const fail: IdbFactory['open'] = () => {
      const request = {
        result: undefined as never,
        error: new DOMException('private', 'UnknownError'),
        onsuccess: null,
        onerror: null as (() => void) | null,
        onblocked: null,
        onupgradeneeded: null,
      };
      queueMicrotask(() => request.onerror?.());
      return request;
    };
    const storage = freshDb({ open: fail });
    await expect(storage.set('a', 1)).rejects.toMatchObject({ name: 'A2AError', reason: 'INTERNAL_ERROR' });
    await expect(storage.keys('')).rejects.toBeInstanceOf(A2AError);
  });

  test('D38: the default is the indexedDB of the platform', async () => {
    vi.stubGlobal('indexedDB', new IDBFactory());
    await indexedDb().set('parley:a', 1);
    expect(await indexedDb().get('parley:a')).toBe(1);
  });

  test('D38: an empty name throws', () => {
    expect(() => indexedDb({ name: '' })).toThrow(A2AError);
  });
});

interface IDBObjectStoreLike {
  readonly transaction: { _abort(name: string): void };
}

type Raw = Awaited<ReturnType<typeof openRaw>>;

function openRaw(factory: InstanceType<typeof IDBFactory>, name: string, version?: number, upgrade: (database: Raw) => void = () => {}) {
  return new Promise<InstanceType<typeof import('fake-indexeddb').IDBDatabase>>((resolve, reject) => {
    const request = factory.open(name, version);
    request.onupgradeneeded = () => upgrade(request.result as Raw);
    request.onsuccess = () => resolve(request.result as Raw);
    request.onerror = () => reject(request.error);
  });
}
