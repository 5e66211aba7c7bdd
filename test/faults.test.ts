// The quick run of `npm run faults`, against the build.
import { expect, test } from 'vitest';
import { runScript } from './run-script.js';

test('D34: under every fault, the client delivers every event once and in order, and the task of an undisturbed run', async () => {
  const { code, output } = await runScript('faults/main.mjs', '--quick');
  expect(output).toContain('Every run delivered every event once, in order');
  expect(code).toBe(0);
}, 120_000);

test('the judge of the faults detects events that are lost, duplicated or swapped', async () => {
  const { code, output } = await runScript('faults/main.mjs', '--self-check');
  expect(output).toContain('The judge detects every planted fault');
  expect(code).toBe(0);
}, 60_000);
