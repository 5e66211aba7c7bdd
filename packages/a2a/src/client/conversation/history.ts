/** Writes messages to the history adapter: in order, one at a time. After a failure the message is retried with the next write. */
import { A2AError, isA2AError } from '../../protocol/errors.js';
import type { ConversationEvent } from './conversation.js';
import type { ConversationMessage } from './message.js';
import type { HistoryAdapter } from './options.js';

export interface HistoryParts {
  readonly history: HistoryAdapter;
  message(id: string): ConversationMessage | undefined;
  onError(error: A2AError): void;
}

export class HistoryWriter {
  readonly #parts: HistoryParts;
  /** Messages to write, oldest first, with the newest version of each. */
  readonly #left = new Map<string, ConversationMessage>();
  #isWriting = false;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  /** A user message is written when it is added; an answer when it ends or waits for the caller. */
  note(event: ConversationEvent): void {
    if (event.kind === 'put') this.#add(event.message.id);
    if (event.kind === 'status') this.#add(event.messageId);
  }

  #add(id: string): void {
    const message = this.#parts.message(id);
    if (message === undefined || (message.role === 'ROLE_AGENT' && message.status.type === 'running')) return;
    this.#left.set(id, message);
    if (!this.#isWriting) void this.#write();
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    for (let [next] = this.#left; next !== undefined; [next] = this.#left) {
      const [id, message] = next;
      if (!(await this.#append(message))) break;
      // A message that changed during the write is written again.
      if (this.#left.get(id) === message) this.#left.delete(id);
    }
    this.#isWriting = false;
  }

  async #append(message: ConversationMessage): Promise<boolean> {
    const { history, onError } = this.#parts;
    try {
      await history.append({ parentId: message.parentId, message });
      return true;
    } catch (thrown) {
      onError(historyError('A message could not be added to the history', thrown));
      return false;
    }
  }
}

export function historyError(message: string, thrown: unknown): A2AError {
  return isA2AError(thrown) ? thrown : new A2AError('INTERNAL_ERROR', message, { cause: thrown });
}

/**
 * Converts a loaded message to its final state. A history receives a user message before it is sent, so `sending` counts as sent; an answer
 * that was still running counts as canceled.
 */
export function asItWas(message: ConversationMessage): ConversationMessage {
  if (message.role === 'ROLE_AGENT')
    return message.status.type === 'running' ? { ...message, status: { type: 'incomplete', reason: 'cancelled' } } : message;
  return message.delivery === 'sending' ? { ...message, delivery: 'sent' } : message;
}
