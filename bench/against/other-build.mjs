// The build of another commit, in a temporary folder. Uses the commit's own set-up and build script.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/setup.mjs';

/** @typedef {{ name: string, script: string, remove: () => void }} OtherBuild `script` is its bench/server-process.mjs */

const LOCK = 'package-lock.json';
const SCOPE = '@parley';

/**
 * The full hash of a commit. Throws if there is no such commit, or if this checkout has changes that are not committed: the result would
 * belong to no commit.
 * @param {string} commit
 * @param {string} [folder]
 */
export function resolveCommit(commit, folder = root) {
  const found = git(folder, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`);
  if (found.status !== 0) throw new Error(`--against: no commit ${commit} in this repository; use a hash, a branch or a tag`);
  const changed = git(folder, 'status', '--porcelain', '--untracked-files=no').stdout.trimEnd();
  if (changed !== '')
    throw new Error(`--against compares commits, and these changes are not committed:\n${changed}\nCommit or stash them.`);
  return found.stdout.trim();
}

/**
 * Unpacks and builds the commit. The caller must call `remove`.
 * @param {string} hash
 * @returns {OtherBuild}
 */
export function buildOther(hash) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-against-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    unpack(hash, folder);
    const script = join(folder, 'bench/server-process.mjs');
    if (!existsSync(script)) throw new Error(`commit ${hash} has no bench/server-process.mjs, so it cannot be measured`);
    if (read(folder, LOCK) === read(root, LOCK)) linkPackages(root, folder);
    prepare(hash, folder);
    return { name: hash.slice(0, 9), script, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * @param {string} hash
 * @param {string} folder
 */
function unpack(hash, folder) {
  const archive = join(folder, 'commit.tar');
  const packed = git(root, 'archive', '--format=tar', `--output=${archive}`, hash);
  if (packed.status !== 0) throw new Error(`git archive ${hash} failed: ${packed.stderr}`);
  const unpacked = spawnSync('tar', ['-xf', archive, '-C', folder], { encoding: 'utf8' });
  if (unpacked.status !== 0) throw new Error(`tar could not unpack commit ${hash}: ${unpacked.error?.message ?? unpacked.stderr}`);
  rmSync(archive);
}

/**
 * Gives `folder` the installed packages of `from` without a copy. The workspaces are linked to `folder` itself: one link to all of
 * `node_modules` would resolve them to `from`.
 * @param {string} from
 * @param {string} folder
 */
export function linkPackages(from, folder) {
  const installed = join(from, 'node_modules');
  const own = join(folder, 'node_modules');
  mkdirSync(join(own, SCOPE), { recursive: true });
  for (const name of readdirSync(installed)) if (name !== SCOPE) symlinkSync(join(installed, name), join(own, name));
  for (const name of readdirSync(join(folder, 'packages'))) {
    symlinkSync(`../../packages/${name}`, join(own, SCOPE, name));
    const nested = join(from, 'packages', name, 'node_modules');
    if (existsSync(nested)) symlinkSync(nested, join(folder, 'packages', name, 'node_modules'));
  }
}

/**
 * Runs the commit's own set-up: installs what is missing (`npm ci` from the cache if the lock file differs) and compiles.
 * @param {string} hash
 * @param {string} folder
 */
function prepare(hash, folder) {
  const code = "import { build, install } from './scripts/setup.mjs'; install('all'); process.exit(build() ? 0 : 1);";
  const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error(`the build of commit ${hash} failed, see above`);
}

/**
 * @param {string} folder
 * @param {...string} args
 */
function git(folder, ...args) {
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  if (error) throw new Error(`git could not be run: ${error.message}`);
  return { status, stdout, stderr };
}

/**
 * @param {string} folder
 * @param {string} file
 */
function read(folder, file) {
  return readFileSync(join(folder, file), 'utf8');
}
