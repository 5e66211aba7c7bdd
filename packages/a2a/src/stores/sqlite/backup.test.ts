import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFiles } from '../../../test/temp-folder.js';
import { appended, commitAll, creation, entered, message, ref } from '../../testing/store-contract/samples.js';
import { sqlite } from './index.js';

const newFile = tempFiles();
const EVERYTHING = { agent: '', tenant: 'tenant', owner: 'owner', limit: 1, count: true };

describe('D60: an online backup of a SQLite store', () => {
  test('D60: the copy has everything that was acknowledged before the call, and opens as a store', async () => {
    const store = sqlite(newFile());
    const task = ref('a');
    await commitAll(store, creation(task), appended(task, 3, 2), creation(ref('b')));
    await store.post(task, 'message', message('m'));
    await commitAll(store, entered(ref('b'), 3));
    const copy = newFile();
    await store.backup(copy);
    await commitAll(store, creation(ref('later')));
    const restored = sqlite(copy);
    for (const id of ['a', 'b']) expect(await restored.load(ref(id))).toEqual(await store.load(ref(id)));
    expect(await restored.inbox(task, 0)).toEqual(await store.inbox(task, 0));
    expect(await restored.load(ref('later'))).toBeUndefined();
    expect((await restored.claim(task, 'node-2')) !== 'owned').toBe(true);
    await commitAll(restored, creation(ref('new')));
    await Promise.all([store.close(), restored.close()]);
  });

  test('D60: while tasks are written, the copy has every task that was acknowledged before the call, each one complete', async () => {
    const store = sqlite(newFile());
    let acknowledged = 0;
    let isWriting = true;
    const write = async (): Promise<void> => {
      while (isWriting) {
        await commitAll(store, creation(ref(`task-${acknowledged}`)), appended(ref(`task-${acknowledged}`), 3, 3));
        acknowledged += 1;
      }
    };
    const writing = write();
    while (acknowledged < 50) await new Promise(setImmediate);
    const before = acknowledged;
    const copy = newFile();
    await store.backup(copy);
    isWriting = false;
    await writing;
    expect(acknowledged, 'writes go on during the backup').toBeGreaterThan(before);
    const restored = sqlite(copy);
    for (let n = 0; n < before; n += 1) expect((await restored.load(ref(`task-${n}`)))?.seq).toBe(5);
    const { total = 0 } = await restored.list(EVERYTHING);
    expect(total).toBeLessThanOrEqual(acknowledged);
    for (let n = before; n < total; n += 1) expect((await restored.load(ref(`task-${n}`)))?.seq).toBe(5);
    await Promise.all([store.close(), restored.close()]);
  });

  test('D60: only the owner can read the copy, and no other file is left', async () => {
    const store = sqlite(newFile());
    await commitAll(store, creation(ref('a')));
    const copy = newFile();
    await store.backup(copy);
    expect((statSync(copy).mode & 0o777).toString(8)).toBe('600');
    expect(readdirSync(dirname(copy)).filter((name) => name.startsWith(basename(copy)))).toEqual([basename(copy)]);
    await store.close();
  });

  test('D60: an existing file, also the database itself, is refused and left unchanged', async () => {
    const file = newFile();
    const store = sqlite(file);
    const taken = newFile();
    writeFileSync(taken, 'mine');
    for (const path of [file, taken, `${file}-wal`]) {
      await expect(store.backup(path)).rejects.toMatchObject({
        reason: 'INVALID_PARAMS',
        message: expect.stringMatching(/^The backup .* already exists: choose another path/),
      });
    }
    expect(statSync(taken).size).toBe(4);
    await store.close();
  });

  test('D60: a path that cannot be written is refused with the reason, and nothing is left', async () => {
    const store = sqlite(newFile());
    const path = `${newFile()}-folder/copy.db`;
    await expect(store.backup(path)).rejects.toMatchObject({ message: expect.stringContaining('ENOENT') });
    await expect(store.backup('')).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
    expect(existsSync(path)).toBe(false);
    await store.close();
    await expect(store.backup(newFile())).rejects.toMatchObject({ reason: 'AGENT_UNAVAILABLE', message: 'The store is closed' });
  });

  test('D60: close waits for a running backup', async () => {
    const store = sqlite(newFile());
    await commitAll(store, creation(ref('a')));
    const copy = newFile();
    const backup = store.backup(copy);
    await store.close();
    await backup;
    expect(existsSync(copy)).toBe(true);
  });
});
