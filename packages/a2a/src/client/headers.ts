/** Headers as callers write them: any case, checked before anything is sent. */
import { A2AError } from '../protocol/errors.js';

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// What HTTP lets a value hold: no controls, and nothing that a byte can not carry.
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The same headers by lower-case name. Throws INVALID_PARAMS that names the one that HTTP can not carry; its value may be secret and is not shown. */
export function toHeaders(headers: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers ?? {})) {
    // Callers without types pass undefined for "not this time".
    if (value === undefined) continue;
    if (!NAME.test(name)) throw invalid(`${JSON.stringify(name.slice(0, 64))} is not the name of a header`);
    if (typeof value !== 'string' || !VALUE.test(value)) throw invalid(`The value of the header ${name} can not be sent`);
    result[name.toLowerCase()] = value;
  }
  return result;
}

function invalid(message: string): A2AError {
  return new A2AError('INVALID_PARAMS', message);
}
