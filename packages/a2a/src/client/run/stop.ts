/** Why a leg ends. */
import { type A2AError, A2ATaskAuthRequiredError } from '../../protocol/errors.js';
import { askAuth, promptOf, taskOf, tellQuestion } from './ask.js';
import type { RunContext } from './context.js';
import type { Update } from './update.js';

export type Stop =
  /** The task has ended, or the agent replied without one. */
  | { readonly kind: 'final' | 'message' }
  /** The agent waits for input. */
  | { readonly kind: 'input' }
  /** The agent waits for an authorization, and there is no handler for it. */
  | { readonly kind: 'auth' };

/**
 * Returns what the current state requires. undefined: keep reading. An authorization is requested while the stream stays open, because the
 * agent may continue by itself as soon as it has it.
 */
export async function* stopHere(context: RunContext): AsyncGenerator<Update, Stop | undefined> {
  const { stop, follower, plan } = context;
  if (follower.isAnsweredByMessage) return { kind: 'message' };
  if (stop !== 'auth') return stop && { kind: stop };
  const { onAuthRequired } = plan;
  if (onAuthRequired === undefined) {
    yield tellQuestion(context, 'auth');
    return { kind: 'auth' };
  }
  yield* askAuth(context, (prompt, question) => onAuthRequired(prompt, question));
  return undefined;
}

/** There is no handler for the authorization. `resume` follows the task after it was given elsewhere. */
export function authRequired<R>(context: RunContext, resume: () => R): A2AError {
  const task = taskOf(context);
  const message = `Task ${task.id} waits for an authorization: ${promptOf(task.status)}`;
  return new A2ATaskAuthRequiredError(task, message, { resume, peer: context.peer.name });
}
