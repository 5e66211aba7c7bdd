// Prepares `npm start` and `npm test`. Uses only Node's built-in modules, because nothing may be installed yet.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The workspaces that `npm start` needs; the compiler is a development dependency of the library. */
export const START = ['packages/a2a', 'packages/demo', 'packages/studio'];

/** The workspaces that the compiler builds. Studio is bundled (`build-studio.mjs`). */
const COMPILED = ['packages/a2a', 'packages/demo'];

/**
 * The lock file has exact versions and hashes but no URLs, so npm would ask the registry about each package. With this flag it uses its
 * cache first.
 */
const PREFER_CACHE = '--prefer-offline';

/** @typedef {{ version?: string, link?: boolean, resolved?: string, optional?: boolean, dependencies?: Record<string, string>, devDependencies?: Record<string, string> }} Locked */
/** @typedef {Record<string, Locked>} Lock the packages of a lock file, by path */

/**
 * Exits with a message for the user.
 * @param {string} message
 * @returns {never}
 */
export function stop(message, code = 1) {
  console.error(`\n${message}\n`);
  process.exit(code);
}

export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  stop(`Parley requires Node 20.19 or newer; this is ${process.version}. Install a newer version from https://nodejs.org and try again.`);
}

/**
 * Exits when the parent process ends. npm signals its shell, which does not forward the signal: without this, stopping npm would leave this
 * process running.
 */
export function stopWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  watch.unref();
}

/**
 * Installs if a package is missing or differs from the lock file. `start` installs only the packages that build and run the demo.
 * A tree that already contains more is updated as a whole, never reduced.
 * @param {'start' | 'all'} scope
 */
export function install(scope) {
  const lock = readLock('package-lock.json');
  if (!lock) stop('package-lock.json is missing or invalid. Restore it with `git checkout package-lock.json`.');
  const wanted = scope === 'all' ? Object.keys(lock) : [...closure(lock, START)];
  const installed = readLock('node_modules/.package-lock.json') ?? {};
  if (wanted.every((path) => isCurrent(path, lock, installed))) return;

  const everything = scope === 'all' || Object.keys(lock['']?.devDependencies ?? {}).some((name) => `node_modules/${name}` in installed);
  console.log(`Installing ${everything ? 'all packages' : 'the packages for npm start'} (only if missing or out of date) …`);
  npm(['ci', '--include=dev', '--loglevel=error', PREFER_CACHE, ...(everything ? [] : START.map((path) => `--workspace=${path}`))]);
}

/**
 * Installs a package outside the workspaces, with its own lock file: tools that are too large for every installation.
 * Not with `npm ci`: it requires the binaries of all platforms in the lock file, and a registry may not have them all.
 * @param {string} folder
 */
export function installBeside(folder) {
  const lock = readLock(`${folder}/package-lock.json`);
  if (!lock) stop(`${folder}/package-lock.json is missing or invalid. Restore it with \`git checkout ${folder}\`.`);
  const installed = readLock(`${folder}/node_modules/.package-lock.json`) ?? {};
  if (Object.keys(lock).every((path) => isCurrent(path, lock, installed, folder))) return;
  console.log(`Installing the tools of ${folder} (only if missing or out of date) …`);
  npm(['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', PREFER_CACHE, `--prefix=${folder}`]);
}

/**
 * Installs the Debian packages whose file is missing.
 * @param {Record<string, string>} packages package name → a file that the package contains
 */
export function installDebian(packages) {
  const missing = Object.keys(packages).filter((name) => !existsSync(packages[name] ?? ''));
  if (missing.length === 0) return;
  console.log(`Installing ${missing.join(', ')} …`);
  const apt = (/** @type {string[]} */ ...args) => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    return spawnSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=600', ...args], { stdio: 'inherit', env }).status === 0;
  };
  if (apt('update') && apt('install', '-y', '--no-install-recommends', ...missing)) return;
  stop(`This command needs the Debian packages ${missing.join(', ')}. Install them, or run it as root on Debian.`);
}

/** Compiles the library and the demo if their sources are newer than the output. Returns whether there are no errors. */
export function build() {
  for (const path of COMPILED) removeOrphans(join(root, path));
  const compiler = join(root, 'node_modules/typescript-next/bin/tsc');
  const projects = COMPILED.map((path) => `${path}/tsconfig.build.json`);
  const { status, signal } = spawnSync(process.execPath, [compiler, '-b', ...projects], { cwd: root, stdio: 'inherit' });
  if (signal) process.exit(130);
  return status === 0;
}

/**
 * Runs npm, preferably the copy that started this process. On Ctrl-C it waits, because npm cleans up first.
 * @param {string[]} args
 */
export function npm(args) {
  const cli = process.env.npm_execpath;
  const options = /** @type {const} */ ({ cwd: root, stdio: 'inherit' });
  const wait = () => {};
  process.on('SIGINT', wait);
  const { error, status, signal } = cli?.endsWith('npm-cli.js')
    ? spawnSync(process.execPath, [cli, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  process.off('SIGINT', wait);
  if (error && 'code' in error && error.code === 'ENOENT') stop('npm was not found. It is part of Node: see https://nodejs.org.');
  if (error || signal || status !== 0)
    stop(`\`npm ${args.join(' ')}\` failed or was interrupted, see above. Run the command again to start over.`);
}

/**
 * The packages of a lock file; undefined if the file is missing or invalid.
 * @param {string} path
 * @returns {Lock | undefined}
 */
function readLock(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/**
 * npm writes node_modules/.package-lock.json last, so an interrupted install appears as a difference.
 * Optional packages belong to other platforms and are ignored.
 * @param {string} path
 * @param {Lock} lock
 * @param {Lock} installed
 * @param {string} [folder] that contains both
 */
function isCurrent(path, lock, installed, folder = '') {
  const locked = lock[path];
  if (!path.includes('node_modules/') || locked?.optional) return true;
  return installed[path]?.version === locked?.version && existsSync(join(root, folder, path, 'package.json'));
}

/**
 * All paths of the lock file that these workspaces depend on, directly or indirectly.
 * @param {Lock} lock
 * @param {string[]} from
 */
export function closure(lock, from) {
  /** @type {Set<string>} */
  const found = new Set();
  const queue = [...from];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const { link, resolved, dependencies, devDependencies } = lock[path] ?? {};
    if (found.has(path)) continue;
    found.add(path);
    if (link && resolved) queue.push(resolved);
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) queue.push(...locate(lock, path, name));
  }
  return found;
}

/**
 * Where Node finds `name` from `path`: in the nearest node_modules upwards.
 * @param {Lock} lock
 * @param {string} path
 * @param {string} name
 */
function locate(lock, path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const candidate = `${folder}${folder && '/'}node_modules/${name}`;
    if (candidate in lock) return [candidate];
    if (!folder) return [];
  }
}

/**
 * Removes output whose source was renamed or deleted. The compiler does not remove it, and it would be published.
 * @param {string} workspace
 */
function removeOrphans(workspace) {
  const dist = join(workspace, 'dist');
  if (!existsSync(dist)) return;
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const [, stem] = /^(.*?)(\.d\.ts|\.d\.ts\.map|\.js|\.js\.map)$/.exec(file) ?? [];
    if (stem && !existsSync(join(workspace, 'src', `${stem}.ts`))) rmSync(join(dist, file));
  }
}
