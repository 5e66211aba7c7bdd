/** What a JSON object holds before anybody has looked at it. */
export type Members = Readonly<Record<string, unknown>>;

/** Neither null nor a list. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
