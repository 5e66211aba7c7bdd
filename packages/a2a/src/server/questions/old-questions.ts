/** Reads logs of the first version: their `asked` notes are empty, and the status entry after the note contains the question. */
import { toolResults } from '../../protocol/client-tools.js';
import { isInterrupted } from '../../protocol/task-state.js';
import type { Message, StreamResponse, TaskStatus } from '../../protocol/types.js';
import type { Entry } from '../../stores/store.js';
import { type QuestionIdentity, stateOf } from '../log/entries.js';
import { isSameQuestion } from './question.js';
import type { AnsweredQuestion } from './recorded-replies.js';

export function statusOf(entry: Entry): TaskStatus | undefined {
  const { task, statusUpdate }: StreamResponse = JSON.parse(entry.json);
  return (task ?? statusUpdate)?.status;
}

/** Undefined for an entry that is not a question. */
export function questionOfStatus(entry: Entry): QuestionIdentity | undefined {
  const state = stateOf(entry);
  if (state === undefined || !isInterrupted(state)) return undefined;
  const parts = statusOf(entry)?.message?.parts;
  if (state === 'TASK_STATE_AUTH_REQUIRED') return { kind: 'auth', prompt: parts };
  return parts === undefined ? { kind: 'tools' } : { kind: 'input', prompt: parts };
}

const REPEAT = 'That does not fit: ';

/**
 * The question that this one repeats because its reply failed the schema check: its prompt is the reason followed by the original prompt.
 */
export function repeatedBy({ kind, prompt = [] }: QuestionIdentity, last: AnsweredQuestion | undefined): AnsweredQuestion | undefined {
  const [reason, ...rest] = typeof prompt === 'string' ? [] : prompt;
  if (last === undefined || reason?.text?.startsWith(REPEAT) !== true) return undefined;
  return isSameQuestion(last.question, { kind, prompt: rest }) ? last : undefined;
}

/** A question for tool results did not record its calls: the results in the reply name them. */
export function withCalls(question: QuestionIdentity, reply: Message): QuestionIdentity {
  if (question.kind !== 'tools' || question.calls !== undefined) return question;
  return { ...question, calls: toolResults(reply).map(({ id }) => id) };
}
