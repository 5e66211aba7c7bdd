import { describe, test } from 'vitest';
import { storeContract } from '../src/testing/index.js';
import { NaiveStore } from './naive-store.js';

describe('D12: the store contract does not depend on an implementation: the naive store passes it as well', () => {
  for (const [name, run] of storeContract) test(name, () => run(() => new NaiveStore({ now: () => Date.now() })));
});
