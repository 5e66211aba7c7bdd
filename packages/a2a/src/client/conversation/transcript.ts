/**
 * The conversation that results from its events. The same events give the same conversation in the leader tab, in its followers, and after
 * a reload.
 */
import type { Message } from '../../protocol/types.js';
import { textOfParts } from '../answer-text.js';
import type { CopyOptions } from '../run/task-copy.js';
import { Answer, type AnswerParts, fromMessage } from './answer.js';
import type { Connection, ConversationEvent, ExportedConversation, TurnRequest } from './conversation.js';
import type { AgentMessage, ConversationMessage, UserMessage } from './message.js';
import { MessageTree, plantTree } from './message-tree.js';

interface Entry {
  readonly createdAt: string;
  /** Set for a user message. */
  user: UserMessage | undefined;
  readonly answer: Answer | undefined;
  /** The message that was sent for this answer; undefined once the agent has responded. */
  sends: Message | undefined;
  /** The settings of the request for this answer, besides its message. */
  request: TurnRequest;
  /** The message as readers see it; undefined after a change until the next read. */
  view: ConversationMessage | undefined;
}

const NOTHING: TurnRequest = Object.freeze({});
const IDLE: Connection = Object.freeze({ state: 'idle' });

export class Transcript {
  readonly #options: CopyOptions;
  #tree = new MessageTree();
  #entries = new Map<string, Entry>();
  #contextId: string | undefined;
  #connection = IDLE;
  #running = new Set<string>();
  #isCleared = false;
  #messages: readonly ConversationMessage[] = Object.freeze([]);

  constructor(contextId: string | undefined, options: CopyOptions = {}) {
    this.#contextId = contextId;
    this.#options = options;
  }

  get tree(): Pick<MessageTree, 'headId' | 'has' | 'ids' | 'parentOf' | 'childrenOf' | 'pathTo' | 'newestEnd'> {
    return this.#tree;
  }

  get contextId(): string | undefined {
    return this.#contextId;
  }

  get connection(): Connection {
    return this.#connection;
  }

  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  /** The ids of the answers in progress. */
  get running(): ReadonlySet<string> {
    return this.#running;
  }

  /** true: the messages were replaced from outside, so the last task no longer belongs to what is shown. */
  get isCleared(): boolean {
    return this.#isCleared;
  }

  /** The visible branch. The list keeps its identity until something in it changes. */
  get messages(): readonly ConversationMessage[] {
    const messages = this.#tree.pathTo().flatMap((id) => this.message(id) ?? []);
    if (!isSameList(messages, this.#messages)) this.#messages = Object.freeze(messages);
    return this.#messages;
  }

  message(id: string): ConversationMessage | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    const siblings = this.#tree.siblingsOf(id);
    if (entry.view !== undefined && !isSameList(entry.view.siblings, siblings)) entry.view = undefined;
    entry.view ??= toView(entry, { id, parentId: this.#tree.parentOf(id) ?? null, siblings, createdAt: entry.createdAt });
    return entry.view;
  }

  answer(id: string): Answer | undefined {
    return this.#entries.get(id)?.answer;
  }

  user(id: string): UserMessage | undefined {
    return this.#entries.get(id)?.user;
  }

  /** The message that was sent for an answer; undefined once the agent has responded. */
  sends(id: string): Message | undefined {
    return this.#entries.get(id)?.sends;
  }

  /** The settings of the request for an answer, besides its message. */
  request(id: string): TurnRequest {
    return this.#entries.get(id)?.request ?? NOTHING;
  }

  export(): ExportedConversation {
    const messages = [...this.#tree.ids].flatMap((id) => {
      const message = this.message(id);
      return message === undefined ? [] : [{ parentId: message.parentId, message }];
    });
    return { headId: this.#tree.headId, messages };
  }

  apply(event: ConversationEvent): void {
    switch (event.kind) {
      case 'put':
        this.#put(event);
        break;
      case 'update':
        this.#update(event);
        break;
      case 'status':
        this.#status(event);
        break;
      case 'delivery':
        this.#delivery(event);
        break;
      case 'connection':
        this.#connection = event.connection;
        break;
      case 'context':
        this.#contextId = event.contextId;
        break;
      case 'head':
        this.#isCleared = false;
        this.#tree.show(event.headId);
        break;
      case 'reset':
        this.#contextId = event.contextId;
        this.#reset(event.exported);
        break;
    }
  }

  /** Replaces all messages. A message object that is already here keeps its entry. */
  #reset({ messages, headId }: ExportedConversation): void {
    const known = this.#entries;
    this.#entries = new Map();
    for (const { message } of messages) {
      const entry = known.get(message.id);
      this.#entries.set(message.id, entry?.view === message ? entry : this.#toEntry(message, entry?.request));
    }
    this.#plant(
      messages.map(({ parentId, message }) => ({ id: message.id, parentId })),
      headId,
    );
    this.#isCleared = true;
  }

  /** Replaces all messages with the saved ones. */
  restore({ nodes, headId, contextId }: { nodes: readonly RestoredNode[]; headId: string | null; contextId?: string }): void {
    this.#contextId = contextId;
    this.#entries = new Map();
    for (const node of nodes) {
      const { id, createdAt, sends } = node;
      const user = node.user && toUser(node, node.user);
      const answer = node.answer && new Answer(node.answer, this.#options);
      this.#entries.set(id, { createdAt, user, answer, sends, request: requestOf(node), view: undefined });
    }
    this.#plant(nodes, headId);
    this.#isCleared = false;
  }

  #plant(nodes: readonly { readonly id: string; readonly parentId: string | null }[], headId: string | null | undefined): void {
    this.#tree = plantTree(nodes, headId);
    this.#running = new Set([...this.#entries].flatMap(([id, { answer }]) => (answer?.status.type === 'running' ? [id] : [])));
    // Link only answers of a task that was seen before. A search up to the root for every answer would take quadratic time.
    const tasks = new Set<string>();
    for (const id of this.#tree.ids) {
      const taskId = this.#entries.get(id)?.answer?.taskId;
      if (taskId === undefined) continue;
      if (tasks.has(taskId)) this.#linkBack(id);
      tasks.add(taskId);
    }
  }

  #put(event: Extract<ConversationEvent, { kind: 'put' }>): void {
    const { message, show, sends } = event;
    const { id, parentId } = message;
    const entry = this.#toEntry(message, requestOf(event));
    entry.sends = sends;
    this.#entries.set(id, entry);
    this.#tree.put({ id, parentId });
    this.#noteRunning(id, entry);
    this.#linkBack(id);
    if (show) this.#tree.show(id);
    if (entry.answer !== undefined) this.#isCleared = false;
  }

  #update({ messageId, update }: Extract<ConversationEvent, { kind: 'update' }>): void {
    const entry = this.#entries.get(messageId);
    if (entry?.answer === undefined) return;
    entry.view = undefined;
    entry.sends = undefined;
    const { taskId } = entry.answer;
    // Link the earlier answer before the update is applied: it determines which content of the update is new.
    if (update.kind === 'task' && update.task.id !== taskId) this.#linkBack(messageId, update.task.id);
    entry.answer.apply(update);
  }

  #status({ messageId, status }: Extract<ConversationEvent, { kind: 'status' }>): void {
    const entry = this.#entries.get(messageId);
    if (entry?.answer === undefined) return;
    entry.view = undefined;
    entry.answer.plainStatus = status;
    this.#noteRunning(messageId, entry);
  }

  #delivery({ messageId, delivery }: Extract<ConversationEvent, { kind: 'delivery' }>): void {
    const entry = this.#entries.get(messageId);
    if (entry?.user === undefined) return;
    entry.view = undefined;
    entry.user = { ...entry.user, delivery };
  }

  #noteRunning(id: string, { answer }: Entry): void {
    if (answer?.status.type === 'running') this.#running.add(id);
    else this.#running.delete(id);
  }

  #toEntry(message: ConversationMessage, request = NOTHING): Entry {
    const { createdAt } = message;
    if (message.role === 'ROLE_USER') {
      return { createdAt, user: message, answer: undefined, sends: undefined, request: NOTHING, view: undefined };
    }
    return { createdAt, user: undefined, answer: fromMessage(message, this.#options), sends: undefined, request, view: undefined };
  }

  /** Links an answer to the previous answer of the same task. */
  #linkBack(id: string, taskId = this.#entries.get(id)?.answer?.taskId): void {
    const answer = this.#entries.get(id)?.answer;
    if (answer === undefined || taskId === undefined) return;
    for (let at = this.#tree.parentOf(id) ?? null; at !== null; at = this.#tree.parentOf(at) ?? null) {
      const before = this.#entries.get(at)?.answer;
      if (before?.taskId !== taskId) continue;
      answer.goesOnFrom(before);
      return;
    }
  }
}

/** A saved message. */
export interface RestoredNode extends TurnRequest {
  readonly id: string;
  readonly parentId: string | null;
  readonly createdAt: string;
  /** `parts` is set if it differs from the parts of the message. */
  readonly user?: Pick<UserMessage, 'message' | 'delivery'> & Partial<Pick<UserMessage, 'parts'>>;
  readonly answer?: AnswerParts;
  readonly sends?: Message;
}

function requestOf({ configuration, metadata }: TurnRequest): TurnRequest {
  return { ...(configuration !== undefined && { configuration }), ...(metadata !== undefined && { metadata }) };
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one === other || (one.length === other.length && one.every((item, at) => item === other[at]));
}

function toUser({ id, parentId, createdAt }: RestoredNode, user: NonNullable<RestoredNode['user']>): UserMessage {
  const parts = user.parts ?? user.message.parts;
  return { ...user, parts, text: textOfParts(parts), id, parentId, createdAt, siblings: [], role: 'ROLE_USER' };
}

function toView(
  { user, answer }: Entry,
  place: Pick<AgentMessage, 'id' | 'parentId' | 'siblings' | 'createdAt'>,
): ConversationMessage | undefined {
  if (answer !== undefined) return answer.view(place);
  return user && Object.freeze({ ...user, ...place });
}
