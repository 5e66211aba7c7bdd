/** The caching rules in the response headers (RFC 9111), as far as one private cache needs them. */

export interface CacheRules {
  /** How long the response may be used without revalidation. Undefined if the headers do not say. */
  readonly maxAgeMs: number | undefined;
  /** If false, the response must not be revalidated with its validators later. */
  readonly store: boolean;
}

export function cacheRules(header: (name: string) => string | undefined): CacheRules {
  const directives = (header('cache-control') ?? '').toLowerCase().split(',');
  const has = (name: string): boolean => directives.some((one) => one.trim().split('=')[0] === name);
  if (has('no-store')) return { maxAgeMs: 0, store: false };
  if (has('no-cache')) return { maxAgeMs: 0, store: true };
  const lifetimeMs = maxAge(directives) ?? untilExpires(header('expires'), header('date'));
  if (lifetimeMs === undefined) return { maxAgeMs: undefined, store: true };
  const ageMs = seconds(header('age')?.trim()) ?? 0;
  return { maxAgeMs: Math.max(0, lifetimeMs - ageMs), store: true };
}

function maxAge(directives: readonly string[]): number | undefined {
  const directive = directives.find((one) => one.trim().startsWith('max-age='));
  return seconds(
    directive
      ?.split('=')[1]
      ?.trim()
      .replace(/^"(.*)"$/, '$1'),
  );
}

/** RFC 9111: an `Expires` that cannot be parsed means already expired. */
function untilExpires(expires: string | undefined, date: string | undefined): number | undefined {
  if (expires === undefined) return undefined;
  const lifetimeMs = Date.parse(expires) - Date.parse(date ?? '');
  return Number.isNaN(lifetimeMs) ? 0 : Math.max(0, lifetimeMs);
}

function seconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) * 1000 : undefined;
}
