/** The interface that `createClient` returns: methods to call one agent. */
import type { AsyncDisposal } from '../platform/async-disposal.js';
import type { RequestOf, ResponseOf, StreamMethod, UnaryMethod } from '../protocol/methods.js';
import type { AgentCard, JsonValue, StreamResponse, Task } from '../protocol/types.js';
import type { CallOptions } from './call-options.js';
import type { Input, RunOptions } from './run/run-options.js';
import type { Reply, RunPlace, Update } from './run/update.js';

/**
 * One message to an agent and everything that follows, in order and exactly once. Iterate the run, await `result`, or both. It starts with
 * the first of these two; a run that is never used never starts.
 */
export interface Run extends AsyncIterable<Update> {
  /**
   * The final reply. It is created on first access, so that an error caught in the loop is not also an unhandled rejection. If you also
   * iterate the run, it settles when the loop ends: do not await it inside the loop.
   */
  readonly result: Promise<Reply>;
  /** Known after the first event. */
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
  /**
   * The current position, to be stored and passed to `watch`. Undefined until the whole task is known. It points after the event whose
   * updates are being delivered: store it together with the task that it contains, not per update.
   */
  readonly place: RunPlace | undefined;
  /**
   * Asks the server to cancel the task and resolves with the resulting task, or undefined if there was no task to cancel. If the run is
   * waiting to repeat its message because the task failed before the agent published anything, it does not repeat the message and ends with
   * the failed task.
   */
  cancel(options?: CallOptions): Promise<Task | undefined>;
  /** Stops following the task. The task continues on the server. */
  detach(): void;
}

/** Options of a single send, which does not follow the task to its end. */
export type SendOptions = Pick<
  RunOptions,
  | keyof CallOptions
  | 'taskId'
  | 'contextId'
  | 'referenceTaskIds'
  | 'metadata'
  | 'messageMetadata'
  | 'acceptedOutputModes'
  | 'historyLength'
  | 'scope'
> & {
  /** true: returns as soon as the agent has a task, without waiting for its end. Default false. */
  readonly returnImmediately?: boolean;
};

/** Options of `watch`: where to continue, and the options of a run that concern an existing task. */
export interface WatchOptions
  extends Omit<RunOptions, 'taskId' | 'contextId' | 'referenceTaskIds' | 'metadata' | 'messageMetadata' | 'tools'> {
  /** Deliver only events after this number, for callers that stored it. Default: start with the current state of the task. */
  readonly after?: number;
  /**
   * Continue after a stored position. Its content is not delivered again, even if the peer does not number its events. An open question in
   * it is not asked again, since it may have been answered: use `run(answer, { taskId })` to answer it. Cannot be combined with `after`.
   * Default: start with the current state of the task.
   */
  readonly from?: RunPlace;
}

/** The eleven operations by their protocol names, with a small first letter. Streams are async iterables of the peer's own events. */
export type Operations = {
  readonly [M in UnaryMethod as Uncapitalize<M>]: (params: RequestOf<M>, options?: CallOptions) => Promise<ResponseOf<M>>;
} & {
  readonly [M in StreamMethod as Uncapitalize<M>]: (params: RequestOf<M>, options?: CallOptions) => AsyncIterable<StreamResponse>;
};

/** One conversation with an agent: remembers the context that the agent sends, and sends it with each further message. */
export interface ClientConversation {
  /** The last context id that the agent sent; before, the one that you gave. Undefined: the next message starts a context. */
  readonly contextId: string | undefined;
  /** Like `send` of the client. `contextId: null` moves the conversation to a new context. */
  send(input: Input, options?: SendOptions): Promise<Reply>;
  /** Like `run` of the client. `contextId: null` moves the conversation to a new context. */
  run(input: Input, options?: RunOptions): Run;
}

/** Calls one agent: `send` and `run` for messages, `watch` and `tasks` for existing tasks, and the eleven operations of the protocol. */
export interface Client extends Operations, AsyncDisposal {
  /** The address that the client was created with. */
  readonly url: string;
  /** Returns the card. It is cached according to the caching headers of its server. */
  card(options?: CallOptions): Promise<AgentCard>;
  /**
   * Sends a message and returns the reply: a Message, or a Task that has stopped or waits for input.
   *
   * @example
   * ```ts
   * import { createClient } from '@parley/a2a/client';
   *
   * const client = createClient('http://127.0.0.1:4000');
   * const reply = await client.send('Plan a weekend in Lisbon', { returnImmediately: true });
   * if (reply.kind === 'message') console.log(reply.text);
   * else console.log(`Task ${reply.taskId} is ${reply.state}`);
   * ```
   */
  send(input: Input, options?: SendOptions): Promise<Reply>;
  /**
   * Sends a message and follows its task to the end: streams or polls, reconnects after a broken connection, and calls back when the agent
   * asks a question.
   *
   * @example
   * ```ts
   * import { createClient } from '@parley/a2a/client';
   *
   * const client = createClient('http://127.0.0.1:4000');
   * const run = client.run('Plan a weekend', {
   *   onInputRequired: (prompt) => (prompt.includes('city') ? 'Lisbon' : 'Yes'),
   * });
   * for await (const update of run) {
   *   if (update.kind === 'text') process.stdout.write(update.delta);
   * }
   * const { finishReason } = await run.result;
   * console.log(finishReason);
   * ```
   */
  run(input: Input, options?: RunOptions): Run;
  /**
   * Starts a conversation, or continues the one with this context id. Its messages share one context; messages that are sent with the
   * client itself do not, because a client may act for several people.
   *
   * @example
   * ```ts
   * import { createClient } from '@parley/a2a/client';
   *
   * const client = createClient('http://127.0.0.1:4000');
   * const chat = client.conversation();
   * await chat.send('My name is Ada');
   * console.log((await chat.send('What is my name?')).text);
   * ```
   */
  conversation(contextId?: string): ClientConversation;
  /** Follows an existing task, from its current state or after a given event. */
  watch(taskId: string, options?: WatchOptions): Run;
  /** Lists every matching task. Pages are fetched as the loop advances. */
  tasks(filter?: Omit<RequestOf<'ListTasks'>, 'pageToken'>, options?: CallOptions): AsyncIterable<Task>;
  /** Calls any method by name, for extensions that define their own. Uses JSON-RPC if the agent supports it. */
  call(method: string, params?: JsonValue, options?: CallOptions): Promise<JsonValue>;
  /** Fetches the card again. Rejects if the agent cannot be reached. */
  ping(options?: CallOptions): Promise<void>;
  /**
   * Returns a client for the same agent with additional headers on each call, for example for another user. It has its own extended card.
   * It shares the public card, the connections and the circuit breaker.
   */
  withHeaders(headers: Readonly<Record<string, string>>): Client;
  /** Refuses all further calls, including those of `withHeaders` clients. Does not close an exchange that you passed. Idempotent. */
  close(): Promise<void>;
}
