// Runs `npm run runtimes`, which installs what it needs.
import { expect, test } from 'vitest';
import { runScript } from './run-script.js';

test('A21: a streaming turn with one cut is complete in Chromium, Bun, Deno and workerd, the last three serve, and only Node uses its pool', async () => {
  const { code, output } = await runScript('runtimes.mjs');
  expect(output).toContain('15 of 15 ok');
  expect(code).toBe(0);
}, 300_000);
