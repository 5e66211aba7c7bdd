/** Cuts a text to at most `maxLength` characters. Replaces unpaired surrogates: JSON can contain them, but strict peers refuse them. */
export function cutText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/\p{Surrogate}/gu, '\uFFFD');
}
