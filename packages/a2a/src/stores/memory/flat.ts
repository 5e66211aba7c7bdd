/**
 * The same text in memory of its own. What comes in may be a rope of many pieces, or a slice that keeps a much longer text alive;
 * joining two non-empty pieces is the one plain operation that copies into one flat string.
 */
export function flat(text: string): string {
  return text.length < 2 ? text : [text.slice(0, 1), text.slice(1)].join('');
}
