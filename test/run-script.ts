/** Runs a command of the project as a user does, to test its quick form. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export interface Ran {
  readonly code: number | null;
  /** The complete output, including errors. */
  readonly output: string;
}

/** `path` is relative to `scripts/`. */
export function runScript(path: string, ...args: readonly string[]): Promise<Ran> {
  const script = fileURLToPath(new URL(`../scripts/${path}`, import.meta.url));
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill()); // the script stops its processes and removes its files
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.on('close', (code) => resolve({ code, output }));
  });
}
