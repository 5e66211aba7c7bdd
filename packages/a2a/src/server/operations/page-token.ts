/**
 * Page tokens: the start of the next page, bound to the filters of the list. Opaque to clients, and validated because a client could change
 * them.
 */
import { A2AError } from '../../protocol/errors.js';
import type { ListQuery } from '../../stores/store.js';

/** The filters of a list; a token is valid only for exactly the same filters. */
export type Filters = Pick<ListQuery, 'agent' | 'tenant' | 'owner' | 'contextId' | 'state' | 'statusAtOrAfter'>;

export interface PageToken {
  readonly after: { readonly statusAt: number; readonly id: string };
  /** Total number of matches, counted for the first page. */
  readonly total: number;
}

export function encodePageToken({ after, total }: PageToken, filters: Filters): string {
  return toBase64Url(JSON.stringify([after.statusAt, after.id, total, hashOf(filters)]));
}

/** Throws INVALID_PARAMS for a token that this agent did not create, or that was created for other filters. */
export function decodePageToken(token: string, filters: Filters): PageToken {
  const [statusAt, id, total, hash] = parse(token);
  if (!isCount(statusAt) || typeof id !== 'string' || !isCount(total))
    throw illegal('is not a page token of this agent; omit it to get the first page');
  if (hash !== hashOf(filters)) throw illegal('was created for other filters; send the filters of the first page, or omit it');
  return { after: { statusAt, id }, total };
}

function parse(token: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(fromBase64Url(token));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function illegal(description: string): A2AError {
  return new A2AError('INVALID_PARAMS', `pageToken ${description}`, { violations: [{ field: 'pageToken', description }] });
}

/** FNV-1a, to compare filters. It is not a security check: a forged token still returns only the caller's own tasks. */
function hashOf({ agent, tenant, owner, contextId, state, statusAtOrAfter }: Filters): number {
  const text = JSON.stringify([agent, tenant, owner, contextId, state, statusAtOrAfter]);
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}

const toBase64Url = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

function fromBase64Url(text: string): string {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (unit) => unit.charCodeAt(0)));
}
