// Tests the counters with amounts that are known.
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { COUNTERS, HEAP_FLAGS } from './counters.mjs';

/** Runs a program in a process with the flags of a counted server; It prints `{ count }`. */
function runCounted(flags: readonly string[], program: string): number | undefined {
  const url = new URL('./counters.mjs', import.meta.url);
  const code = `import { COUNTERS, usedHeap } from ${JSON.stringify(url.href)}; ${program}`;
  const args = ['--expose-gc', ...flags, '--input-type=module', '--eval', code];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return JSON.parse(stdout).count;
}

/** 10,000 arrays of 848 bytes, none of which stays in use. */
const ALLOCATE = `
  await usedHeap();
  COUNTERS.bytes.start();
  for (let n = 0; n < 10_000; n += 1) new Array(100).fill(n);
  console.log(JSON.stringify({ count: await COUNTERS.bytes.stop() }));
`;

test('the count of promises contains those of await, and ends when it is stopped', async () => {
  const { promises } = COUNTERS;
  promises.start();
  for (let n = 0; n < 100; n += 1) await Promise.resolve();
  const count = await promises.stop();
  await Promise.resolve();
  expect(count).toBeGreaterThanOrEqual(200);
  expect(count).toBeLessThan(250);
  promises.start();
  expect(await promises.stop()).toBe(0);
});

test('the count of bytes contains what is no longer in use', () => {
  const bytes = runCounted(HEAP_FLAGS, ALLOCATE);
  expect(bytes).toBeGreaterThan(8_000_000);
  expect(bytes).toBeLessThan(10_000_000);
}, 15_000);

test('a count of bytes during which garbage was collected is refused', () => {
  const collected = runCounted(
    HEAP_FLAGS,
    `COUNTERS.bytes.start(); gc(); console.log(JSON.stringify({ count: await COUNTERS.bytes.stop() }));`,
  );
  expect(collected).toBeUndefined();
}, 15_000);
