// Runs after each test, also after the hooks of its file: restores spies and stubbed globals and variables. Test files share a worker, so a
// stub that stays would replace `fetch` in the next file. The options `unstubGlobals` and `restoreMocks` are too late: they act before the
// next test, which is after the `beforeAll` of the next file.
import { afterEach, vi } from 'vitest';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
