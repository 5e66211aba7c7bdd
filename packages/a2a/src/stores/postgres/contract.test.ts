import { describe, inject, test } from 'vitest';
import { newSchema } from '../../../test/databases/provided.js';
import { generatedCases } from '../../../test/generated-cases.js';
import { compareWithNaive } from '../../../test/store-model.js';
import { storeContract } from '../../testing/index.js';
import { postgresStore } from './index.js';

const UNLIMITED = { replayTasks: Number.POSITIVE_INFINITY, replayBytes: Number.POSITIVE_INFINITY };
const url = inject('postgresUrl');

describe('D12: the PostgreSQL store passes the store contract', () => {
  for (const [name, run] of storeContract) test(name, () => run(() => postgresStore(url, { schema: newSchema() })));
});

describe('D12: the PostgreSQL store behaves like the naive store', () => {
  test('D12: random calls get the same answers', { timeout: 120_000 }, () =>
    compareWithNaive({
      create: (clock) => postgresStore(url, { schema: newSchema(), clock }),
      numRuns: generatedCases(100),
      limits: UNLIMITED,
    }),
  );
});
