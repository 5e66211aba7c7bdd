import assert from 'node:assert/strict';
import type { ConversationStorage } from '../client/conversation/storage.js';
import { isA2AError } from '../protocol/errors.js';
import type { JsonValue } from '../protocol/types.js';

/** Returns an empty storage. */
export type CreateStorage = () => Promise<ConversationStorage> | ConversationStorage;

/** One statement of the contract, and the code that checks it with a new storage. */
export type StorageCheck = readonly [name: string, run: (create: CreateStorage) => Promise<void>];

function check(name: string, body: (storage: ConversationStorage) => Promise<void>): StorageCheck {
  return [name, async (create) => body(await create())];
}

const VALUES: readonly JsonValue[] = [
  null,
  false,
  0,
  -1.5e300,
  '',
  'null',
  '{"not":"parsed again"}',
  'ü|"\n\u2028😀\ud800',
  [],
  {},
  [null, [[]], { a: [1, { b: null }] }],
  { '': 1, constructor: 'x', 'with.dots': { toString: true } },
];

/** All promises of a ConversationStorage, one check each. Run them all, with any test runner, against your own. */
export const storageContract: readonly StorageCheck[] = [
  check('D38: a value is returned as it was stored', async (storage) => {
    for (const [index, value] of VALUES.entries()) await storage.set(`parley:${index}`, value);
    for (const [index, value] of VALUES.entries()) assert.deepEqual(await storage.get(`parley:${index}`), value);
  }),

  check('D38: a key that was never set, or was removed, is undefined, and removing it again is no error', async (storage) => {
    assert.equal(await storage.get('parley:none'), undefined);
    await storage.set('parley:a', 1);
    await storage.remove('parley:a');
    await storage.remove('parley:a');
    assert.equal(await storage.get('parley:a'), undefined);
    assert.deepEqual(await storage.keys('parley:'), []);
  }),

  check('D38: keys are found by prefix, and any text can be a key', async (storage) => {
    const keys = ['parley:a:1', 'parley:a:2', 'parley:b', 'parley:ü/"\n😀', 'parley:__proto__', 'parley:a:'];
    for (const key of keys) await storage.set(key, key);
    for (const key of keys) assert.equal(await storage.get(key), key);
    assert.deepEqual([...(await storage.keys('parley:a:'))].sort(), ['parley:a:', 'parley:a:1', 'parley:a:2']);
    assert.deepEqual([...(await storage.keys('parley:'))].sort(), [...keys].sort());
    assert.deepEqual(await storage.keys('parley:c'), []);
    assert.deepEqual(await storage.keys('arley'), []);
  }),

  check('D38: later changes of a stored object, or of one that was read, do not reach the storage', async (storage) => {
    const list = [1];
    const value = { list };
    const kept = storage.set('parley:a', value);
    list.push(2);
    await kept;
    const read = (await storage.get('parley:a')) as { list: number[] }; // the type that was stored
    assert.deepEqual(read, { list: [1] });
    read.list.push(3);
    assert.deepEqual(await storage.get('parley:a'), { list: [1] });
  }),

  check('D38: of many concurrent writes to one key the last one wins', async (storage) => {
    await Promise.all(Array.from({ length: 50 }, (_, index) => storage.set('parley:a', index)));
    assert.equal(await storage.get('parley:a'), 49);
    void storage.set('parley:a', 'kept');
    await storage.remove('parley:a');
    assert.equal(await storage.get('parley:a'), undefined);
  }),

  check('D38: a read after a write returns it, also when the write was not awaited', async (storage) => {
    void storage.set('parley:a', 1);
    assert.equal(await storage.get('parley:a'), 1);
  }),

  check('D38: many keys do not interfere with each other', async (storage) => {
    const keys = Array.from({ length: 200 }, (_, index) => `parley:${index}`);
    await Promise.all(keys.map((key) => storage.set(key, key)));
    assert.deepEqual(await Promise.all(keys.map((key) => storage.get(key))), keys);
    assert.equal((await storage.keys('parley:')).length, 200);
  }),

  check('D38: a value that is too large is refused with an A2AError and leaves the old value, or is stored completely', async (storage) => {
    await storage.set('parley:a', 'before');
    const huge = { text: 'x'.repeat(8_000_000) };
    const refused = await storage.set('parley:a', huge).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (refused !== undefined) assert.ok(isA2AError(refused), String(refused));
    assert.deepEqual(await storage.get('parley:a'), refused === undefined ? huge : 'before');
    await storage.set('parley:a', 'after');
    assert.equal(await storage.get('parley:a'), 'after');
  }),
];
