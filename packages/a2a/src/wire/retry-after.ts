/** The header `Retry-After`: seconds, or one of the three forms of an HTTP date (RFC 9110, 5.6.7). */

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TIME = '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)';

// Not Date.parse: it accepts much more than HTTP dates, and differs between engines.
const FORMS = [
  new RegExp(`^[A-Z][a-z]{2}, (?<day>\\d\\d) (?<month>[A-Z][a-z]{2}) (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(`^[A-Z][a-z]{5,8}, (?<day>\\d\\d)-(?<month>[A-Z][a-z]{2})-(?<year>\\d\\d) ${TIME} GMT$`),
  new RegExp(`^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`),
];

/**
 * The delay that a server requests, in milliseconds: 0 for a time in the past, undefined for an invalid value. The delay is not limited
 * here; callers apply their own limit.
 */
export function parseRetryAfter(text: string | null | undefined, now: number): number | undefined {
  const trimmed = text?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(trimmed)) return Math.min(Math.ceil(Number(trimmed) * 1000), Number.MAX_SAFE_INTEGER);
  const at = parseHttpDate(trimmed, now);
  return at === undefined ? undefined : Math.max(0, at - now);
}

function parseHttpDate(text: string, now: number): number | undefined {
  for (const form of FORMS) {
    const found = form.exec(text)?.groups;
    if (found !== undefined) return toTime(found, now);
  }
  return undefined;
}

function toTime(found: Readonly<Record<string, string>>, now: number): number | undefined {
  const month = MONTHS.indexOf(found.month ?? '');
  const [day, hour, minute, second] = [found.day, found.hour, found.minute, found.second].map(Number);
  const at = Date.UTC(toYear(found.year ?? '', now), month, day, hour, minute, second);
  const isDate = month >= 0 && new Date(at).getUTCDate() === day && Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60;
  return isDate ? at : undefined;
}

/** A two-digit year is in the century that puts it at most 50 years in the future. */
function toYear(digits: string, now: number): number {
  if (digits.length === 4) return Number(digits);
  const thisYear = new Date(now).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + Number(digits);
  return year > thisYear + 50 ? year - 100 : year;
}
