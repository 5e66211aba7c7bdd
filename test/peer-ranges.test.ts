// Checks the peer dependency ranges, and that the tests cover them. `npm run install-check` installs the library for real.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'));
const { peerDependencies, peerDependenciesMeta } = read('packages/a2a/package.json');

/** Whether a version is in a range of `^a.b.c` alternatives, the only form in use. */
function isInRange(version: string, range: string): boolean {
  const [major, minor, patch] = numbersOf(version);
  return range.split(' || ').some((each) => {
    const [leastMajor, leastMinor, leastPatch] = numbersOf(each.replace(/^\^/, ''));
    return major === leastMajor && (minor > leastMinor || (minor === leastMinor && patch >= leastPatch));
  });
}

function numbersOf(version: string): readonly [number, number, number] {
  const [major, minor, patch] = version.split('.').map(Number);
  if (major === undefined || minor === undefined || patch === undefined) throw new Error(`invalid version: ${version}`);
  return [major, minor, patch];
}

test('F23: the ranges accept both majors of Express and of ioredis, and both packages are optional', () => {
  expect(peerDependencies).toMatchObject({ express: '^4.21.0 || ^5.0.0', ioredis: '^5.0.0 || ^6.0.0' });
  expect(Object.keys(peerDependenciesMeta)).toEqual(Object.keys(peerDependencies));
  for (const [name, meta] of Object.entries(peerDependenciesMeta)) expect([name, meta]).toEqual([name, { optional: true }]);
});

test('F23: the tests use a version of each major, and the first version of the older one', () => {
  for (const [name, older] of [
    ['express', 'express4'],
    ['ioredis', 'ioredis5'],
  ] as const) {
    const versions = [name, older].map((installed): string => read(`node_modules/${installed}/package.json`).version);
    for (const version of versions) expect([version, isInRange(version, peerDependencies[name])]).toEqual([version, true]);
    const majors = peerDependencies[name].split(' || ').map((each: string) => numbersOf(each.slice(1))[0]);
    expect(versions.map((version) => numbersOf(version)[0]).sort()).toEqual(majors.sort());
    const [first = ''] = peerDependencies[name].split(' || ');
    expect(numbersOf(versions[1] ?? '').slice(0, 2)).toEqual(numbersOf(first.slice(1)).slice(0, 2));
  }
});

test('F23: the adapters and the bus are tested on both majors', () => {
  const used: readonly (readonly [string, string])[] = [
    ['packages/a2a/test/hosts.ts', "from 'express4'"],
    ['packages/a2a/test/hosts.ts', "from 'express'"],
    ['packages/a2a/src/bus/redis/redis.test.ts', "from 'ioredis5'"],
    ['packages/a2a/src/bus/redis/redis.test.ts', "from 'ioredis'"],
  ];
  for (const [path, text] of used) expect(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')).toContain(text);
});
