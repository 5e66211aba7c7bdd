/** Credentials of the `Authorization` header. */

import { toBase64 } from '../../platform/base64.js';
import { A2AError } from '../../protocol/errors.js';
import type { SecurityScheme } from '../../protocol/types.js';
import type { AuthMaterial, Credentials } from './credentials.js';

/** What no token holds: white space, control characters, and everything beyond ASCII. */
const NOT_IN_A_TOKEN = /[^\x21-\x7e]/;

/** A token, or what gives one for each call: undefined sends none. After a refusal it is asked again. */
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

/** User name and password, sent with every call: only over TLS. */
export function basicAuth(user: string, password: string): Credentials {
  if (typeof user !== 'string' || typeof password !== 'string') throw misuse('basic takes a user name and a password');
  if (user.includes(':')) throw misuse('A user name for basic can not hold a colon');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 7617 forbids exactly these.
  if (/[\x00-\x1f\x7f]/.test(user + password)) throw misuse('The user name or password for basic holds a control character');
  const authorization = `Basic ${toBase64(new TextEncoder().encode(`${user}:${password}`))}`;
  return { get: () => ({ headers: { authorization } }), fits: (scheme) => isHttpScheme(scheme, 'basic') };
}

export function bearerMaterial(token: string): AuthMaterial {
  if (typeof token !== 'string' || token === '') throw misuse('The bearer token is empty');
  if (NOT_IN_A_TOKEN.test(token)) throw misuse('The bearer token holds white space, a line break or another character that no token has');
  return { headers: { authorization: `Bearer ${token}` } };
}

/** A token got elsewhere meets what is declared as OAuth 2.0 or OpenID Connect too. */
export function takesBearer(scheme: SecurityScheme): boolean {
  return isHttpScheme(scheme, 'bearer') || scheme.oauth2SecurityScheme !== undefined || scheme.openIdConnectSecurityScheme !== undefined;
}

/** Names of HTTP schemes are compared without regard to case. */
function isHttpScheme({ httpAuthSecurityScheme }: SecurityScheme, name: string): boolean {
  return httpAuthSecurityScheme?.scheme?.toLowerCase() === name;
}

function misuse(text: string): A2AError {
  return new A2AError('INVALID_PARAMS', text);
}
