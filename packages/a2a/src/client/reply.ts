/** What came of a send or a run, as one value. Pure. */
import type { Artifact, Message, Part, Task, TaskState, TaskStatus } from '../protocol/types.js';
import { joinTexts, type TextPiece } from './answer-text.js';
import type { FinishReason, Reply } from './run/update.js';

export function toReply(answer: { readonly task?: Task | undefined; readonly message?: Message | undefined }): Reply | undefined {
  if (answer.task !== undefined) return taskReply(answer.task);
  if (answer.message !== undefined) return messageReply(answer.message);
  return undefined;
}

export function taskReply(task: Task): Reply & { readonly kind: 'task' } {
  const { state } = task.status;
  return {
    kind: 'task',
    task,
    taskId: task.id,
    state,
    text: collectText(task),
    artifacts: task.artifacts ?? [],
    contextId: idOf(task.contextId),
    finishReason: FINISH_REASONS[state],
  };
}

export function messageReply(message: Message): Reply & { readonly kind: 'message' } {
  const contextId = idOf(message.contextId);
  return { kind: 'message', message, text: textOf(message.parts), artifacts: [], contextId, finishReason: 'completed' };
}

/**
 * The answer of a task: the text of its artifacts, and its last word when that does not repeat them. What it says on its way is progress,
 * and what it asks is a question: neither is part of the answer. `messages` are those that it sent beside the task, as messages of their own.
 */
export function collectText(task: Task, messages: readonly Message[] = []): string {
  const pieces = piecesOf(task.artifacts ?? [], messages);
  return joinTexts([...pieces, { text: lastWord(task.status, pieces), isArtifact: false }]);
}

export function piecesOf(artifacts: readonly Pick<Artifact, 'parts'>[], messages: readonly Message[]): readonly TextPiece[] {
  return [
    ...artifacts.map(({ parts }) => ({ text: textOf(parts), isArtifact: true })),
    ...messages.map(({ parts }) => ({ text: textOf(parts), isArtifact: false })),
  ];
}

/** What a COMPLETED status adds to what was told; nothing when it only says that again, as many agents do. */
export function lastWord({ state, message }: TaskStatus, told: readonly TextPiece[]): string {
  if (state !== 'TASK_STATE_COMPLETED' || message === undefined) return '';
  const word = textOf(message.parts);
  const said = word.trim();
  const texts = told.map(({ text }) => text);
  // Agents that repeat everything join it in their own way.
  const isRepeated = [joinTexts(told), texts.join('')].some((whole) => whole.trimEnd().endsWith(said));
  return isRepeated || texts.some((text) => text.trim() === said) ? '' : word;
}

/** Pieces of one text are joined as they are: an agent that streams words sends its own blanks. */
export function textOf(parts: readonly Part[]): string {
  let text = '';
  for (const part of parts) text += part.text ?? '';
  return text;
}

const FINISH_REASONS: Readonly<Record<TaskState, FinishReason>> = {
  TASK_STATE_UNSPECIFIED: 'working',
  TASK_STATE_SUBMITTED: 'working',
  TASK_STATE_WORKING: 'working',
  TASK_STATE_COMPLETED: 'completed',
  TASK_STATE_FAILED: 'failed',
  TASK_STATE_CANCELED: 'canceled',
  TASK_STATE_INPUT_REQUIRED: 'input_required',
  TASK_STATE_REJECTED: 'rejected',
  TASK_STATE_AUTH_REQUIRED: 'auth_required',
};

/** Some servers write an empty id for none. */
function idOf(id: string | undefined): string | undefined {
  return id === '' ? undefined : id;
}
