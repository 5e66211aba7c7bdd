/** Maximum number of nested levels of a free-form value (metadata, data, params, header). */
export const NESTING_LIMIT = 64;

/** Whether a value is nested deeper than the limit. Stops at the limit, so hostile input cannot exhaust the stack. */
export function isDeep(value: unknown, levels: number = NESTING_LIMIT): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isDeep(item, levels - 1)) return true;
    return false;
  }
  for (const key in value) if (isDeep((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}
