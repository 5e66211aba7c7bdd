/**
 * Loads a driver when a factory needs it. A static import of a missing package fails before our code runs, with a message that does not say
 * what to do. Not `import()`, because factories such as `sqlite(file)` are synchronous and throw at startup when they cannot work.
 */
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { argv, cwd } from 'node:process';
import { pathToFileURL } from 'node:url';
import { missingPackage } from './missing-package.js';

/** Returns the exports of the module. Throws like `resolvePackage`; an error of a broken package is passed on unchanged. */
export function requirePackage<T>(specifier: string, entry: string): T {
  const path = resolvePackage(specifier, entry);
  return createRequire(path)(path); // the version range of the peer dependency guarantees a T
}

/** Returns the path of the module. Throws `entry needs the package …` when it is not installed. */
export function resolvePackage(specifier: string, entry: string): string {
  let missing: unknown;
  for (const place of places()) {
    try {
      return createRequire(place).resolve(specifier);
    } catch (cause) {
      if (!isMissing(cause)) throw cause;
      missing ??= cause;
    }
  }
  throw missingPackage(packageOf(specifier), entry, missing);
}

/**
 * The places where packages are searched. A CommonJS bundle may have no `import.meta.url`: it does not include the drivers, which are
 * installed next to its main script. The working directory comes last, because it may not be the folder of the program.
 */
function places(): readonly (string | URL)[] {
  const own: string | undefined = import.meta.url;
  if (own !== undefined) return [own];
  const main = argv[1];
  // The slash: a program can be started by the name of its folder, and then its packages are inside it. Node resolves links to the main
  // script.
  const paths = main === undefined ? [cwd()] : [existsSync(main) ? realpathSync(main) : main, cwd()];
  return paths.map((path) => pathToFileURL(`${path}/`));
}

/** Node sets `path` for a package that exists but lacks its entry file. */
function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'MODULE_NOT_FOUND' && !('path' in cause);
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
