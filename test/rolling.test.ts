// The quick run of `npm run chaos -- --rolling`, against the build.
import { expect, test } from 'vitest';
import { runScript } from './run-script.js';

test('D20: nodes restart in turn, and callers notice nothing except retries of their client', async () => {
  const { code, output } = await runScript('chaos/main.mjs', '--rolling', '--quick', '--bus', 'postgres');
  expect(output).toContain('No violations');
  expect(output, 'each node once').toMatch(/^restarts +3$/m);
  expect(code).toBe(0);
}, 200_000);
