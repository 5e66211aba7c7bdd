import { describe, test } from 'vitest';
import { generatedCases } from '../../../test/generated-cases.js';
import { compareWithNaive } from '../../../test/store-model.js';
import { tempFiles } from '../../../test/temp-folder.js';
import { storeContract } from '../../testing/index.js';
import { sqlite } from './index.js';

const newFile = tempFiles();
const UNLIMITED = { replayTasks: Number.POSITIVE_INFINITY, replayBytes: Number.POSITIVE_INFINITY };

describe('D12: the SQLite store passes the store contract', () => {
  for (const [name, run] of storeContract) test(name, () => run(() => sqlite(newFile())));
});

describe('D12: the SQLite store behaves like the naive store', () => {
  test('D12: random calls get the same answers', { timeout: 120_000 }, () =>
    compareWithNaive({ create: (clock) => sqlite(newFile(), { clock }), numRuns: generatedCases(200), limits: UNLIMITED }),
  );

  test('D12: random calls get the same answers when the file is closed and reopened between them', { timeout: 120_000 }, () => {
    let file = '';
    return compareWithNaive({
      create(clock) {
        file = newFile();
        return sqlite(file, { clock });
      },
      async reopen(store, clock) {
        await store.close();
        return sqlite(file, { clock });
      },
      numRuns: generatedCases(200),
      limits: UNLIMITED,
    });
  });
});
