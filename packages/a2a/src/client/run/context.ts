/** What the legs of one run share: the agent, the copy of the task, and what has been dealt with. */
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
  /** The copy of the task that the run is at. */
  follower: Follower;
  /** Of a run that starts a task, where calls that failed are repeated. */
  repeats: Repeats | undefined;
  readonly life: Life;
  readonly session: ToolSession | undefined;
  /** Whether legs stream; false from the moment that the agent refuses to. */
  streams: boolean;
  /** An event of the run has come by a stream. */
  hasStreamed = false;
  /** The agent has taken a call of this run: from then on further ones come back to what is there. */
  wasReached = false;
  /** The question that was put last while the run reads on. */
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

  /** Options of every call of the run. Extensions are active per request, so each one asks for them. */
  get call(): CallOptions {
    return { ...this.plan.call, extensions: this.extensions, signal: this.life.signal };
  }

  get extensions(): readonly string[] {
    return [...(this.plan.call.extensions ?? []), ...(this.session === undefined ? [] : [this.session.extension])];
  }

  /** The run is at another task from now on. */
  goTo(follower: Follower): void {
    this.follower = follower;
    this.#onNews(follower);
  }

  /** A further message on the task of the run. */
  reply(input: Input): Message {
    const { taskId, contextId } = this.follower;
    const messageMetadata = delegationMetadata(this.plan.scope, metadataOf(input));
    return this.complete(toMessage(input, this.calling.settings.newId, { taskId, contextId, messageMetadata }));
  }

  /** With what every message of the run carries. */
  complete(message: Message): Message {
    const { parts } = message;
    const extensions = [...new Set([...(message.extensions ?? []), ...this.extensions])];
    const more = this.session?.schemaParts(parts) ?? [];
    return { ...message, parts: [...parts, ...more], ...(extensions.length > 0 && { extensions }) };
  }

  /** Takes an event of the wire and gives what is new in it. */
  accept(event: StreamedEvent): readonly Update[] {
    this.#tap(event.response, event.seq);
    return this.#spreadNews(this.follower.accept(event));
  }

  /** As `accept`, for a task that was asked for. */
  look(task: NonNullable<StreamResponse['task']>, from: 'poll' | 'look'): readonly Update[] {
    this.#tap({ task }, undefined);
    return this.#spreadNews(this.follower.look(task, from));
  }

  /** Where the run has to do something: at the end of the task, and at a question that it has not dealt with. */
  get stop(): 'final' | 'input' | 'auth' | undefined {
    const { status } = this.follower;
    if (status === undefined) return undefined;
    if (isTerminal(status.state)) return 'final';
    if (this.isAnswered) return undefined;
    if (status.state === 'TASK_STATE_INPUT_REQUIRED' && this.#heeds(this.plan.onInputRequired)) return 'input';
    return status.state === 'TASK_STATE_AUTH_REQUIRED' && this.#heeds(this.plan.onAuthRequired) ? 'auth' : undefined;
  }

  /** The present question was dealt with, or just is: a snapshot that shows it again does not ask it again. */
  get isAnswered(): boolean {
    const { status } = this.follower;
    if (this.asking?.isOpen) return true;
    if (status === undefined || this.#answered === undefined) return false;
    if (status === this.#answered) return true;
    // Those that have neither a time nor a message can not be told apart.
    return (status.timestamp !== undefined || status.message !== undefined) && isSameStatus(this.#answered, status);
  }

  markAnswered(): void {
    this.#answered = this.follower.status;
  }

  /** What was taken for an old question is the present one. */
  unmarkAnswered(): void {
    this.#answered = undefined;
  }

  /** What is caught here has nobody else to be told to. */
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

  /** A watch looks at whatever task it is shown; only a run is a conversation. */
  #learnContext(): void {
    const { contextId } = this.follower;
    if (contextId === undefined || contextId === this.#toldContext || this.plan.kind === 'watch') return;
    this.#toldContext = contextId;
    try {
      learnContext(this.calling.settings.contexts, this.peer.key, contextId);
    } catch (thrown) {
      this.report(thrown);
    }
  }
}

const NONE: readonly Update[] = [];

/** The way failed, not the agent: coming back may find the task as it is. What the peer states about the call itself is final. */
export function isDrop(error: unknown): error is A2AError {
  if (isTransportError(error)) return true;
  return isA2AError(error) && (error.retryable || error.reason === 'INTERNAL_ERROR');
}
