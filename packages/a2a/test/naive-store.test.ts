import { describe, test } from 'vitest';
import { storeContract } from '../src/testing/index.js';
import { NaiveStore } from './naive-store.js';

describe('D12: the store contract is bound to no implementation: the naive store keeps it too', () => {
  for (const [name, run] of storeContract) test(name, () => run(() => new NaiveStore({ now: () => Date.now() })));
});
