/** The state that the legs of one run share: the agent, the copy of the task, and which questions were handled. */
import { A2AError, isA2AError, isTransportError, toA2AError } from '../../protocol/errors.js';
import { isTerminal } from '../../protocol/task-state.js';
import type { Message, StreamResponse, TaskStatus } from '../../protocol/types.js';
import type { Peer, StreamedEvent } from '../call.js';
import type { CallOptions } from '../call-options.js';
import type { Calling } from '../calling.js';
import { learnContext } from '../contexts.js';
import { delegationMetadata } from '../delegation.js';
import { metadataOf, toMessage } from '../message.js';
import type { ToolSession } from '../tools/tool-session.js';
import type { Asking } from './asking.js';
import { isSameStatus } from './difference.js';
import type { Follower } from './follower.js';
import type { Life } from './life.js';
import type { RunPlan } from './plan.js';
import type { Repeats } from './repeat.js';
import type { Input } from './run-options.js';
import type { Update } from './update.js';

export interface RunParts {
  readonly calling: Calling;
  readonly peer: Peer;
  readonly plan: RunPlan;
  readonly follower: Follower;
  readonly life: Life;
  readonly session: ToolSession | undefined;
  onNews(follower: Follower): void;
}

export class RunContext {
  readonly calling: Calling;
  readonly peer: Peer;
  readonly plan: RunPlan;
  /** The copy of the current task. */
  follower: Follower;
  /** Set for a run that starts a task, if failed calls are repeated. */
  repeats: Repeats | undefined;
  readonly life: Life;
  readonly session: ToolSession | undefined;
  /** Whether legs stream. Becomes false when the agent refuses a stream. */
  streams: boolean;
  /** True after an event of the run arrived over a stream. */
  hasStreamed = false;
  /** True after the agent accepted a call of this run. Later calls then bypass an open circuit. */
  wasReached = false;
  /** The last question that was asked while the run keeps reading. */
  asking: Asking | undefined;
  readonly #onNews: RunParts['onNews'];
  #answered: TaskStatus | undefined;
  #toldContext: string | undefined;

  constructor(parts: RunParts) {
    const { calling, peer, plan } = parts;
    this.calling = calling;
    this.peer = peer;
    this.plan = plan;
    this.follower = parts.follower;
    this.life = parts.life;
    this.session = parts.session;
    this.#onNews = parts.onNews;
    const { mode } = plan;
    const isOffered = peer.card?.capabilities.streaming === true || calling.settings.assumeStreaming;
    this.streams = mode === 'stream' || (mode === 'auto' && isOffered);
  }

  /** The options of every call of the run. Extensions are activated per request, so each request asks for them. */
  get call(): CallOptions {
    return { ...this.plan.call, extensions: this.extensions, signal: this.life.signal };
  }

  get extensions(): readonly string[] {
    return [...(this.plan.call.extensions ?? []), ...(this.session === undefined ? [] : [this.session.extension])];
  }

  /** Switches the run to another task. */
  goTo(follower: Follower): void {
    this.follower = follower;
    this.#onNews(follower);
  }

  /** Creates a further message on the task of the run. */
  reply(input: Input): Message {
    const { taskId, contextId } = this.follower;
    const messageMetadata = delegationMetadata(this.plan.scope, metadataOf(input));
    return this.complete(toMessage(input, this.calling.settings.newId, { taskId, contextId, messageMetadata }));
  }

  /** Adds what every message of the run carries. */
  complete(message: Message): Message {
    const { parts } = message;
    const extensions = [...new Set([...(message.extensions ?? []), ...this.extensions])];
    const more = this.session?.schemaParts(parts) ?? [];
    return { ...message, parts: [...parts, ...more], ...(extensions.length > 0 && { extensions }) };
  }

  /** Processes an event of the wire and returns its updates. */
  accept(event: StreamedEvent): readonly Update[] {
    this.#tap(event.response, event.seq);
    return this.#spreadNews(this.follower.accept(event));
  }

  /** Like `accept`, for a task that was requested. */
  look(task: NonNullable<StreamResponse['task']>, from: 'poll' | 'look'): readonly Update[] {
    this.#tap({ task }, undefined);
    return this.#spreadNews(this.follower.look(task, from));
  }

  /** Returns why the run must act: the task has ended, or it asks a question that was not handled yet. */
  get stop(): 'final' | 'input' | 'auth' | undefined {
    const { status } = this.follower;
    if (status === undefined) return undefined;
    if (isTerminal(status.state)) return 'final';
    if (this.isAnswered) return undefined;
    if (status.state === 'TASK_STATE_INPUT_REQUIRED' && this.#heeds(this.plan.onInputRequired)) return 'input';
    return status.state === 'TASK_STATE_AUTH_REQUIRED' && this.#heeds(this.plan.onAuthRequired) ? 'auth' : undefined;
  }

  /** True if the current question was answered or is being answered. A snapshot that shows it again does not ask it again. */
  get isAnswered(): boolean {
    const { status } = this.follower;
    if (this.asking?.isOpen) return true;
    if (status === undefined || this.#answered === undefined) return false;
    if (status === this.#answered) return true;
    // Statuses without a time and a message cannot be distinguished.
    return (status.timestamp !== undefined || status.message !== undefined) && isSameStatus(this.#answered, status);
  }

  markAnswered(): void {
    this.#answered = this.follower.status;
  }

  /** Called if a presumed old question turns out to be the current one. */
  unmarkAnswered(): void {
    this.#answered = undefined;
  }

  /** Reports an error that is caught here and would otherwise be lost. */
  report(thrown: unknown): void {
    this.calling.settings.onError(toA2AError(thrown));
  }

  #spreadNews(updates: readonly Update[]): readonly Update[] {
    this.#learnContext();
    this.asking?.compare(this.follower.status);
    this.#onNews(this.follower);
    return this.repeats?.holds(this.follower, updates) ? NONE : updates;
  }

  #heeds(handler: unknown): boolean {
    return this.plan.kind === 'run' || handler !== undefined;
  }

  #tap(response: StreamResponse, seq: number | undefined): void {
    try {
      this.plan.onEvent?.({ seq, response });
    } catch (thrown) {
      this.report(new A2AError('INTERNAL_ERROR', 'onEvent failed', { cause: thrown }));
    }
  }

  /** Once per context: an older run must not take the conversation back to its own context. */
  #learnContext(): void {
    const { contextId } = this.follower;
    if (contextId === this.#toldContext) return;
    this.#toldContext = contextId;
    learnContext(this.calling.settings.memory, contextId);
  }
}

const NONE: readonly Update[] = [];

/**
 * True if the connection failed, not the agent: a reconnect may find the task unchanged. What the peer says about the call itself is final.
 */
export function isDrop(error: unknown): error is A2AError {
  if (isTransportError(error)) return true;
  return isA2AError(error) && (error.retryable || error.reason === 'INTERNAL_ERROR');
}
