/** One conversation of `useA2ARuntime`, with what belongs to it. */
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
  /** The option, not what the agent gave. */
  readonly contextId: string | undefined;
  readonly latest: LatestOptions;
}

/** A conversation that goes on with the messages of the one before it, and with its context unless another one is asked for. */
export class Slot implements ShownConversation {
  readonly conversation: Conversation;
  readonly view: MessageView;
  isMounted = false;
  readonly #parts: SlotParts;
  readonly #errors = new WeakMap<object, unknown>();
  #isClosed = false;
  /** An adapter was asked for its messages, or need not be. */
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

  /** Streams end, tasks go on: unless the component came back in the meantime. */
  leave(): void {
    if (this.isMounted || this.#isClosed) return;
    this.#isClosed = true;
    this.conversation.close();
  }

  /** An adapter that comes when the conversation has been loaded is read as long as nobody has said anything. */
  async readLateHistory(onLoading: (isLoading: boolean) => void): Promise<void> {
    await this.conversation.load().catch(ignore); // `onError` was told
    if (!this.#isEmpty() || !this.#mayReadHistory()) return;
    onLoading(true);
    try {
      const loaded = fromRepository(await this.#given.adapters?.history?.load(), this.view);
      // Whoever began to talk in the meantime is not interrupted.
      if (this.#isEmpty()) this.conversation.import(loaded);
    } catch (error) {
      this.#report(error);
    } finally {
      onLoading(false);
    }
  }

  /** The drop-in's error for one of Parley's: always the same one, so that it is known again. */
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

  /** Once per conversation, however often it is asked. */
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
      // The first look is for the beginning; later ones are for new threads, which begin with the option.
      get contextId() {
        const given = first ?? contextId;
        first = undefined;
        return given;
      },
      get configuration() {
        return latest.current.configuration as SendMessageConfiguration | undefined; // the same shape, which may be written to
      },
      // The package that this one replaces shows every part as it was received.
      run: { keepParts: true },
      history: historyOf({ adapter: () => this.#given.adapters?.history, mayLoad: () => this.#mayReadHistory(), view: this.view }),
      onError: (error) => this.#given.onError?.(this.#toError(error) as Error), // Parley's errors become the drop-in's
      onCancel: () => this.#given.onCancel?.(),
      onArtifactComplete: (artifact) => this.#given.onArtifactComplete?.(toA2AArtifact(artifact)),
    };
  }

  #report(error: unknown): void {
    try {
      this.#given.onError?.(this.#toError(toA2AError(error)) as Error); // as above
    } catch {
      // Nobody is left to be told.
    }
  }
}

function ignore(): void {}
