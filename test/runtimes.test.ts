// `npm run runtimes` as a test: it installs what it needs.
import { expect, test } from 'vitest';
import { runScript } from './run-script.js';

test('A21: a streaming turn with one cut is told whole in Chromium, Bun, Deno and workerd, and the last three serve', async () => {
  const { code, output } = await runScript('runtimes.mjs');
  expect(output).toContain('8 of 8 ok');
  expect(code).toBe(0);
}, 300_000);
