/** Where a leg ends. */
import { type A2AError, A2ATaskAuthRequiredError } from '../../protocol/errors.js';
import { askAuth, promptOf, taskOf, tellQuestion } from './ask.js';
import type { RunContext } from './context.js';
import type { Update } from './update.js';

export type Stop =
  /** The task is over, or the agent answered without one. */
  | { readonly kind: 'final' | 'message' }
  /** The agent waits for its caller. */
  | { readonly kind: 'input' }
  /** The agent waits for an authorization, and nobody is there to give it. */
  | { readonly kind: 'auth' };

/**
 * What the present state asks for; undefined: to read on. An authorization is asked for while the stream stays open, because the agent may
 * go on by itself as soon as it has it.
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

/** Nobody is there to give the authorization. `resume` follows the task once it was given elsewhere. */
export function authRequired<R>(context: RunContext, resume: () => R): A2AError {
  const task = taskOf(context);
  const message = `Task ${task.id} waits for an authorization: ${promptOf(task.status)}`;
  return new A2ATaskAuthRequiredError(task, message, { resume, peer: context.peer.name });
}
