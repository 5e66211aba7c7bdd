// Bundles each program into one file from the built library, as a user's bundler would.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const programs = fileURLToPath(new URL('programs', import.meta.url));

/** Several platforms use the same bundle concurrently. @type {Map<string, Promise<string>>} */
const bundles = new Map();

/**
 * @typedef {{ input?: string, format?: 'esm' | 'iife', conditions?: string[] }} BundleOptions `input`: its file, where that is not one of the
 * programs; `conditions`: the package conditions that bundlers set for the platform
 */

/**
 * @param {string} name of the program; always pass the same options for the same name
 * @param {string} folder for the bundle
 * @param {BundleOptions} [options]
 * @returns {Promise<string>} path of the bundle
 */
export function bundleProgram(name, folder, options = {}) {
  const bundle = bundles.get(name) ?? writeBundle(name, folder, options);
  bundles.set(name, bundle);
  return bundle;
}

/**
 * @param {string} name
 * @param {string} folder
 * @param {BundleOptions} options
 */
async function writeBundle(name, folder, { input = join(programs, `${name}.mjs`), format = 'esm', conditions = [] }) {
  const resolve = { conditionNames: [...conditions, 'import', 'default'] };
  const build = await rolldown({ input, platform: 'neutral', logLevel: 'silent', resolve });
  const file = join(folder, `${name}.js`);
  try {
    await build.write({ file, format, codeSplitting: false });
  } finally {
    await build.close();
  }
  return file;
}
