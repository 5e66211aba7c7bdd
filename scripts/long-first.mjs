// The order of the test files. Vitest starts the longest first where it remembers earlier runs; a fresh clone remembers none, and goes by the
// size of files. The files below are short, but run whole programs: started last, one of them would keep one core waiting for the other.
import { BaseSequencer } from 'vitest/node';

/** The longest first. */
const LONG = [
  'test/chaos.test.ts',
  'test/runtimes.test.ts',
  'test/rolling.test.ts',
  'test/e2e.test.ts',
  'test/crash.test.ts',
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
