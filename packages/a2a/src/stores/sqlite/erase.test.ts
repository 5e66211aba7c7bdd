import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempFiles } from '../../../test/temp-folder.js';
import { appended, commitAll, creation, entry, message, ref } from '../../testing/store-contract/samples.js';
import { sqlite } from './index.js';

const newFile = tempFiles();

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
});
