/**
 * Loads a driver when a factory needs it. A static import of a missing package fails before any code of ours runs, with a message that does
 * not say what to do. Not `import()`: factories such as `sqlite(file)` are synchronous, and throw at start when they cannot work.
 */
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { argv, cwd } from 'node:process';
import { pathToFileURL } from 'node:url';
import { missingPackage } from './missing-package.js';

/** What the module exports. Throws `entry needs the package …` when it is not installed; the error of a package that is broken stays its own. */
export function requirePackage<T>(specifier: string, entry: string): T {
  let missing: unknown;
  for (const place of places()) {
    const require = createRequire(place);
    try {
      require.resolve(specifier);
    } catch (cause) {
      if (!isMissing(cause)) throw cause;
      missing ??= cause;
      continue;
    }
    return require(specifier); // the range of the peer dependency says that it is a T
  }
  throw missingPackage(packageOf(specifier), entry, missing);
}

/**
 * Where packages are looked for. A CommonJS bundle may have no `import.meta.url`: it leaves the drivers out, and they are installed beside its
 * main script. The working directory comes last: it need not be the folder of the program.
 */
function places(): readonly (string | URL)[] {
  const own: string | undefined = import.meta.url;
  if (own !== undefined) return [own];
  const main = argv[1];
  // The slash: a program can be started by the name of its folder, and then its packages are inside. Node follows links to the main script.
  const paths = main === undefined ? [cwd()] : [existsSync(main) ? realpathSync(main) : main, cwd()];
  return paths.map((path) => pathToFileURL(`${path}/`));
}

/** Node names the path of a package that is there and whose own entry is not. */
function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'MODULE_NOT_FOUND' && !('path' in cause);
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
