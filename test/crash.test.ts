// The short form of `npm run crash`, against the build.
import { expect, test } from 'vitest';
import { runScript } from './run-script.js';

test('D1, D2, D7, D14, D17, D18: a server killed again and again loses nothing that it acknowledged and does nothing twice', async () => {
  const { code, output } = await runScript('crash/main.mjs', '--quick');
  expect(output).toContain('No violations');
  expect(code).toBe(0);
}, 180_000);

test('a size that makes no sense is said, not run', async () => {
  const { code, output } = await runScript('crash/main.mjs', '--rounds', 'many');
  expect(output).toContain('--rounds must be a whole number from 1 to 1000, got many');
  expect(code).toBe(1);
}, 20_000);
