/** Runs one of the commands of the project as users do, for tests of its short form. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export interface Ran {
  readonly code: number | null;
  /** Everything it printed, errors included. */
  readonly output: string;
}

/** `path` is that of the script below `scripts/`. */
export function runScript(path: string, ...args: readonly string[]): Promise<Ran> {
  const script = fileURLToPath(new URL(`../scripts/${path}`, import.meta.url));
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill()); // it ends what it started and removes its files
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.on('close', (code) => resolve({ code, output }));
  });
}
