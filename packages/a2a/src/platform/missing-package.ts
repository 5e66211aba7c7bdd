/** The error for an optional package that the user must install. */
import { A2AError } from '../protocol/errors.js';

/** `entry` is the entry point that needs it, such as `@parley/a2a/postgres`. */
export function missingPackage(name: string, entry: string, cause: unknown): A2AError {
  return new A2AError('INVALID_PARAMS', `\`${entry}\` needs the package ${name}: npm install ${name}`, { cause });
}
