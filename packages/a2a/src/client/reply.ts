/** Builds the Reply of a send or a run. Pure. */
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
 * Returns the answer of a task: the text of its artifacts, and its final status message unless that repeats them. Other status messages are
 * progress or questions, not part of the answer. `messages` are those that the agent sent beside the task.
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

/** Returns the text that a COMPLETED status adds, or '' if it only repeats earlier text, as many agents do. */
export function lastWord({ state, message }: TaskStatus, told: readonly TextPiece[]): string {
  if (state !== 'TASK_STATE_COMPLETED' || message === undefined) return '';
  const word = textOf(message.parts);
  const said = word.trim();
  const texts = told.map(({ text }) => text);
  // Agents that repeat the whole answer join its pieces in different ways.
  const isRepeated = [joinTexts(told), texts.join('')].some((whole) => whole.trimEnd().endsWith(said));
  return isRepeated || texts.some((text) => text.trim() === said) ? '' : word;
}

/** Joins without a separator: an agent that streams words sends its own white space. */
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

/** Some servers send an empty id instead of none. */
function idOf(id: string | undefined): string | undefined {
  return id === '' ? undefined : id;
}
