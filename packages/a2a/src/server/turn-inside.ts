/** What the library's own extensions get of a run through its context, and executors do not see. Copies of a context have it too. */
import type { RequestContext } from './executor.js';
import type { Ask } from './question.js';

export const INSIDE: unique symbol = Symbol('parley.a2a.run');

export interface TurnInside {
  /** Asks in the log. A question that an earlier run of the turn asked is not asked again (D14, D44). */
  readonly ask: Ask;
  /** For a call of a tool of the caller; `called` tells what is called, `id` is the executor's own name for the call. */
  newCallId(called: string, id?: string): string;
}

export function insideOf(context: RequestContext): TurnInside | undefined {
  return (context as { readonly [INSIDE]?: TurnInside })[INSIDE]; // there on contexts of the usual builder
}
