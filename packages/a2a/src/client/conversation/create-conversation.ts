/** `createConversation()`: the public object of a conversation. */
import { checkOptions } from '../../platform/check-options.js';
import { randomIds } from '../../platform/random-ids.js';
import { systemClock } from '../../platform/system-clock.js';
import { A2AError, toA2AError } from '../../protocol/errors.js';
import { toIsoTime } from '../../protocol/iso-time.js';
import type { AgentCard } from '../../protocol/types.js';
import type { Client } from '../client.js';
import { metadataOf, toMessage } from '../message.js';
import { checkNumber } from '../resilience/check-number.js';
import { checkInput } from '../run/check-input.js';
import type { Input } from '../run/run-options.js';
import { type Callbacks, createCallbacks, unheard } from './callbacks.js';
import type { Command } from './commands.js';
import type { Conversation, ConversationEvent, ConversationState, ExportedConversation, TurnOptions } from './conversation.js';
import { Frames } from './frames.js';
import { Leader } from './leader.js';
import { Membership } from './membership.js';
import type { AgentMessage, ConversationMessage } from './message.js';
import { CONVERSATION_RULES } from './option-rules.js';
import type { ConversationOptions } from './options.js';
import { readExported, readMessage } from './read-message.js';
import { Recorder } from './recorder.js';
import { toState } from './state.js';
import { Transcript } from './transcript.js';
import { Turns } from './turns.js';

const FRAME_MS = 16;

/**
 * Creates a conversation with the client's agent. Throws for invalid options. Nothing is fetched or sent before the first load or command.
 *
 * @example
 * ```ts
 * import { createClient } from '@parley/a2a/client';
 * import { createConversation, indexedDb } from '@parley/a2a/conversation';
 *
 * const client = createClient('https://agent.example');
 * const conversation = createConversation(client, { id: 'main', storage: indexedDb() });
 * conversation.subscribe(() => console.log(conversation.state.messages.at(-1)?.text));
 * await conversation.send('Plan a weekend in Lisbon');
 * ```
 */
export function createConversation(client: Client, options: ConversationOptions = {}): Conversation {
  checkOptions('createConversation', options, CONVERSATION_RULES);
  checkValues(options);
  return new OpenConversation(client, options);
}

function checkValues({ frameMs, storage, history }: ConversationOptions): void {
  if (frameMs !== undefined) checkNumber('frameMs', frameMs);
  if (storage !== undefined && history !== undefined) {
    throw new A2AError('INVALID_PARAMS', 'storage and history are both set: pass only one of them');
  }
}

class OpenConversation implements Conversation {
  readonly #client: Client;
  readonly #id: string;
  readonly #newId: () => string;
  readonly #callbacks: Callbacks;
  readonly #transcript: Transcript;
  readonly #recorder: Recorder;
  readonly #frames: Frames;
  readonly #turns: Turns;
  readonly #membership: Membership;
  readonly #listeners = new Set<() => void>();
  readonly #eventListeners = new Set<(event: ConversationEvent) => void>();
  #state: ConversationState;
  #card: AgentCard | undefined;
  #loading: Promise<void> | undefined;
  #isClosed = false;

  constructor(client: Client, options: ConversationOptions) {
    const { clock = systemClock, newId = randomIds.messageId, frameMs = FRAME_MS } = options;
    this.#client = client;
    this.#newId = newId;
    this.#id = options.id ?? newId();
    this.#callbacks = createCallbacks(options);
    this.#transcript = new Transcript(options.contextId, { keepParts: options.run?.keepParts });
    this.#frames = new Frames({ clock, frameMs, publish: () => this.#publish() });
    this.#recorder = new Recorder({
      clock,
      transcript: this.#transcript,
      onEvent: (event) => this.#happened(event),
      onChange: (when) => {
        this.#membership.keep();
        if (when === 'soon') this.#frames.soon();
        else this.#frames.now();
      },
    });
    const shared = { clock, options, transcript: this.#transcript, recorder: this.#recorder, callbacks: this.#callbacks };
    this.#turns = new Turns({ ...shared, client, peer: () => this.#card?.name ?? client.url });
    this.#membership = new Membership({
      ...shared,
      id: this.#id,
      turns: this.#turns,
      leader: new Leader({ ...shared, contextId: options.contextId, turns: this.#turns }),
      onChange: () => this.#frames.now(),
      onRestore: () => this.#restored(toIsoTime(clock.now())),
    });
    this.#state = this.#makeState(undefined);
  }

  get state(): ConversationState {
    return this.#state;
  }

  subscribe(listener: () => void): () => void {
    // A wrapper per call: a listener that is passed twice is called twice, and each unsubscribe removes one.
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  onEvent(listener: (event: ConversationEvent) => void): () => void {
    const own = (event: ConversationEvent): void => listener(event);
    this.#eventListeners.add(own);
    return () => {
      this.#eventListeners.delete(own);
    };
  }

  load(): Promise<void> {
    if (this.#loading === undefined) {
      this.#loading = this.#load();
      if (!this.#membership.isReady) this.#frames.now();
    }
    return this.#loading;
  }

  send(input: Input, options: TurnOptions = {}): Promise<AgentMessage | undefined> {
    return this.#answerTo(() => this.#toSend(input, options));
  }

  edit(messageId: string, input: Input, options: Omit<TurnOptions, 'parentId'> = {}): Promise<AgentMessage | undefined> {
    return this.#answerTo(() => {
      const parentId = this.#transcript.tree.parentOf(messageId);
      if (parentId === undefined) throw new A2AError('INVALID_PARAMS', `There is no message ${messageId} to edit`);
      return this.#toSend(input, { ...options, parentId });
    });
  }

  reload(messageId: string | null): Promise<AgentMessage | undefined> {
    if (messageId === null) return Promise.resolve(undefined);
    return this.#answerTo(() => ({ do: 'reload', answerId: this.#newId(), sendAs: this.#newId(), messageId }));
  }

  async cancel(): Promise<void> {
    await this.#do(() => ({ do: 'cancel' }));
  }

  switchTo(messageId: string): void {
    this.#tell({ do: 'switch', messageId });
  }

  settle(messageId: string, choice: 'resend' | 'discard'): Promise<AgentMessage | undefined> {
    return this.#answerTo(() => ({ do: 'settle', answerId: this.#newId(), messageId, choice }));
  }

  setMessages(messages: readonly ConversationMessage[]): void {
    const read = messages.map(readMessage);
    this.#tell({ do: 'set', messages: read });
  }

  export(): ExportedConversation {
    return this.#transcript.export();
  }

  import(exported: ExportedConversation): void {
    this.#tell({ do: 'import', exported: readExported(exported) });
  }

  clear(): void {
    this.#tell({ do: 'clear' });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#turns.leave();
    this.#membership.close();
    this.#frames.close();
    this.#listeners.clear();
    this.#eventListeners.clear();
  }

  #toSend(input: Input, options: TurnOptions): Command {
    checkInput(input, 'the message');
    const { parentId, configuration, metadata, referenceTaskIds, messageMetadata = metadataOf(input), answers } = options;
    const given = toMessage(input, this.#newId, { referenceTaskIds, messageMetadata });
    const message = this.#transcript.tree.has(given.messageId) ? { ...given, messageId: this.#newId() } : given;
    const { startRun = message.role !== 'ROLE_AGENT' } = options;
    return {
      do: 'send',
      answerId: this.#newId(),
      message,
      startRun,
      ...(parentId !== undefined && { parentId }),
      ...(configuration !== undefined && { configuration }),
      ...(metadata !== undefined && { metadata }),
      ...(answers !== undefined && { answers }),
    };
  }

  /** Callers need not await the promise: the error is also on the message and goes to onError. */
  #answerTo(command: () => Command): Promise<AgentMessage | undefined> {
    return unheard(
      this.#do(command).then((answerId) => {
        const message = answerId === undefined ? undefined : this.#transcript.message(answerId);
        return message?.role === 'ROLE_AGENT' ? message : undefined;
      }),
    );
  }

  #tell(command: Command): void {
    this.#do(() => command).catch((thrown: unknown) => this.#callbacks.error(toA2AError(thrown)));
  }

  /** Synchronous when nothing has to be loaded, so that the message is in the state when the call returns. */
  async #do(command: () => Command): Promise<string | undefined> {
    if (this.#isClosed) throw closed();
    void this.load();
    if (!this.#membership.isReady) {
      await this.#membership.join();
      if (this.#isClosed) throw closed();
    }
    return this.#membership.do(command());
  }

  async #load(): Promise<void> {
    await Promise.all([this.#loadCard(), this.#membership.load()]);
  }

  async #loadCard(): Promise<void> {
    try {
      this.#card = await this.#client.card();
      if (!this.#isClosed) this.#frames.now();
    } catch {
      // A missing card alone is not reported: a call of the agent reports the same error.
    }
  }

  #happened(event: ConversationEvent): void {
    this.#membership.happened(event);
    this.#tellListeners(event);
  }

  /** Loaded data is not new, so it is not sent to other tabs and not saved. Listeners that build a state from events still need it. */
  #restored(at: string): void {
    if (this.#eventListeners.size === 0) return;
    const { contextId } = this.#transcript;
    this.#tellListeners({ kind: 'reset', exported: this.#transcript.export(), contextId, at });
  }

  #tellListeners(event: ConversationEvent): void {
    for (const listener of [...this.#eventListeners]) this.#callbacks.listener(() => listener(event));
  }

  #publish(): void {
    this.#state = this.#makeState(this.#state);
    for (const listener of [...this.#listeners]) this.#callbacks.listener(listener);
  }

  #makeState(before: ConversationState | undefined): ConversationState {
    const { isLoaded, isLeader } = this.#membership;
    const isLoading = this.#loading !== undefined && !isLoaded;
    return toState(this.#transcript, { id: this.#id, isLoading, card: this.#card, isLeader }, before);
  }
}

function closed(): A2AError {
  return new A2AError('INVALID_REQUEST', 'The conversation was closed');
}
