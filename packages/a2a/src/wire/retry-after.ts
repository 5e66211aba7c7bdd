/** The header `Retry-After`. */

/** How long a server asks to wait, in milliseconds: seconds or an HTTP date, 0 for one that has passed, undefined for what is neither. */
export function parseRetryAfter(text: string, now: number): number | undefined {
  const trimmed = text.trim();
  if (/^\d{1,10}(\.\d{1,9})?$/.test(trimmed)) return Math.ceil(Number(trimmed) * 1000);
  // Date.parse takes far more than HTTP dates, plain numbers among it.
  if (!/^[A-Za-z]{3,9},? .*\d{2}:\d{2}:\d{2}/.test(trimmed) || trimmed.length > 40) return undefined;
  const at = Date.parse(trimmed);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
