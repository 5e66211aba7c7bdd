/**
 * The part of a run that the library's own extensions reach through its context; not visible to executors. Copies of a context have it too.
 */

import type { Ask } from '../questions/question.js';
import type { RequestContext } from './executor.js';

export const INSIDE: unique symbol = Symbol('parley.a2a.run');

export interface TurnInside {
  /** Asks a question through the log. A question that an earlier run of the turn asked is not asked again (D14, D44). */
  readonly ask: Ask;
  /** Id for a call of a caller's tool. `called` identifies the call by its content, `id` is the executor's own name for it. */
  newCallId(called: string, id?: string): string;
}

export function insideOf(context: RequestContext): TurnInside | undefined {
  return (context as { readonly [INSIDE]?: TurnInside })[INSIDE]; // present on contexts of the default builder
}
