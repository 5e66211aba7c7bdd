// The order of the test files. Vitest starts the longest file first if it has timings of earlier runs. A fresh clone has none, so Vitest
// orders by file size. The files below are small but run whole programs: started last, one of them would leave the other cores idle.
import { BaseSequencer } from 'vitest/node';

/** Longest first. */
const LONG = [
  'test/chaos.test.ts',
  'test/runtimes.test.ts',
  'test/rolling.test.ts',
  'test/e2e.test.ts',
  'test/crash.test.ts',
  'test/siege.test.ts',
  'test/faults.test.ts',
  'test/oauth.test.ts',
  'examples/cluster/cluster.test.ts',
  'examples/examples.test.ts',
  'test/databases/demo.test.ts',
];

export class LongFirst extends BaseSequencer {
  /**
   * @override
   * @param {import('vitest/node').TestSpecification[]} files
   */
  async sort(files) {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rankOf(a.moduleId) - rankOf(b.moduleId));
  }
}

/** @param {string} path */
function rankOf(path) {
  const rank = LONG.findIndex((name) => path.replaceAll('\\', '/').endsWith(`/${name}`));
  return rank < 0 ? LONG.length : rank;
}
