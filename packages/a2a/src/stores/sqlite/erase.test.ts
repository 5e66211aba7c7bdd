import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempFiles } from '../../../test/temp-folder.js';
import { appended, commitAll, creation, entry, message, ref } from '../../testing/store-contract/samples.js';
import { sqlite } from './index.js';

const newFile = tempFiles();
const CONTEXT = { agent: '', tenant: 'tenant', owner: 'owner', contextId: 'context' };

describe('D60: erased tasks in a SQLite file', () => {
  test('D60: the file contains nothing of an erased task after the store is closed', async () => {
    const file = newFile();
    const store = sqlite(file);
    const task = ref('task-id');
    const secret = (where: string): string => `"secret in ${where} ${'x'.repeat(10_000)}"`;
    const entries = [{ ...entry(3), json: secret('an event') }];
    await commitAll(
      store,
      creation(task, { contextId: 'mine', artifacts: [secret('a snapshot')], history: [message('secret in history')] }),
    );
    await commitAll(store, appended(task, 3, 0, { entries }), creation(ref('beside'), { artifacts: ['"kept"'] }));
    await store.post(task, 'message', secret('the inbox'));
    await store.eraseContext({ agent: '', tenant: 'tenant', owner: 'owner', contextId: 'mine' }, 10);
    await store.close();
    const bytes = readFileSync(file, 'latin1');
    expect(bytes).toContain('kept');
    expect(bytes).not.toContain('secret in');
  });

  test('D60: one transaction erases about 16 MiB, and at least one task', async () => {
    const store = sqlite(newFile());
    const artifacts = [`"${'x'.repeat(9 * 1024 * 1024)}"`];
    for (const id of ['a', 'b']) await commitAll(store, creation(ref(id), { artifacts }));
    await commitAll(store, creation(ref('c')), creation(ref('d')));
    const batches = [];
    for (let n = 0; n < 3; n += 1) batches.push((await store.eraseContext(CONTEXT, 10)).map(({ id }) => id));
    expect(batches).toEqual([['d', 'c', 'b'], ['a'], []]);
    await store.close();
  });

  test('D60: a list that counts during an erasure does not change later totals', async () => {
    const store = sqlite(newFile());
    const count = async () => (await store.list({ agent: '', tenant: 'tenant', owner: 'owner', limit: 1, count: true })).total;
    for (let n = 0; n < 5; n += 1) {
      await commitAll(store, creation(ref('kept'), { contextId: 'other' }), creation(ref('a')), creation(ref('b')));
      let isOver = false;
      const erasing = store.eraseContext(CONTEXT, 10).finally(() => {
        isOver = true;
      });
      while (!isOver) {
        expect([1, 3]).toContain(await count());
        await new Promise(setImmediate);
      }
      await erasing;
      expect(await count()).toBe(1);
      await store.erase(ref('kept'));
    }
    await store.close();
  });
});
