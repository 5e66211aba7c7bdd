// The short form of `npm run faults`, against the build.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const script = fileURLToPath(new URL('../scripts/faults/main.mjs', import.meta.url));

test('D34: whatever breaks, the client tells every event once and in order, and the task that an undisturbed run gives', async () => {
  const { code, output } = await run('--quick');
  expect(output).toContain('Every run told everything once, in order');
  expect(code).toBe(0);
}, 120_000);

test('the judge of the faults notices events that are lost, doubled or swapped', async () => {
  const { code, output } = await run('--self-check');
  expect(output).toContain('The judge notices what is wrong');
  expect(code).toBe(0);
}, 60_000);

/** Everything it printed, errors included. */
function run(...args: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill()); // it ends its servers
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.on('close', (code) => resolve({ code, output }));
  });
}
