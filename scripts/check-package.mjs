// Packs the library as npm would publish it, and checks the tarball with publint and attw. `--all` checks every entry point with attw.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { npm, root } from './setup.mjs';

const folder = join(root, '.cache/package');
const { version } = JSON.parse(readFileSync(join(root, 'packages/a2a/package.json'), 'utf8'));
const tarball = join(folder, `parley-a2a-${version}.tgz`);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
npm(['pack', '--silent', '--ignore-scripts', '--workspace=packages/a2a', `--pack-destination=${folder}`]);
judge('publint/src/cli.js', 'run', tarball, '--strict');
judge('@arethetypeswrong/cli/dist/index.js', tarball, '--profile=esm-only', '--no-emoji', '--format=table-flipped', ...entryPoints());

/** All entry points have the same form, which a test pins: in `npm test`, three of them show whether it resolves. All take ten seconds more. */
function entryPoints() {
  return process.argv.includes('--all') ? [] : ['--entrypoints', '.', './client/advanced', './postgres'];
}

/**
 * @param {string} tool
 * @param {string[]} args
 */
function judge(tool, ...args) {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', tool), ...args], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
