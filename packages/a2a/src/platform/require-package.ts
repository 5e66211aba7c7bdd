/**
 * Loads a driver when a factory needs it. A static import of a missing package fails before any code of ours runs, with a message that does
 * not say what to do. Not `import()`: factories such as `sqlite(file)` are synchronous, and throw at start when they cannot work.
 */
import { createRequire } from 'node:module';
import { cwd } from 'node:process';
import { pathToFileURL } from 'node:url';
import { missingPackage } from './missing-package.js';

/** What the module exports. Throws `entry needs the package …` when it is not installed; the error of a package that is broken stays its own. */
export function requirePackage<T>(specifier: string, entry: string): T {
  // A bundle in the format of CommonJS has no import.meta.url; it runs beside the drivers that it leaves out.
  const require = createRequire(import.meta.url ?? pathToFileURL(`${cwd()}/`));
  try {
    require.resolve(specifier);
  } catch (cause) {
    throw isMissing(cause) ? missingPackage(packageOf(specifier), entry, cause) : cause;
  }
  return require(specifier); // the range of the peer dependency says that it is a T
}

/** Node names the path of a package that is there and whose own entry is not. */
function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'MODULE_NOT_FOUND' && !('path' in cause);
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
