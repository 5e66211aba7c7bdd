// The quick form of `npm run chaos -- --rolling`, against the build.
import { expect, test } from 'vitest';
import { runScript } from './run-script.js';

test('D20: nodes are restarted in turn, and no caller notices more than that its client tries again', async () => {
  const { code, output } = await runScript('chaos/main.mjs', '--rolling', '--quick', '--bus', 'postgres');
  expect(output).toContain('No violations');
  expect(output, 'each node once').toMatch(/^restarts +3$/m);
  expect(code).toBe(0);
}, 200_000);
