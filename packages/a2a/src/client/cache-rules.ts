/** What the headers of an answer say about keeping it (RFC 9111), as far as one private cache needs them. */

export interface CacheRules {
  /** For how long it may be used without asking again; undefined: the headers do not say. */
  readonly maxAgeMs: number | undefined;
  /** false: it must not be asked for by its validators later. */
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

/** A time that can not be read is over, as the standard has it. */
function untilExpires(expires: string | undefined, date: string | undefined): number | undefined {
  if (expires === undefined) return undefined;
  const lifetimeMs = Date.parse(expires) - Date.parse(date ?? '');
  return Number.isNaN(lifetimeMs) ? 0 : Math.max(0, lifetimeMs);
}

function seconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) * 1000 : undefined;
}
