/** The beginning of a text, at most so many characters, without halves of characters: JSON can write those, and strict peers refuse them. */
export function cutText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/\p{Surrogate}/gu, '\uFFFD');
}
