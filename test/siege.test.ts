// The quick run of `npm run siege`, against the build.
import { expect, test } from 'vitest';
import { runScript } from './run-script.js';

test('attackers that send only allowed requests neither end the server nor fail a task of another caller', async () => {
  const { code, output } = await runScript('siege/main.mjs', '--quick');
  expect(output).toContain('No violations');
  expect(code, output).toBe(0);
}, 180_000);

test('an unknown attack is reported and nothing runs', async () => {
  const { code, output } = await runScript('siege/main.mjs', '--only', 'F1');
  expect(output).toContain('--only: no attack F1; the attacks are F60,');
  expect(code).toBe(1);
}, 20_000);
