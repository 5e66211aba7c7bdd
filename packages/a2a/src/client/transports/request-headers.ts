/** Builds the headers of a request. One plain object per call, because this runs on every request. */

import type { AgentInterface } from '../../protocol/types.js';
import { PROTOCOL_VERSION, parseVersion } from '../../protocol/version.js';
import type { ClientCall } from '../call.js';
import { lowerCaseNames } from './lower-case-names.js';

export interface HeaderChoice {
  readonly accept: string;
  /** Absent if there is no body. */
  readonly contentType?: string | undefined;
  readonly stream: boolean;
}

/**
 * The caller's headers win, except `accept` of a stream. Headers outside of the protocol go only to peers with the log extension: a header
 * that a server does not expect breaks the CORS preflight of browsers.
 */
export function toHeaders(call: ClientCall, at: AgentInterface | undefined, choice: HeaderChoice): Record<string, string> {
  const version = versionOf(at);
  const headers: Record<string, string> = { accept: choice.accept, 'a2a-version': version };
  if (choice.contentType !== undefined) headers['content-type'] = choice.contentType;
  if (call.extensions.length > 0) {
    headers['a2a-extensions'] = call.extensions.join(', ');
    if (version.startsWith('0.')) headers['x-a2a-extensions'] = headers['a2a-extensions']; // the name of 0.3
  }
  addLogHeaders(headers, call);
  Object.assign(headers, lowerCaseNames(call.headers));
  if (choice.stream) headers.accept = choice.accept;
  return headers;
}

function addLogHeaders(headers: Record<string, string>, { peer, requestId, idempotencyKey, lastEventId }: ClientCall): void {
  const { log } = peer;
  if (!log.lastEventId && !log.idempotencyKey) return;
  headers['x-request-id'] = requestId;
  if (log.idempotencyKey && idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  if (log.lastEventId && lastEventId !== undefined) headers['last-event-id'] = String(lastEventId);
}

/** Returns Major.Minor of the interface, or our own version if the interface declares none. */
function versionOf(at: AgentInterface | undefined): string {
  const declared = at?.protocolVersion;
  if (declared === undefined || declared === PROTOCOL_VERSION || declared.trim() === '') return PROTOCOL_VERSION;
  return parseVersion(declared) ?? PROTOCOL_VERSION;
}

/** Adds credentials to the URL. Errors of a call never quote it. */
export function withQuery(url: string, query: Readonly<Record<string, string>> | undefined): string {
  if (query === undefined) return url;
  const added = Object.entries(query).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return added.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${added.join('&')}`;
}
