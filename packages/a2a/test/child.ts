/** Runs a TypeScript file of the tests in a process of its own, to be killed. Bundled on the spot, so no build has to be current. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { onTestFinished } from 'vitest';

export interface Child {
  /** The lines printed so far. */
  readonly lines: readonly string[];
  /** Resolves when that many lines are there; rejects when it ends before. */
  printed(count: number): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Resolves when it is gone and its output is read. */
  kill(): Promise<Exit>;
  readonly exited: Promise<Exit>;
}

/** How it ended: one of the two is there. */
interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Bundles a script into a folder; gives back the path to run. */
export async function bundleScript(script: URL, folder: string): Promise<string> {
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
  await bundle.write({ file, format: 'esm' });
  await bundle.close();
  return file;
}

/** Ends with the test at the latest. */
export function startChild(script: string, ...args: readonly string[]): Child {
  const child: ChildProcessByStdio<null, Readable, null> = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // The bundle is in a folder from which Node does not find the drivers that it requires.
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
        child.once('close', () => reject(new Error(`it ended after ${lines.length} lines`)));
        look();
      }),
  };
}
