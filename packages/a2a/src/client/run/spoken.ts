/** What the agent says beside the artifacts: each message once, and the text that belongs to the answer. */
import type { Message, Task } from '../../protocol/types.js';
import { seamOf } from '../answer-text.js';
import { lastWord, piecesOf, textOf } from '../reply.js';
import type { TaskCopy } from './task-copy.js';

export class Spoken {
  readonly #messages: Message[] = [];
  readonly #heardIds = new Set<string>();
  #text = '';

  /** Messages of their own, in their order. */
  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** The text of those messages, and the last word. */
  get text(): string {
    return this.#text;
  }

  hasHeard({ messageId }: Message): boolean {
    return messageId !== '' && this.#heardIds.has(messageId);
  }

  /** false: it was heard before. Messages without an id are always new. */
  hear({ messageId }: Message): boolean {
    if (this.#heardIds.has(messageId)) return false;
    if (messageId !== '') this.#heardIds.add(messageId);
    return true;
  }

  /** Makes a message part of the answer, and gives its text. */
  add(message: Message): string {
    const text = textOf(message.parts);
    this.#messages.push(message);
    this.#say(text);
    return text;
  }

  /** Hears all that a snapshot holds, and gives what the agent said in it by itself: neither with the present status nor heard before. */
  hearAll({ history = [], status }: Task): Message[] {
    // Some peers keep the message of the present status in the history as well: it is told with the status, behind the artifacts.
    if (status.message !== undefined) this.hear(status.message);
    const unheard = history.filter((message) => this.hear(message) && message.role === 'ROLE_AGENT' && message.messageId !== '');
    return unheard;
  }

  /** Makes the last word of a task that is over part of the answer, and gives it. */
  addLastWord(copy: TaskCopy): string {
    if (!copy.isFinal) return '';
    const word = lastWord(copy.status, piecesOf(copy.artifacts, this.#messages));
    this.#say(word);
    return word;
  }

  #say(text: string): void {
    this.#text += seamOf(this.#text, text) + text;
  }
}
