/** The used part of the IndexedDB API. This library is built without the browser types. */

export interface IdbFactory {
  open(name: string, version?: number): IdbOpenRequest;
}

interface IdbRequest {
  readonly result: unknown;
  readonly error: unknown;
  onsuccess: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
}

export interface IdbOpenRequest extends IdbRequest {
  readonly result: IdbDatabase;
  onblocked: ((event: never) => void) | null;
  onupgradeneeded: ((event: never) => void) | null;
}

export interface IdbDatabase {
  readonly version: number;
  readonly objectStoreNames: { contains(name: string): boolean };
  createObjectStore(name: string): unknown;
  transaction(name: string, mode: 'readonly' | 'readwrite'): IdbTransaction;
  close(): void;
  onclose: ((event: never) => void) | null;
  onversionchange: ((event: never) => void) | null;
}

interface IdbTransaction {
  readonly error: unknown;
  objectStore(name: string): IdbStore;
  oncomplete: ((event: never) => void) | null;
  onabort: ((event: never) => void) | null;
}

export interface IdbStore {
  get(key: string): IdbRequest;
  put(value: unknown, key: string): IdbRequest;
  delete(key: string): IdbRequest;
  getAllKeys(): IdbRequest;
}
