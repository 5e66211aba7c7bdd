/** What the library's own extensions get of a run through its context, and executors do not see. Copies of a context have it too. */
import type { RequestContext } from './executor.js';
import type { Ask } from './question.js';

export const INSIDE: unique symbol = Symbol('parley.a2a.run');

export interface TurnInside {
  /** Asks in the log: the k-th question of a turn gets its k-th answer, however often the turn is entered (D14). */
  readonly ask: Ask;
  /** For a call of a tool of the caller; `called` tells what is called. */
  newCallId(called: string): string;
}

export function insideOf(context: RequestContext): TurnInside | undefined {
  return (context as { readonly [INSIDE]?: TurnInside })[INSIDE]; // there on contexts of the usual builder
}
