import { wordsBehind } from './ability.js';

/** The whole number behind the first word of a message, within bounds; the usual one when there is none. */
export function countIn(text: string, { usual, most }: { readonly usual: number; readonly most: number }): number {
  const asked = Number.parseInt(wordsBehind(text), 10);
  return asked > 0 ? Math.min(asked, most) : usual;
}
