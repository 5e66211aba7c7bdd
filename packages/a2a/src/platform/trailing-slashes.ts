/** Removes all slashes from the end. A loop, because the expression `/\/+$/` takes quadratic time for a text of many slashes. */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x2f) end -= 1;
  return end === text.length ? text : text.slice(0, end);
}
