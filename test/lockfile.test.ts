// `npm ci` refuses a lock file without the packages of other platforms, and a registry URL in it would bind every user to one registry.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock: Readonly<Record<string, Locked>> = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')).packages;

test('the lock file contains every optional package that a locked package names', () => {
  const missing = Object.entries(lock).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
  );
  expect(missing).toEqual([]);
});

test('the lock file contains no registry URL', () => {
  const hosts = Object.values(lock).flatMap(({ resolved, link }) => (resolved === undefined || link ? [] : [resolved]));
  expect(hosts).toEqual([]);
});

/** Whether `name` is found from `path` upwards, as Node resolves it. */
function isLocked(path: string, name: string): boolean {
  if (`${path}/node_modules/${name}` in lock || `node_modules/${name}` in lock) return true;
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')));
  return parent !== '' && isLocked(parent, name);
}
