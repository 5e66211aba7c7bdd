/** Normalizes and checks the headers of callers before anything is sent. */
import { A2AError } from '../protocol/errors.js';

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// The characters that HTTP allows in a value: no control characters, and only code points that fit in one byte.
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Returns the headers with lower-case names. Throws INVALID_PARAMS with the name of an invalid header. The value is not shown, because it
 * may be a secret.
 */
export function toHeaders(headers: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers ?? {})) {
    // Untyped callers pass undefined to omit a header.
    if (value === undefined) continue;
    if (!NAME.test(name)) throw invalid(`${JSON.stringify(name.slice(0, 64))} is not a valid header name`);
    if (typeof value !== 'string' || !VALUE.test(value))
      throw invalid(`The value of the header ${name} contains characters that HTTP does not allow`);
    result[name.toLowerCase()] = value;
  }
  return result;
}

function invalid(message: string): A2AError {
  return new A2AError('INVALID_PARAMS', message);
}
