// Puts a program next to an installed copy of the library. In the workspace, Bun would follow the paths of the library's tsconfig.json.
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../setup.mjs';

/**
 * @param {string} folder
 * @returns {Promise<string>} path of the program that prints which exchange is the default
 */
export async function installExchangeProgram(folder) {
  const home = join(folder, 'installed');
  const library = join(home, 'node_modules/@parley/a2a');
  const from = (/** @type {string} */ path) => join(root, path);
  await mkdir(join(home, 'programs'), { recursive: true });
  for (const path of ['package.json', 'dist']) await cp(from(`packages/a2a/${path}`), join(library, path), { recursive: true });
  for (const path of ['exchange.mjs', 'programs/exchange-command.mjs']) await cp(from(`scripts/runtimes/${path}`), join(home, path));
  await writeFile(join(home, 'package.json'), JSON.stringify({ type: 'module', dependencies: { '@parley/a2a': '*' } }));
  return join(home, 'programs/exchange-command.mjs');
}
