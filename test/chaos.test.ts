// The quick run of `npm run chaos`, against the build.
import { expect, test } from 'vitest';
import { runScript } from './run-script.js';

test('D2, D3, D12, D14, D17, D18: under faults of nodes and databases, nothing is lost, duplicated, stuck or run twice', async () => {
  const { code, output } = await runScript('chaos/main.mjs', '--quick');
  expect(output).toContain('No violations');
  expect(output, 'every kind of fault').toMatch(/^faults +6 +6$/m);
  // A slow machine may start so few runs that the faults of one phase hit none; both phases have two kinds of faults that end runs.
  expect(output, 'runs were interrupted and restarted').toMatch(/^ {2}with attempt > 1 +(?:[1-9]\d* +\d+|\d+ +[1-9]\d*)$/m);
  expect(code).toBe(0);
}, 200_000);

test('an invalid option is reported and nothing runs', async () => {
  const { code, output } = await runScript('chaos/main.mjs', '--bus', 'kafka');
  expect(output).toContain('--bus must be postgres, redis or both, got kafka');
  expect(code).toBe(1);
}, 20_000);
