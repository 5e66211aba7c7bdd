// `npm run generated`: the tests with generated cases, with all of their cases. `npm test` runs a tenth of them.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { install, requireNode, root, stopWithParent } from './setup.mjs';

const FILES = [
  'fuzz',
  'schedules',
  'random-faults',
  'interleavings',
  'v03-round-trip',
  'memory.model',
  'sqlite/contract',
  'postgres/contract',
];

requireNode();
stopWithParent();
install('all');
const { status } = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...FILES, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PARLEY_GENERATED: 'all' },
});
process.exit(status ?? 1);
