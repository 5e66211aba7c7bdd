// Bundles Studio when something that it is made of has changed.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

const STUDIO = join(root, 'packages/studio');

/** Written last, with the time at which the build began: what is newer, or was interrupted, is built again. */
const STAMP = 'dist/.built';

/** What goes into it, besides the packages that the lock file names. */
const SOURCES = ['src', 'public', 'index.html', 'package.json', 'precompress.ts', 'vite.config.ts'].map((path) => join(STUDIO, path));
const LIBRARY = [join(root, 'packages/a2a/dist'), join(root, 'packages/a2a/package.json'), join(root, 'package-lock.json')];

/** Says whether Studio is there as its sources want it; prints nothing when it already was. */
export function buildStudio() {
  const stamp = join(STUDIO, STAMP);
  if (isBuilt(stamp, [...SOURCES, ...LIBRARY])) return true;
  const began = new Date();
  console.log('Building Studio (only when something in it has changed) …');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const { status, signal } = spawnSync(process.execPath, [vite, 'build', STUDIO, '--logLevel=warn'], { cwd: root, stdio: 'inherit' });
  if (signal) process.exit(130);
  if (status !== 0) return false;
  writeFileSync(stamp, '');
  utimesSync(stamp, began, began);
  return true;
}

/**
 * Whether nothing has changed since the stamp was set.
 * @param {string} stamp
 * @param {string[]} sources files and folders
 */
export function isBuilt(stamp, sources) {
  return existsSync(stamp) && newest(sources) <= statSync(stamp).mtimeMs;
}

/**
 * When the latest of these files and folders was changed; a folder changes when a file in it goes away. Tests are no part of it.
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
