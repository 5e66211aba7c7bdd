// `npm run runtimes` as a test: it installs what it needs.
import { expect, test } from 'vitest';
import { runScript } from './run-script.js';

test('A21: a streaming turn with one cut is told whole in Chromium, Bun, Deno and workerd, the last three serve, and Node alone uses its pool', async () => {
  const { code, output } = await runScript('runtimes.mjs');
  expect(output).toContain('14 of 14 ok');
  expect(code).toBe(0);
}, 300_000);
