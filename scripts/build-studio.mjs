// Bundles Studio if one of its inputs has changed.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

const STUDIO = join(root, 'packages/studio');

/** Written last, with the start time of the build: newer files, or an interrupted build, cause a new build. */
const STAMP = 'dist/.built';

/** The inputs of the bundle, besides the packages in the lock file. */
const SOURCES = ['src', 'public', 'index.html', 'package.json', 'precompress.ts', 'vite.config.ts'].map((path) => join(STUDIO, path));
const LIBRARY = [join(root, 'packages/a2a/dist'), join(root, 'packages/a2a/package.json'), join(root, 'package-lock.json')];

/** Returns whether Studio is built and up to date. Prints nothing if it already was. */
export function buildStudio() {
  const stamp = join(STUDIO, STAMP);
  if (isBuilt(stamp, [...SOURCES, ...LIBRARY])) return true;
  const began = new Date();
  console.log('Building Studio (only after a change) …');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const { status, signal } = spawnSync(process.execPath, [vite, 'build', STUDIO, '--logLevel=warn'], { cwd: root, stdio: 'inherit' });
  if (signal) process.exit(130);
  if (status !== 0) return false;
  writeFileSync(stamp, '');
  utimesSync(stamp, began, began);
  return true;
}

/**
 * Whether no source has changed since the stamp was written.
 * @param {string} stamp
 * @param {string[]} sources files and folders
 */
export function isBuilt(stamp, sources) {
  return existsSync(stamp) && newest(sources) <= statSync(stamp).mtimeMs;
}

/**
 * The time of the latest change in these files and folders. Deleting a file changes its folder. Test files are ignored.
 * @param {string[]} paths
 * @returns {number}
 */
function newest(paths) {
  let latest = 0;
  for (const path of paths) {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts === undefined) continue;
    latest = Math.max(latest, facts.mtimeMs);
    if (!facts.isDirectory()) continue;
    const inside = readdirSync(path).filter((name) => !/\.test\.tsx?$|\.tsbuildinfo$/.test(name));
    latest = Math.max(latest, newest(inside.map((name) => join(path, name))));
  }
  return latest;
}
