/** The messages of the agent beside its artifacts: each one once, and the text that belongs to the answer. */
import type { Message, Task } from '../../protocol/types.js';
import { seamOf } from '../answer-text.js';
import { lastWord, piecesOf, textOf } from '../reply.js';
import type { TaskCopy } from './task-copy.js';

export class Spoken {
  readonly #messages: Message[] = [];
  readonly #heardIds = new Set<string>();
  #text = '';

  /** Messages that are not part of a status, in order. */
  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** The text of those messages, and the final message. */
  get text(): string {
    return this.#text;
  }

  hasHeard({ messageId }: Message): boolean {
    return messageId !== '' && this.#heardIds.has(messageId);
  }

  /** Returns false if the message was seen before. Messages without an id are always new. */
  hear({ messageId }: Message): boolean {
    if (this.#heardIds.has(messageId)) return false;
    if (messageId !== '') this.#heardIds.add(messageId);
    return true;
  }

  /** Adds a message to the answer and returns its text. */
  add(message: Message): string {
    const text = textOf(message.parts);
    this.#messages.push(message);
    this.#say(text);
    return text;
  }

  /** Records all messages of a snapshot. Returns those of the agent that are new and not part of the current status. */
  hearAll({ history = [], status }: Task): Message[] {
    // Some peers also store the message of the current status in the history. It is delivered with the status, after the artifacts.
    if (status.message !== undefined) this.hear(status.message);
    const unheard = history.filter((message) => this.hear(message) && message.role === 'ROLE_AGENT' && message.messageId !== '');
    return unheard;
  }

  /** Adds the final message of an ended task to the answer and returns its text. */
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
