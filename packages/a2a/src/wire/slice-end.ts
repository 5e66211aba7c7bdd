/** Where to cut a long text that is sent in slices. */

/** A reply up to this length is sent at once; a longer one in slices of about this size, so that it never waits whole in a buffer. */
export const SLICE_BYTES = 64 * 1024;

/** The end of the slice that starts at `start`: at most `chars` later (at least 2), and never between the halves of a surrogate pair. */
export function sliceEnd(text: string, start: number, chars: number): number {
  const end = start + chars;
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
