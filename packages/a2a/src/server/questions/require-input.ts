/** `requireInput` and `requireAuth`: questions during a turn. */

import { ignorable } from '../../platform/ignorable.js';
import { copyJson } from '../../protocol/copy-json.js';
import { A2AError } from '../../protocol/errors.js';
import type { Message, Part } from '../../protocol/types.js';
import type { QuestionOptions, RequestContext, StandardSchema } from '../executor/executor.js';
import { textOf } from '../executor/request-context.js';
import { type Ask, checkQuestionId, type Question } from './question.js';

type Questions = Pick<RequestContext, 'requireInput' | 'requireAuth'>;
type Prompt = string | readonly Part[];
type InputOptions = QuestionOptions & { readonly schema?: StandardSchema<unknown> };

export function questions(askInLog: Ask): Questions {
  const ask: Ask = async (question) => {
    const { message, asked } = await askInLog(question);
    return { message: copyJson(message), asked }; // the history holds the same message object
  };
  async function requireInput(prompt: Prompt, options: InputOptions = {}): Promise<unknown> {
    const { schema, id, early } = options;
    checkQuestionId(id, 'a question');
    const question: Question = { kind: 'input', prompt, id, early };
    if (schema !== undefined) return askChecked(ask, question, schema);
    return textOf((await ask(question)).message.parts, '\n');
  }
  async function requireAuth(prompt: Prompt, { id, early }: QuestionOptions = {}): Promise<Message> {
    checkQuestionId(id, 'a question');
    return (await ask({ kind: 'auth', prompt, id, early })).message;
  }
  const askInput = (...asked: Parameters<typeof requireInput>): Promise<unknown> => ignorable(requireInput(...asked));
  return {
    requireInput: askInput as Questions['requireInput'], // the overloads select the return type
    requireAuth: (...asked) => ignorable(requireAuth(...asked)),
  };
}

async function askChecked<T>(ask: Ask, question: Question, schema: StandardSchema<T>): Promise<T> {
  const first = await ask(question);
  const checked = await schema['~standard'].validate(answerOf(first.message));
  if (checked.issues === undefined) return checked.value;
  const shown = repeatedPrompt(question.prompt, listed(checked.issues));
  const second = await ask({ ...question, shown, repeatOf: first.asked });
  const checkedAgain = await schema['~standard'].validate(answerOf(second.message));
  if (checkedAgain.issues === undefined) return checkedAgain.value;
  throw new A2AError('INVALID_PARAMS', `the reply to the question is invalid for the second time: ${listed(checkedAgain.issues)}`);
}

/** A structured reply is a data part; otherwise the text is the reply. */
function answerOf(reply: Message): unknown {
  const data = reply.parts.find((part) => part.data !== undefined);
  return data ? data.data : textOf(reply.parts, '\n');
}

const listed = (issues: readonly { readonly message: string }[]): string => issues.map(({ message }) => message).join('; ');

function repeatedPrompt(prompt: Prompt = [], issues: string): readonly Part[] {
  const asked: readonly Part[] = typeof prompt === 'string' ? [{ text: prompt }] : prompt;
  return [{ text: `That does not fit: ${issues}. ` }, ...asked];
}
