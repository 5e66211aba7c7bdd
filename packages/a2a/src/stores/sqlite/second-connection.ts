import type Database from 'libsql/promise';
import { requirePackage } from '../../platform/require-package.js';

/** Another connection to the file, whose work runs on a thread of the driver. Undefined if it is not possible. */
export function connectBeside(path: string): Database | undefined {
  const Driver = requirePackage<typeof Database>('libsql/promise', '@parley/a2a/sqlite');
  try {
    return new Driver(path, {});
  } catch {
    return undefined;
  }
}
