/** Tokens that are kept until shortly before they expire. */

import { originOf } from '../../platform/origin.js';
import { singleFlight } from '../../platform/single-flight.js';
import { systemClock } from '../../platform/system-clock.js';
import type { Clock } from '../../protocol/clock.js';
import { A2AError, isA2AError } from '../../protocol/errors.js';
import type { AuthMaterial, AuthRequest, Credentials } from './credentials.js';
import { bearerMaterial, takesBearer } from './http-auth.js';
import { checkMaterial, holdsMaterial } from './material.js';

/** A token as its issuer gives it. */
export interface Token {
  readonly token: string;
  /** Milliseconds since the epoch; absent: good until it is refused. */
  readonly expiresAt?: number | undefined;
}

/** Gets a new token. The signal is aborted when nobody waits for it any more. */
export type TokenSource<R extends AuthRequest = AuthRequest> = (request: R & { readonly signal: AbortSignal }) => Promise<Token> | Token;

export interface CacheOptions<R extends AuthRequest = AuthRequest> {
  /** How long before its end a token is replaced; at most half of its life. Default 30,000. */
  readonly skewMs?: number | undefined;
  /** Requests with the same key share a token. Default: the same origin and scopes. */
  readonly keyOf?: ((request: R) => string) | undefined;
  readonly clock?: Clock | undefined;
}

export interface CachedCredentials<R extends AuthRequest = AuthRequest> extends Omit<Credentials, 'get'> {
  get(request: R): Promise<AuthMaterial>;
  /** What is kept for such a request and still good; never asks the source. */
  peek(request: R): AuthMaterial | undefined;
}

interface Entry {
  readonly material: AuthMaterial;
  readonly refreshAt: number;
  readonly expiresAt: number;
}

// Each set of scopes has its own token: a caller who invents scopes must not fill the memory.
const MAX_ENTRIES = 100;

/** Keeps the tokens of a source. Callers who need one at the same time wait for the same; a failure is nobody's but theirs. */
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
        // It came too early: the old one is still good.
        if (kept && clock.now() < kept.expiresAt && !request.signal?.aborted) return kept.material;
        if (isA2AError(error)) throw error;
        throw new A2AError('AUTH_REQUIRED', `No token could be got for ${originOf(request.url)}`, { cause: error });
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
