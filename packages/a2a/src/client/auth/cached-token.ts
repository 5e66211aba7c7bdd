/** Caches tokens until shortly before they expire. */

import { originOf } from '../../platform/origin.js';
import { singleFlight } from '../../platform/single-flight.js';
import { systemClock } from '../../platform/system-clock.js';
import type { Clock } from '../../protocol/clock.js';
import { A2AError, isA2AError } from '../../protocol/errors.js';
import type { AuthMaterial, AuthRequest, Credentials } from './credentials.js';
import { bearerMaterial, takesBearer } from './http-auth.js';
import { checkMaterial, holdsMaterial } from './material.js';

/** A token as its issuer returns it. */
export interface Token {
  readonly token: string;
  /** Milliseconds since the epoch. Absent: valid until it is refused. */
  readonly expiresAt?: number | undefined;
}

/** Fetches a new token. The signal is aborted when no caller waits for it any more. */
export type TokenSource<R extends AuthRequest = AuthRequest> = (request: R & { readonly signal: AbortSignal }) => Promise<Token> | Token;

/** Options of `cachedToken`: when a token is replaced, and which requests share one. */
export interface CacheOptions<R extends AuthRequest = AuthRequest> {
  /** How long before its expiry a token is replaced, but at most half of its lifetime. Default 30,000. */
  readonly skewMs?: number | undefined;
  /** Requests with the same key share a token. Default: same origin and same scopes. */
  readonly keyOf?: ((request: R) => string) | undefined;
  /** Measures the lifetime of tokens. Default: the system clock. */
  readonly clock?: Clock | undefined;
}

/** Credentials with a token cache, as `cachedToken` returns them. */
export interface CachedCredentials<R extends AuthRequest = AuthRequest> extends Omit<Credentials, 'get'> {
  get(request: R): Promise<AuthMaterial>;
  /** Returns the cached material of this request if it is still valid. Never calls the source. */
  peek(request: R): AuthMaterial | undefined;
}

interface Entry {
  readonly material: AuthMaterial;
  readonly refreshAt: number;
  readonly expiresAt: number;
}

// Each set of scopes has its own token. The limit protects the memory against a caller that invents scopes.
const MAX_ENTRIES = 100;

/** Caches the tokens of a source. Concurrent callers share one request. A failure reaches only these callers and is not cached. */
export function cachedToken<R extends AuthRequest = AuthRequest>(
  source: TokenSource<R>,
  options: CacheOptions<R> = {},
): CachedCredentials<R> {
  const { skewMs = 30_000, keyOf = originAndScopes, clock = systemClock } = options;
  if (!(skewMs >= 0)) throw new A2AError('INVALID_PARAMS', `skewMs must not be negative, got ${skewMs}`);
  const entries = new Map<string, Entry>();
  const flights = singleFlight<Entry>();

  const peek = (request: R): Entry | undefined => {
    const entry = entries.get(keyOf(request));
    return entry && clock.now() < entry.expiresAt && !isRefused(entry, request) ? entry : undefined;
  };
  const fetchNew = async (request: R, signal: AbortSignal): Promise<Entry> => {
    const entry = toEntry(await source({ ...request, signal }), { now: clock.now(), skewMs });
    keep(entries, keyOf(request), entry);
    return entry;
  };

  return {
    fits: takesBearer,
    peek: (request) => peek(request)?.material,
    async get(request) {
      const kept = peek(request);
      if (kept && clock.now() < kept.refreshAt) return kept.material;
      try {
        return (await flights.join(keyOf(request), request.signal, (signal) => fetchNew(request, signal))).material;
      } catch (error) {
        // The refresh was early: the old token is still valid.
        if (kept && clock.now() < kept.expiresAt && !request.signal?.aborted) return kept.material;
        if (isA2AError(error)) throw error;
        throw new A2AError('AUTH_REQUIRED', `A token for ${originOf(request.url)} could not be obtained`, { cause: error });
      }
    },
  };
}

function originAndScopes({ url, scopes, scheme }: AuthRequest): string {
  return JSON.stringify([originOf(url), scheme?.name, [...(scopes ?? scheme?.scopes ?? [])].sort()]);
}

function isRefused({ material }: Entry, { refused }: AuthRequest): boolean {
  return refused !== undefined && holdsMaterial(checkMaterial(refused.material), checkMaterial(material));
}

function toEntry({ token, expiresAt }: Token, { now, skewMs }: { readonly now: number; readonly skewMs: number }): Entry {
  const material = bearerMaterial(token);
  if (expiresAt === undefined) return { material, refreshAt: Number.POSITIVE_INFINITY, expiresAt: Number.POSITIVE_INFINITY };
  return { material, refreshAt: expiresAt - Math.min(skewMs, (expiresAt - now) / 2), expiresAt };
}

function keep(entries: Map<string, Entry>, key: string, entry: Entry): void {
  entries.delete(key);
  entries.set(key, entry);
  for (const oldest of entries.keys()) {
    if (entries.size <= MAX_ENTRIES) return;
    entries.delete(oldest);
  }
}
