/** One conversation of `useA2ARuntime`, with its view and options. */
import type { Conversation } from '../client/conversation/conversation.js';
import { createConversation } from '../client/conversation/create-conversation.js';
import type { ConversationOptions } from '../client/conversation/options.js';
import { toA2AError } from '../protocol/errors.js';
import type { SendMessageConfiguration } from '../protocol/types.js';
import { toThrown } from './a2a-error.js';
import type { A2AClient } from './client.js';
import type { UseA2ARuntimeOptions } from './options.js';
import { fromRepository, historyOf } from './runtime-history.js';
import { MessageView, type ShownConversation } from './runtime-messages.js';
import { toA2AArtifact } from './translate.js';

/** The options of the last render. */
export type LatestOptions = { readonly current: UseA2ARuntimeOptions };

export interface SlotParts {
  readonly client: A2AClient;
  /** The `contextId` option, not the context id of the agent. */
  readonly contextId: string | undefined;
  readonly latest: LatestOptions;
}

/** A conversation that continues with the messages of the previous slot, and with its context if the `contextId` option is the same. */
export class Slot implements ShownConversation {
  readonly conversation: Conversation;
  readonly view: MessageView;
  isMounted = false;
  readonly #parts: SlotParts;
  readonly #errors = new WeakMap<object, unknown>();
  #isClosed = false;
  /** The history adapter was read, or need not be read. */
  #isHistoryRead = false;

  constructor(parts: SlotParts, before: Slot | undefined) {
    this.#parts = parts;
    this.view = before?.view ?? new MessageView();
    const isSameContext = before !== undefined && before.#parts.contextId === parts.contextId;
    this.conversation = createConversation(
      parts.client.parley,
      this.#options(isSameContext ? before?.conversation.state.contextId : undefined),
    );
    const exported = before?.conversation.export();
    if (exported === undefined || exported.messages.length === 0) return;
    this.#isHistoryRead = true;
    this.conversation.import(exported);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  readonly failed = (error: unknown): never => {
    throw this.#toError(error);
  };

  /** Closes the conversation unless the component was mounted again: streams end, tasks continue. */
  leave(): void {
    if (this.isMounted || this.#isClosed) return;
    this.#isClosed = true;
    this.conversation.close();
  }

  /** Reads an adapter that was added after the conversation was loaded, as long as there are no messages. */
  async readLateHistory(onLoading: (isLoading: boolean) => void): Promise<void> {
    await this.conversation.load().catch(ignore); // `onError` already has the error
    if (!this.#isEmpty() || !this.#mayReadHistory()) return;
    onLoading(true);
    try {
      const loaded = fromRepository(await this.#given.adapters?.history?.load(), this.view);
      // Messages that were sent during the load must not be replaced.
      if (this.#isEmpty()) this.conversation.import(loaded);
    } catch (error) {
      this.#report(error);
    } finally {
      onLoading(false);
    }
  }

  /** Converts Parley's error. The same error always gives the same object, so that callers can compare it. */
  #toError(error: unknown): unknown {
    if (typeof error !== 'object' || error === null) return error;
    const known = this.#errors.get(error) ?? toThrown(error);
    this.#errors.set(error, known);
    return known;
  }

  get #given(): UseA2ARuntimeOptions {
    return this.#parts.latest.current;
  }

  #isEmpty(): boolean {
    return !this.#isClosed && this.conversation.state.messages.length === 0;
  }

  /** true at most once per conversation. */
  #mayReadHistory(): boolean {
    if (this.#isHistoryRead || this.#given.adapters?.history === undefined) return false;
    this.#isHistoryRead = true;
    return true;
  }

  #options(carried: string | undefined): ConversationOptions {
    const { contextId } = this.#parts;
    const { latest } = this.#parts;
    let first = carried;
    return {
      // The first read is the context to start in. Later reads are the context after `clear()`, which is the option.
      get contextId() {
        const given = first ?? contextId;
        first = undefined;
        return given;
      },
      get configuration() {
        return latest.current.configuration as SendMessageConfiguration | undefined; // the same shape apart from `readonly`
      },
      // react-a2a shows every part as it was received.
      run: { keepParts: true },
      history: historyOf({ adapter: () => this.#given.adapters?.history, mayLoad: () => this.#mayReadHistory(), view: this.view }),
      onError: (error) => this.#given.onError?.(this.#toError(error) as Error), // converted errors are Error objects
      onCancel: () => this.#given.onCancel?.(),
      onArtifactComplete: (artifact) => this.#given.onArtifactComplete?.(toA2AArtifact(artifact)),
    };
  }

  #report(error: unknown): void {
    try {
      this.#given.onError?.(this.#toError(toA2AError(error)) as Error); // as above
    } catch {
      // No handler is left for this error.
    }
  }
}

function ignore(): void {}
