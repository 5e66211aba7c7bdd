/** Questions that a turn asks its caller, and the identity of a question. */

import { stableJson } from '../../platform/stable-json.js';
import { A2AError } from '../../protocol/errors.js';
import type { Message, Part } from '../../protocol/types.js';
import type { QuestionIdentity } from '../log/entries.js';

export interface Question extends QuestionIdentity {
  /** The message of the status, if it differs from the prompt. */
  readonly shown?: readonly Part[];
  /** A message that was sent before the question may be the reply. */
  readonly early?: boolean | undefined;
  /** The question was asked before and its reply was invalid: `Reply.asked` of that reply. */
  readonly repeatOf?: number;
  /** Publishes the events that belong to the question. Not called when the log already has the reply. */
  announce?(): Promise<void>;
}

export interface Reply {
  readonly message: Message;
  /** The entry of the `asked` note that first asked this question. */
  readonly asked: number;
}

/** Puts the task into the state of the question and returns the reply. */
export type Ask = (question: Question) => Promise<Reply>;

export const stateOfQuestion = ({ kind }: QuestionIdentity) =>
  kind === 'auth' ? ('TASK_STATE_AUTH_REQUIRED' as const) : ('TASK_STATE_INPUT_REQUIRED' as const);

export function isSameQuestion(one: QuestionIdentity, other: QuestionIdentity): boolean {
  return identityText(one) === identityText(other);
}

function identityText({ kind, prompt, id, calls }: QuestionIdentity): string {
  return stableJson({ kind, parts: typeof prompt === 'string' ? [{ text: prompt }] : prompt, id, calls: calls && [...calls].sort() });
}

const MAX_ID_LENGTH = 256;

/** Throws unless the id is absent or valid. `what` names the thing that has the id. */
export function checkQuestionId(id: unknown, what: string): void {
  if (id === undefined) return;
  if (typeof id === 'string' && id.length > 0 && id.length <= MAX_ID_LENGTH) return;
  const got = typeof id === 'string' ? `${id.length} characters` : `a value of type ${id === null ? 'null' : typeof id}`;
  throw new A2AError('INVALID_AGENT_RESPONSE', `The id of ${what} must be a string of 1 to ${MAX_ID_LENGTH} characters, got ${got}.`);
}
