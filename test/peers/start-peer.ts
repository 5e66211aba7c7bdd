/** Starts third-party servers, each as a process from its own package, installed when a test first needs it. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { installBeside, root } from '../../scripts/setup.mjs';

export interface RunningPeer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts `server.mjs` of a folder next to this file with the Node installed there. Only one test file may use a folder: two would install
 * at the same time.
 */
export async function startPeer(name: 'oidc', env: Readonly<Record<string, string>>): Promise<RunningPeer> {
  const folder = `test/peers/${name}`;
  installBeside(folder);
  const node = join(root, folder, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
  // The process ends with its input, so that nothing stays behind if the tests are killed.
  const child = spawn(node, ['server.mjs'], { cwd: join(root, folder), env: { ...process.env, ...env }, stdio: 'pipe' });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', (line) => resolve(JSON.parse(line).url));
    child.once('error', reject);
    child.once('close', () => reject(new Error(`The peer ${name} exited before it was ready:\n${said}`)));
  });
  return {
    url,
    async stop() {
      child.kill();
      await ended;
    },
  };
}
