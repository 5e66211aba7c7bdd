let last = { at: Number.NaN, text: '' };

/** ISO 8601 in UTC. Many things happen within one millisecond, and writing it down costs as much as a small event: the last is kept. */
export function toIsoTime(at: number): string {
  if (at !== last.at) last = { at, text: new Date(at).toISOString() };
  return last.text;
}
