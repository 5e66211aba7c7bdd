// Tests the parts of `npm run bench -- --against` that do not measure.

import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { alternate, type Turn } from './against/alternate.mjs';
import { balance, compareBuilds, planOf, quantile } from './against/compare-builds.mjs';
import { linkPackages, resolveCommit } from './against/other-build.mjs';
import { reportBuilds } from './against/report-builds.mjs';
import { readArguments } from './arguments.mjs';
import { sizeOf } from './sizes.mjs';
import { select } from './workloads/index.mjs';

const WORKLOAD = { id: '2', title: 'a send', unit: 'µs' };

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-against-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('the two builds take turns, and each begins every second pair', () => {
  expect(planOf(3)).toEqual([
    ['ours', 'other'],
    ['other', 'ours'],
    ['ours', 'other'],
  ]);
});

test('an advantage of the build that begins does not change the ratio', async () => {
  let begun = 0;
  const comparison = await compareBuilds({ workload: WORKLOAD, store: 'memory', repetitions: 11 }, async (build) => {
    begun += 1;
    return (build === 'ours' ? 105 : 100) * (begun % 2 === 1 ? 0.88 : 1);
  });
  expect(comparison.ratio).toBeCloseTo(1.05);
  expect(balance([2, 8])).toEqual([4]);
});

test('two measurements alternate round by round, one works at a time, and the longer one ends alone', async () => {
  const seen: string[] = [];
  const run = (name: string, rounds: number) => async (turn: Turn) => {
    for (let n = 0; n < rounds; n += 1) {
      await turn(async () => {
        seen.push(`${name} in`);
        await new Promise(setImmediate);
        seen.push(`${name} out`);
      });
    }
    return name;
  };
  expect(await alternate([run('a', 2), run('b', 3)])).toEqual(['a', 'b']);
  expect(seen.join(', ')).toBe('a in, a out, b in, b out, a in, a out, b in, b out, b in, b out');
});

test('an error of one measurement ends the pair when the other has ended', async () => {
  const fails = async (turn: Turn) => turn(() => Promise.reject(new Error('a wrong reply')));
  await expect(alternate([fails, async (turn) => turn(async () => 1)])).rejects.toThrow('a wrong reply');
});

test('every workload of the default comparison has 11 repetitions per build, and a quick one has three', () => {
  for (const workload of select(['1', '2', '3', '5', '6'])) {
    expect(sizeOf(workload, 'memory', 'against').repetitions).toBe(11);
    expect(sizeOf(workload, 'sqlite', 'against-quick').repetitions).toBe(3);
  }
});

test('a ratio relates the two values of one pair, in either order, so that a slow moment of the machine affects both', async () => {
  const speeds = [1, 1, 10, 10, 1, 1]; // of the machine, at each repetition
  const costs = { ours: 110, other: 100 };
  const comparison = await compareBuilds({ workload: WORKLOAD, store: 'memory', repetitions: 3 }, async (build) => {
    return costs[build] * (speeds.shift() ?? 1);
  });
  expect(comparison.ratio).toBeCloseTo(1.1);
  expect(comparison).toMatchObject({ ours: 110, other: 100 });
  expect(comparison.spread[0]).toBeCloseTo(1.1);
});

test('the spread is the middle half of the ratios', () => {
  const values = [5, 1, 4, 2, 3];
  expect([quantile(values, 0), quantile(values, 0.25), quantile(values, 0.75), quantile(values, 1)]).toEqual([1, 2, 4, 5]);
  expect(quantile([1, 2], 0.75)).toBeCloseTo(1.75);
});

test('a ratio above the bound, or one that is no number, fails the comparison', () => {
  const of = (ratio: number) => ({
    workload: WORKLOAD,
    store: 'memory' as const,
    ours: 1,
    other: 1,
    ratio,
    spread: [ratio, ratio] as const,
  });
  const options = { name: 'abc', bound: 1.05 };
  expect(reportBuilds([of(1.05), of(0.9)], options).slower).toBe(0);
  expect(reportBuilds([of(1.051), of(0.9)], options).slower).toBe(1);
  expect(reportBuilds([of(Number.NaN)], options).slower).toBe(1);
  expect(reportBuilds([of(1.051)], options).table).toMatch(/ours ÷ abc[\s\S]* 1\.051 .* slower/);
});

test('a comparison accepts ratios up to 1.05 by default and never updates the document', () => {
  expect(readArguments(['--against', 'main'])).toMatchObject({ against: 'main', bound: 1.05, write: false, only: [] });
  expect(readArguments(['--against', 'main', '--bound', '1.2', '--only', '2'])).toMatchObject({ bound: 1.2, only: ['2'] });
  expect(() => readArguments(['--against', 'main', '--bound', 'low'])).toThrow('--bound must be a number above 0 and at most 100, got low');
  expect(() => readArguments(['--bound', '1.1'])).toThrow('--bound needs --against');
  expect(() => readArguments(['--against', 'main', '--write'])).toThrow('--write cannot be combined with --against');
});

test('an unknown commit and a change that is not committed are refused, and an untracked file is not', () => {
  const folder = temporaryFolder();
  const git = (...args: string[]) => spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: folder });
  git('init', '-q');
  writeFileSync(join(folder, 'a.txt'), 'one');
  git('add', '.');
  git('commit', '-qm', 'one');
  writeFileSync(join(folder, 'new.txt'), '');
  expect(resolveCommit('HEAD', folder)).toMatch(/^[0-9a-f]{40}$/);
  expect(() => resolveCommit('no-such-branch', folder)).toThrow('no commit no-such-branch in this repository');
  expect(() => resolveCommit('--all', folder)).toThrow('no commit --all');
  writeFileSync(join(folder, 'a.txt'), 'two');
  expect(() => resolveCommit('HEAD', folder)).toThrow(/not committed:\n.*a\.txt\nCommit or stash them/);
});

test('the other build shares the installed packages and has its own workspaces', () => {
  const [from, folder] = [temporaryFolder(), temporaryFolder()];
  const installed = [
    'node_modules/left-pad',
    'node_modules/@scope/tool',
    'node_modules/@parley/a2a',
    'packages/page/node_modules/left-pad',
  ];
  for (const path of installed) mkdirSync(join(from, path), { recursive: true });
  for (const path of ['packages/a2a', 'packages/page']) mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(from, 'node_modules/@parley/a2a/which'), 'ours');
  writeFileSync(join(folder, 'packages/a2a/which'), 'other');
  linkPackages(from, folder);
  for (const path of installed) expect(existsSync(join(folder, path)), path).toBe(true);
  expect(lstatSync(join(folder, 'node_modules/left-pad')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, 'node_modules/@parley/a2a/which'), 'utf8')).toBe('other');
});
