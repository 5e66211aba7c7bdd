// The order of the test files. Vitest starts the longest file first if it has timings of earlier runs. A fresh clone has none, so Vitest
// orders by file size. Some small files run whole programs: started last, one of them would leave the other cores idle.
// A worker runs files of one project and one environment. If the next file needs another, the worker ends, and the next worker imports the
// library again. So the files of each project and each environment follow one another.
import { readFileSync } from 'node:fs';
import { BaseSequencer } from 'vitest/node';

/** Those that wait most run first: the checks beside the tests use that time. */
const PROJECTS = ['databases', 'isolated', 'alone'];

/** Longest first. */
const LONG = [
  'test/chaos.test.ts',
  'test/runtimes.test.ts',
  'test/rolling.test.ts',
  'test/e2e.test.ts',
  'test/siege.test.ts',
  'test/crash.test.ts',
  'test/faults.test.ts',
  'bench/nodes.test.ts',
  'test/guides.test.ts',
  'test/oauth.test.ts',
  'packages/demo/src/main.test.ts',
  'bench/bench.test.ts',
  'examples/examples.test.ts',
];

const ENVIRONMENT = /^\/\/ @vitest-environment /m;

export class LongFirst extends BaseSequencer {
  /**
   * @override
   * @param {import('vitest/node').TestSpecification[]} files
   */
  async sort(files) {
    const sorted = await super.sort(files);
    const ranks = new Map(sorted.map((file) => [file, rankOf(file)]));
    return sorted.sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
  }
}

/** @param {import('vitest/node').TestSpecification} file */
function rankOf({ moduleId, project }) {
  return PROJECTS.indexOf(project.name) * (LONG.length + 2) + rankInProject(moduleId);
}

/** @param {string} path */
function rankInProject(path) {
  const rank = LONG.findIndex((name) => path.replaceAll('\\', '/').endsWith(`/${name}`));
  if (rank >= 0) return rank;
  return ENVIRONMENT.test(readFileSync(path, 'utf8')) ? LONG.length + 1 : LONG.length;
}
