/**
 * Copies a text into a flat string. The input may be a rope of many pieces, or a slice that keeps a much longer text in memory. Joining two
 * non-empty pieces is the only plain operation that makes the engine copy.
 */
export function flat(text: string): string {
  return text.length < 2 ? text : [text.slice(0, 1), text.slice(1)].join('');
}
