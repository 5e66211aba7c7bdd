/** Questions in the middle of a turn: asked in the log, answered by the next message, whoever it comes through. */
import { copyJson } from '../protocol/copy-json.js';
import { A2AError } from '../protocol/errors.js';
import type { Message, Part } from '../protocol/types.js';
import type { RequestContext, StandardSchema } from './executor.js';
import { ignorable } from './ignorable.js';
import type { Ask } from './question.js';
import { textOf } from './request-context.js';

type Questions = Pick<RequestContext, 'requireInput' | 'requireAuth'>;

export function questions(askInLog: Ask): Questions {
  const ask: Ask = async (question) => copyJson(await askInLog(question)); // the history holds the same message
  async function requireInput<T>(prompt: string | readonly Part[], options?: { readonly schema: StandardSchema<T> }): Promise<unknown> {
    const reply = await ask({ state: 'TASK_STATE_INPUT_REQUIRED', prompt });
    if (options === undefined) return textOf(reply.parts, '\n');
    return checked(reply, options.schema, (issues) => ask({ state: 'TASK_STATE_INPUT_REQUIRED', prompt: askAgain(prompt, issues) }));
  }
  const askInput = (...asked: Parameters<typeof requireInput>): Promise<unknown> => ignorable(requireInput(...asked));
  return {
    requireInput: askInput as Questions['requireInput'], // the overloads say which of the two it is
    requireAuth: (prompt) => ignorable(ask({ state: 'TASK_STATE_AUTH_REQUIRED', prompt })),
  };
}

async function checked<T>(reply: Message, schema: StandardSchema<T>, again: (issues: string) => Promise<Message>): Promise<T> {
  const first = await schema['~standard'].validate(answerOf(reply));
  if (first.issues === undefined) return first.value;
  const second = await schema['~standard'].validate(answerOf(await again(listed(first.issues))));
  if (second.issues === undefined) return second.value;
  throw new A2AError('INVALID_PARAMS', `the answer does not fit: ${listed(second.issues)}`);
}

/** Structured answers come as a data part; otherwise the text is the answer. */
function answerOf(reply: Message): unknown {
  const data = reply.parts.find((part) => part.data !== undefined);
  return data ? data.data : textOf(reply.parts, '\n');
}

const listed = (issues: readonly { readonly message: string }[]): string => issues.map(({ message }) => message).join('; ');

function askAgain(prompt: string | readonly Part[], issues: string): readonly Part[] {
  const asked: readonly Part[] = typeof prompt === 'string' ? [{ text: prompt }] : prompt;
  return [{ text: `That does not fit: ${issues}. ` }, ...asked];
}
