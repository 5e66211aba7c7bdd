/**
 * Runs a TypeScript file of the tests in a separate process that a test can kill. The file is bundled here, so no build has to be current.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { onTestFinished } from 'vitest';

export interface Child {
  /** The lines printed so far. */
  readonly lines: readonly string[];
  /** Resolves when that many lines are printed. Rejects if the process ends before. */
  printed(count: number): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Resolves when the process has ended and its output is read. */
  kill(): Promise<Exit>;
  readonly exited: Promise<Exit>;
}

/** How the process ended: either a code or a signal. */
interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Bundles a script into a folder and returns the path to run. `minify` renames what it can, as a bundle for production does. */
export async function bundleScript(script: URL, folder: string, { minify = false } = {}): Promise<string> {
  const source = (path: string): string => fileURLToPath(new URL(`../src/${path}`, import.meta.url));
  const bundle = await rolldown({
    input: fileURLToPath(script),
    platform: 'node',
    logLevel: 'silent',
    resolve: {
      extensionAlias: { '.js': ['.ts', '.js'] },
      alias: {
        '#output-check': source('protocol/output-check/strict.ts'),
        '#exchange': source('client/node/default-exchange.ts'),
      },
    },
  });
  const file = join(folder, 'child.mjs');
  await bundle.write({ file, format: 'esm', minify, codeSplitting: false });
  await bundle.close();
  return file;
}

/** Starts the script in a process that ends with the test at the latest. */
export function startChild(script: string, ...args: readonly string[]): Child {
  const child: ChildProcessByStdio<null, Readable, null> = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // From the folder of the bundle, Node does not find the drivers that the bundle requires.
    env: { ...process.env, NODE_PATH: fileURLToPath(new URL('../../../node_modules', import.meta.url)) },
  });
  const lines: string[] = [];
  let rest = '';
  const exited = new Promise<Exit>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  const kill = (): Promise<Exit> => {
    child.kill('SIGKILL');
    return exited;
  };
  onTestFinished(async () => {
    await kill();
  });
  return {
    lines,
    exited,
    kill,
    signal: (name) => void child.kill(name),
    printed: (count) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (lines.length >= count) resolve();
        };
        child.stdout.on('data', look);
        child.once('close', () => reject(new Error(`the process ended after ${lines.length} lines`)));
        look();
      }),
  };
}
