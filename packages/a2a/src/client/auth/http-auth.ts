/** Credentials for the `Authorization` header. */

import { toBase64 } from '../../platform/base64.js';
import { A2AError } from '../../protocol/errors.js';
import type { SecurityScheme } from '../../protocol/types.js';
import type { AuthMaterial, Credentials } from './credentials.js';

/** Characters that no token contains: white space, control characters and non-ASCII characters. */
const NOT_IN_A_TOKEN = /[^\x21-\x7e]/;

/**
 * Sends a bearer token. A function is called for each call, and again after a refusal; undefined sends no token.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises';
 * import { bearerToken, createClient } from '@parley/a2a/client';
 *
 * export const client = createClient('https://agent.example', {
 *   credentials: bearerToken(async () => (await readFile('/run/secrets/agent-token', 'utf8')).trim()),
 * });
 * ```
 */
export function bearerToken(token: string | (() => string | undefined | Promise<string | undefined>)): Credentials {
  if (typeof token !== 'function') {
    const material = bearerMaterial(token);
    return { get: () => material, fits: takesBearer };
  }
  return {
    async get() {
      const given = await token();
      return given === undefined ? undefined : bearerMaterial(given);
    },
    fits: takesBearer,
  };
}

/** Sends a user name and a password on every call. Use it only over TLS. */
export function basicAuth(user: string, password: string): Credentials {
  if (typeof user !== 'string' || typeof password !== 'string') throw misuse('basic needs a user name and a password');
  if (user.includes(':')) throw misuse('The user name for basic must not contain a colon');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 7617 forbids exactly these.
  if (/[\x00-\x1f\x7f]/.test(user + password)) throw misuse('The user name or password for basic contains a control character');
  const authorization = `Basic ${toBase64(new TextEncoder().encode(`${user}:${password}`))}`;
  return { get: () => ({ headers: { authorization } }), fits: (scheme) => isHttpScheme(scheme, 'basic') };
}

export function bearerMaterial(token: string): AuthMaterial {
  if (typeof token !== 'string' || token === '') throw misuse('The bearer token is empty');
  if (NOT_IN_A_TOKEN.test(token)) throw misuse('The bearer token contains white space, a line break or a non-ASCII character');
  return { headers: { authorization: `Bearer ${token}` } };
}

/** A bearer token from another source also satisfies a scheme that is declared as OAuth 2.0 or OpenID Connect. */
export function takesBearer(scheme: SecurityScheme): boolean {
  return isHttpScheme(scheme, 'bearer') || scheme.oauth2SecurityScheme !== undefined || scheme.openIdConnectSecurityScheme !== undefined;
}

/** HTTP scheme names are case-insensitive. */
function isHttpScheme({ httpAuthSecurityScheme }: SecurityScheme, name: string): boolean {
  return httpAuthSecurityScheme?.scheme?.toLowerCase() === name;
}

function misuse(text: string): A2AError {
  return new A2AError('INVALID_PARAMS', text);
}
