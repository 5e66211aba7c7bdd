import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// The check waits for a lease to expire and for a node to restart, possibly on a busy machine.
test('the cluster passes its own check', { timeout: 120_000 }, () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=check-output', fileURLToPath(new URL('check.mjs', import.meta.url))],
    { encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/is killed\.[\s\S]*attempt 2[\s\S]*The answer is complete/);
});
