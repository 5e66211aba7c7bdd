import { A2AError } from '../../protocol/errors.js';
import type { HttpRequest } from './exchange.js';

/** Throws INVALID_REQUEST for a header that HTTP cannot carry. Platforms quote the value in their own errors, and it may be a secret. */
export function checkHeaders({ headers }: HttpRequest): void {
  for (const [name, value] of Object.entries(headers)) {
    if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) continue;
    throw new A2AError('INVALID_REQUEST', `The header ${JSON.stringify(name.slice(0, 64))} contains characters that HTTP does not allow`);
  }
}
