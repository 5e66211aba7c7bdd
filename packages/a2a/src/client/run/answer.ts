/** What of a task is its answer: the text of its artifacts, what the agent said beside them, and its last word. Questions are not. */
import type { Message, Part, Task, TaskStatus } from '../../protocol/types.js';

const NO_PROMPT = 'Please provide input:';

export function textOfParts(parts: readonly Part[]): string {
  let text = '';
  for (const part of parts) text += part.text ?? '';
  return text;
}

/** What the agent asks, in words. */
export function promptOf(status: TaskStatus): string {
  const prompt = textOfParts(status.message?.parts ?? []);
  return prompt === '' ? NO_PROMPT : prompt;
}

/** The answer of a task. `messages` are those that the agent sent beside it, as messages of their own. */
export function collectText(task: Task, messages: readonly Message[] = []): string {
  const texts = (task.artifacts ?? []).map(({ parts }) => textOfParts(parts));
  const text = texts.join('') + messages.map(({ parts }) => textOfParts(parts)).join('');
  return text + lastWord(task.status, text, texts);
}

/** What a COMPLETED status adds to the answer: nothing when it only says again what was told, as many agents do. */
export function lastWord(status: TaskStatus, answer: string, pieces: Iterable<string>): string {
  if (status.state !== 'TASK_STATE_COMPLETED' || status.message === undefined) return '';
  const word = textOfParts(status.message.parts);
  const said = word.trim();
  if (said === '' || answer.trimEnd().endsWith(said)) return '';
  for (const piece of pieces) if (piece.trim() === said) return '';
  return word;
}
