// The short form of `npm run crash`, against the build.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const script = fileURLToPath(new URL('../scripts/crash/main.mjs', import.meta.url));

test('D1, D2, D7, D14, D17, D18: a server killed again and again loses nothing that it acknowledged and does nothing twice', async () => {
  const { code, output } = await run('--quick');
  expect(output).toContain('All zeros are zero');
  expect(code).toBe(0);
}, 180_000);

test('a size that makes no sense is said, not run', async () => {
  const { code, output } = await run('--rounds', 'many');
  expect(output).toContain('--rounds is a whole number from 1 to 1000, not many');
  expect(code).toBe(1);
}, 20_000);

/** Everything it printed, errors included. */
function run(...args: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill()); // it ends its server and removes its files
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.on('close', (code) => resolve({ code, output }));
  });
}
