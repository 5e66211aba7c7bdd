/** What `createClient` gives: one agent, called. */
import type { AsyncDisposal } from '../platform/async-disposal.js';
import type { RequestOf, ResponseOf } from '../protocol/methods.js';
import type { AgentCard, JsonValue, StreamResponse, Task } from '../protocol/types.js';
import type { CallOptions } from './call-options.js';
import type { Input, RunOptions } from './run/run-options.js';
import type { Reply, RunPlace, Update } from './run/update.js';

/**
 * One turn with an agent: everything that happens, in order and once. Iterate it, await `result`, or both; it starts with whichever comes
 * first, and a run that nobody looks at never starts.
 */
export interface Run extends AsyncIterable<Update> {
  /**
   * Made on first access, so that an error caught in the loop is never also an unhandled rejection. With a loop it comes at the loop's end:
   * do not await it inside.
   */
  readonly result: Promise<Reply>;
  /** Known from the first event on. */
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
  /**
   * How far it has come, to be kept and given to `watch`; undefined as long as there is no whole task. It is behind the whole event whose
   * updates are told at the moment: keep it together with the task that is in it, not with single updates.
   */
  readonly place: RunPlace | undefined;
  /**
   * Tells the server to stop the task; resolves with what became of it. Undefined when there was no task to cancel. A run that waits to send
   * its message again, because its task failed before the agent published anything, does not send it: it ends with that failed task.
   */
  cancel(options?: CallOptions): Promise<Task | undefined>;
  /** Leaves; the task goes on without us. */
  detach(): void;
}

/** A send that is not driven to the end. */
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
> & { readonly returnImmediately?: boolean };

export interface WatchOptions
  extends Omit<RunOptions, 'taskId' | 'contextId' | 'referenceTaskIds' | 'metadata' | 'messageMetadata' | 'tools'> {
  /** Only what happened behind this event: for those who have kept its number. */
  readonly after?: number;
  /**
   * Goes on behind a place that was kept: what is in it is not told again, also by peers that do not number their events. Nor is a question
   * that stands in it asked again, since it may have been answered: `run(answer, { taskId })` answers it. Not with `after`.
   */
  readonly from?: RunPlace;
}

/** The eleven operations by their protocol names, first letter small; streams are async iterables of the peer's own events. */
export type Operations = {
  readonly [M in UnaryMethod as Uncapitalize<M>]: (params: RequestOf<M>, options?: CallOptions) => Promise<ResponseOf<M>>;
} & {
  readonly [M in StreamMethod as Uncapitalize<M>]: (params: RequestOf<M>, options?: CallOptions) => AsyncIterable<StreamResponse>;
};

export type StreamMethod = 'SendStreamingMessage' | 'SubscribeToTask';
export type UnaryMethod =
  | 'SendMessage'
  | 'GetTask'
  | 'ListTasks'
  | 'CancelTask'
  | 'CreateTaskPushNotificationConfig'
  | 'GetTaskPushNotificationConfig'
  | 'ListTaskPushNotificationConfigs'
  | 'DeleteTaskPushNotificationConfig'
  | 'GetExtendedAgentCard';

export interface Client extends Operations, AsyncDisposal {
  /** The address that the client was made with. */
  readonly url: string;
  /** The card, fetched once and then as its server's caching headers say. */
  card(options?: CallOptions): Promise<AgentCard>;
  /** Sends a message and gives the answer: a Task that stopped or waits, or a Message. */
  send(input: Input, options?: SendOptions): Promise<Reply>;
  /** Drives a message to the end of its task: streams or polls, comes back when the connection breaks, asks the caller when the agent asks. */
  run(input: Input, options?: RunOptions): Run;
  /** Follows a task that exists, from its present or from behind an event. */
  watch(taskId: string, options?: WatchOptions): Run;
  /** Every task that fits, page after page as the loop goes on. */
  tasks(filter?: Omit<RequestOf<'ListTasks'>, 'pageToken'>, options?: CallOptions): AsyncIterable<Task>;
  /** Any method by name, for extensions that add their own: JSON-RPC where the agent has it. */
  call(method: string, params?: JsonValue, options?: CallOptions): Promise<JsonValue>;
  /** Fetches the card anew; rejects when the agent can not be reached. */
  ping(options?: CallOptions): Promise<void>;
  /**
   * The same agent with further headers on each call, for example for another person: with a conversation and an extended card of its own.
   * The public card, connections and breaker are shared, and so is a store of contexts that was given.
   */
  withHeaders(headers: Readonly<Record<string, string>>): Client;
  /** Refuses all further calls, those of `withHeaders` clients too. An exchange that was given is left to whoever made it. Idempotent. */
  close(): Promise<void>;
}
