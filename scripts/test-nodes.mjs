// `npm run test:nodes`: runs the tests on newer Node versions. Each version has its own folder, because a `node` package inside the
// workspaces would shadow Node in every npm script.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, install, npm, requireNode, root } from './setup.mjs';

requireNode();
install('all');
if (!build()) process.exit(1);
for (const major of ['22', '24']) {
  const node = fetchNode(major);
  const { status, signal } = spawnSync(node, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PARLEY_TEST_NODE: major },
  });
  if (signal) process.exit(130);
  if (status !== 0) process.exitCode = 1;
}

/**
 * Returns the path of Node in this major version; installs it if it is missing.
 * @param {string} major
 */
function fetchNode(major) {
  const folder = join(root, `.cache/node-${major}`);
  const node = join(folder, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    npm(['install', `--prefix=${folder}`, '--no-save', '--loglevel=error', `node@${major}`]);
  }
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  console.log(`\nNode ${stdout.trim()}`);
  return node;
}
