// One file per program, made from the built library as a user's bundler would make it.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const programs = fileURLToPath(new URL('programs', import.meta.url));

/**
 * @param {string} name of the program
 * @param {string} folder where the bundle goes
 * @param {{ format?: 'esm' | 'iife', conditions?: string[] }} [options] `conditions`: those that bundlers set for the platform
 * @returns {Promise<string>} path of the bundle
 */
export async function bundleProgram(name, folder, { format = 'esm', conditions = [] } = {}) {
  const resolve = { conditionNames: [...conditions, 'import', 'default'] };
  const build = await rolldown({ input: join(programs, `${name}.mjs`), platform: 'neutral', logLevel: 'silent', resolve });
  const file = join(folder, `${name}.js`);
  try {
    await build.write({ file, format, codeSplitting: false });
  } finally {
    await build.close();
  }
  return file;
}
