/** What of a call goes into the fetch of a card that others may wait for, too. */

import type { AgentCard } from '../protocol/types.js';
import type { Credentials } from './auth/credentials.js';
import { secretHeaderIn } from './auth/secret-headers.js';
import type { CallOptions } from './call-options.js';
import type { OpenOptions } from './calling.js';
import { lowerCaseNames } from './transports/lower-case-names.js';

type Headers = CallOptions['headers'];

/**
 * Which caller it is, not how long the caller waits: a shared fetch keeps the client's own limits, and each caller its own while it waits
 * for the fetch. A caller that counts its tries itself is not refused by an open circuit here, where it would not be refused later.
 */
export function cardRequest(asked: OpenOptions, headers: Headers): OpenOptions {
  const { credentials, scopes, requestId, activation, signal, evenIfOpen } = asked;
  return { credentials, scopes, requestId, activation, signal, evenIfOpen, headers: { ...headers, ...asked.headers } };
}

/** Whether a call says itself who it is for, instead of leaving that to its client. */
export function isOnBehalfOfOthers({ credentials, headers }: CallOptions, card: AgentCard): boolean {
  if (credentials !== undefined) return true;
  return headers !== undefined && secretHeaderIn(lowerCaseNames(headers), card) !== undefined;
}

// They say which call it is, not whose.
const TRACING: ReadonlySet<string> = new Set(['traceparent', 'tracestate', 'baggage', 'x-request-id']);

/** Gives the same key to requests that can be answered alike: fetches of others must neither fail a caller nor serve him. */
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
