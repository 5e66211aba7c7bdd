let last = { at: Number.NaN, text: '' };

/** ISO 8601 in UTC. The last result is cached: many events share one millisecond, and formatting costs as much as a small event. */
export function toIsoTime(at: number): string {
  if (at !== last.at) last = { at, text: new Date(at).toISOString() };
  return last.text;
}
