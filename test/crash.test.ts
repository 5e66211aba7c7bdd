// The quick run of `npm run crash`, against the build.
import { expect, test } from 'vitest';
import { runScript } from './run-script.js';

test('D1, D2, D7, D14, D17, D18: a server that is killed repeatedly loses no acknowledged event and does nothing twice', async () => {
  const { code, output } = await runScript('crash/main.mjs', '--quick');
  expect(output).toContain('No violations');
  expect(code).toBe(0);
}, 180_000);

test('an invalid option is reported and nothing runs', async () => {
  const { code, output } = await runScript('crash/main.mjs', '--rounds', 'many');
  expect(output).toContain('--rounds must be a whole number from 1 to 1000, got many');
  expect(code).toBe(1);
}, 20_000);
