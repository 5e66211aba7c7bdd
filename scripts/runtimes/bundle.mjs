// One file per program, made from the built library as a user's bundler would make it.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const programs = fileURLToPath(new URL('programs', import.meta.url));

/**
 * @param {string} name of the program
 * @param {string} folder where the bundle goes
 * @param {'esm' | 'iife'} [format]
 * @returns {Promise<string>} path of the bundle
 */
export async function bundleProgram(name, folder, format = 'esm') {
  const build = await rolldown({ input: join(programs, `${name}.mjs`), platform: 'neutral', logLevel: 'silent' });
  const file = join(folder, `${name}.js`);
  try {
    await build.write({ file, format, codeSplitting: false });
  } finally {
    await build.close();
  }
  return file;
}
