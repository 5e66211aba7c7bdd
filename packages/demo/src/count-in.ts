import { wordsBehind } from './ability.js';

/** The whole number after the first word of a message, limited to `most`; `usual` if there is none. */
export function countIn(text: string, { usual, most }: { readonly usual: number; readonly most: number }): number {
  const asked = Number.parseInt(wordsBehind(text), 10);
  return asked > 0 ? Math.min(asked, most) : usual;
}
