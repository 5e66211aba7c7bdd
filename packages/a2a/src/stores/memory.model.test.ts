import { describe, test } from 'vitest';
import { generatedCases } from '../../test/generated-cases.js';
import { compareWithNaive } from '../../test/store-model.js';
import { memoryStore } from './memory.js';

const LIMITS = [{}, { maxTasks: 4 }, { replayTasks: 2 }, { replayBytes: 400 }, { maxTasks: 3, replayTasks: 1, replayBytes: 300 }];

describe('D12: the memory store behaves like the naive store', () => {
  for (const limits of LIMITS) {
    test(`D12: random calls get the same answers with the limits ${JSON.stringify(limits)}`, { timeout: 60_000 }, () =>
      compareWithNaive({ create: (clock) => memoryStore({ clock, ...limits }), numRuns: generatedCases(500), limits }),
    );
  }
});
