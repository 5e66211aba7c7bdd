/** Decides which options of a call apply to a card request that several calls may share. */

import type { AgentCard } from '../protocol/types.js';
import type { Credentials } from './auth/credentials.js';
import { secretHeaderIn } from './auth/secret-headers.js';
import type { CallOptions } from './call-options.js';
import type { OpenOptions } from './calling.js';
import { lowerCaseNames } from './transports/lower-case-names.js';

type Headers = CallOptions['headers'];

/**
 * Copies the options that identify the caller, but not its timeouts: a shared request uses the limits of the client, and each caller waits
 * for it within its own limits. `evenIfOpen` is copied, because an open circuit must not refuse the card request of a call that would
 * itself pass.
 */
export function cardRequest(asked: OpenOptions, headers: Headers): OpenOptions {
  const { credentials, scopes, requestId, activation, signal, evenIfOpen } = asked;
  return { credentials, scopes, requestId, activation, signal, evenIfOpen, headers: { ...headers, ...asked.headers } };
}

/** True if the call carries an identity of its own instead of that of the client. */
export function isOnBehalfOfOthers({ credentials, headers }: CallOptions, card: AgentCard): boolean {
  if (credentials !== undefined) return true;
  return headers !== undefined && secretHeaderIn(lowerCaseNames(headers), card) !== undefined;
}

// These headers identify the call, not the caller.
const TRACING: ReadonlySet<string> = new Set(['traceparent', 'tracestate', 'baggage', 'x-request-id']);

/**
 * Returns the same key for requests that may share one response. A caller must neither fail with nor be served from the request of another
 * identity.
 */
export function cardRequestKeys(): (request: OpenOptions) => string {
  const ids = new WeakMap<Credentials, number>();
  let lastId = 0;
  const idOf = (credentials: Credentials | null | undefined): number | null | undefined => {
    if (!credentials) return credentials;
    const id = ids.get(credentials) ?? ++lastId;
    ids.set(credentials, id);
    return id;
  };
  return ({ credentials, scopes, activation, evenIfOpen, timeouts, headers }) => {
    const said = Object.entries(lowerCaseNames(headers ?? {})).filter(([name]) => !TRACING.has(name));
    return JSON.stringify({
      credentials: idOf(credentials),
      scopes,
      activation,
      evenIfOpen: evenIfOpen === true,
      timeouts,
      headers: said.sort(),
    });
  };
}
