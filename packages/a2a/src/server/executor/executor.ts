/** The contract that a user implements. An agent is a function, a generator, or `{ execute, cancel }`. */

import type { Logger } from '../../platform/logger.js';
import type { Clock } from '../../protocol/clock.js';
import type { DelegationScope } from '../../protocol/delegation-scope.js';
import type { A2AError } from '../../protocol/errors.js';
import type {
  Artifact,
  JsonObject,
  Message,
  Part,
  SendMessageConfiguration,
  Task,
  TaskArtifactUpdateEvent,
  TaskState,
  TaskStatus,
  TaskStatusUpdateEvent,
} from '../../protocol/types.js';
import type { Caller } from '../call.js';

/** The full form: controls the whole turn. Publish a Task and its updates, or one Message, and return when done or interrupted. */
export interface AgentExecutor {
  execute(context: RequestContext, events: TaskEvents): Promise<void> | void;
  /**
   * Called when a cancel arrives, also while no `execute` runs, for example when the task is parked or its work continues elsewhere.
   * `context.signal` is already aborted. The task is CANCELED afterwards, even if this throws, unless it ended by itself.
   */
  cancel?(context: RequestContext, events: TaskEvents): Promise<void> | void;
}

/**
 * The return value of a function: text or parts become the artifact `answer`, a Message is a direct reply, and undefined completes the
 * task.
 */
export type Answer = string | readonly Part[] | Message | undefined | void;

/** An answer in pieces: the values that a generator yields, or a stream of a model such as `streamText().textStream`. */
export type Pieces = ReadableStream<string | Part> | { [Symbol.asyncIterator](): AsyncIterator<string | Part, Answer, undefined> };

/**
 * The short forms: return the answer, or yield it piece by piece. Pieces become the artifact `answer`; a normal return completes the task.
 */
export type Execute = (context: RequestContext, events: TaskEvents) => Promise<Answer | Pieces> | Answer | Pieces;

/** Everything that an executor can know about its request. */
export interface RequestContext {
  /**
   * The task of this turn. A new task has its id from the start, although it is stored only with its first event or after `taskAfterMs`.
   */
  readonly taskId: string;
  /** The conversation that the task belongs to. */
  readonly contextId: string;
  /** '' when the caller named no tenant. */
  readonly tenant: string;
  /** The caller that sent the message. */
  readonly caller: Caller;
  /** The user's message; absent in `cancel`. */
  readonly message?: Message;
  /** The parts of the message. */
  readonly parts: readonly Part[];
  /** The text parts of the message, joined by newlines. */
  readonly text: string;
  /** The task as stored when this run began. Absent in the first run of a new task; set when its turn runs again (`attempt` above 1). */
  readonly currentTask?: Task;
  readonly relatedTasks: readonly Task[];
  readonly configuration?: SendMessageConfiguration;
  /** Metadata of the request. */
  readonly metadata: JsonObject;
  readonly requestedExtensions: readonly string[];
  /** 1 at first; increases each time `execute` runs again for this turn: after a crash, or with the reply to a question of a parked run. */
  readonly attempt: number;
  /**
   * The interrupted status (INPUT_REQUIRED or AUTH_REQUIRED, with its message) that the newest message of this turn ended. `currentTask` is
   * already WORKING. Absent when the task was not interrupted.
   */
  readonly resumedFrom?: TaskStatus;
  /** Aborts when the task is canceled, times out or is lost to another node, when a waiting run is parked, or when the server closes. */
  readonly signal: AbortSignal;
  /**
   * Pass it to calls of other agents for this task: `client.run(message, { scope: context.scope })`. They are canceled when this task is.
   */
  readonly scope: DelegationScope;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The text parts of the message, joined by `delimiter` (default: a newline). */
  getUserInput(delimiter?: string): string;
  attachRelatedTask(task: Task): void;
  /**
   * The earlier conversation in the context, oldest first, across its tasks: the messages of the user and of the agent, and the artifacts
   * of each other task as one message of the agent. `format: 'text'` returns only the text, for the prompt of a model.
   */
  conversation(query: ConversationQuery & { readonly format: 'text' }): Promise<readonly EarlierText[]>;
  conversation(query?: ConversationQuery): Promise<readonly EarlierMessage[]>;
  /**
   * Asks the user: the task is INPUT_REQUIRED until the reply arrives. Returns the text of the reply.
   *
   * @example
   * ```ts
   * import { createAgent } from '@parley/a2a/server';
   *
   * export const agent = createAgent({
   *   name: 'Booking',
   *   async execute(context) {
   *     const city = await context.requireInput('Which city would you like to visit?');
   *     return `A room in ${city} is reserved.`;
   *   },
   * });
   * ```
   */
  requireInput(prompt: string | readonly Part[], options?: QuestionOptions): Promise<string>;
  /** Asks the user and validates the reply with a Standard Schema. Asks once more when the reply is invalid. */
  requireInput<T>(prompt: string | readonly Part[], options: QuestionOptions & { readonly schema: StandardSchema<T> }): Promise<T>;
  /** Asks for an authorization: the task is AUTH_REQUIRED until the reply arrives. Returns the reply. */
  requireAuth(prompt: string | readonly Part[], options?: QuestionOptions): Promise<Message>;
}

/** Options of a question: the id that identifies it, and whether an earlier message may answer it. */
export interface QuestionOptions {
  /**
   * Names the question within its turn (1 to 256 characters). When the turn is run again, the reply recorded for the same id and the same
   * prompt is found at any position in the turn. Without an id, the position of the question counts as well. Default: none.
   */
  readonly id?: string | undefined;
  /** Default false: only a message that was sent after the question is the reply. true: a message that is already waiting also counts. */
  readonly early?: boolean | undefined;
}

/** Limits of `conversation`. */
export interface ConversationQuery {
  /** Maximum number of messages; the newest are kept. Default 100. */
  readonly limit?: number;
  /** Maximum size as UTF-8 JSON, in bytes; the oldest messages are left out. Default 1 MiB. */
  readonly maxBytes?: number;
}

/** A message of the conversation. `raw` content above 64 KiB is replaced by `data` with its `filename`, `mediaType` and `size` in bytes. */
export interface EarlierMessage extends Message {
  readonly taskId: string;
}

/** The text of one message. */
export interface EarlierText {
  readonly role: 'user' | 'agent';
  readonly text: string;
}

/** The part of the Standard Schema interface (version 1) that is used here; any library that follows it fits. */
export interface StandardSchema<T> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    validate(value: unknown): StandardResult<T> | Promise<StandardResult<T>>;
  };
}

/** The result of a Standard Schema: the value, or the issues of an invalid one. */
export type StandardResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

/** The id and the description of an artifact. All members are optional; a missing id is generated. */
export interface ArtifactNames {
  readonly id?: string;
  readonly name?: string;
  readonly description?: string;
  readonly metadata?: JsonObject;
}

/** An artifact to publish. Its id is generated if absent. */
export type ArtifactInput = Omit<Artifact, 'artifactId'> & { readonly artifactId?: string };

/** A file to publish as an artifact. Give its content in exactly one of four ways. */
export interface FileInput extends ArtifactNames {
  readonly filename: string;
  readonly mediaType?: string;
  readonly bytes?: Uint8Array;
  /** Sent as UTF-8. */
  readonly text?: string;
  /** Bytes that are already base64. */
  readonly base64?: string;
  /** The address of the content. */
  readonly url?: string;
}

/**
 * Publishes the events of a turn. Calls resolve when the event is accepted in order; `flush`, `complete`, `fail`, `reject` and `canceled`
 * resolve when it is committed. You need not await: an error surfaces at the next call or at the end. All methods except `reply`,
 * `publish` and `flush` create the Task if there is none.
 */
export interface TaskEvents {
  /** The state after everything published so far; undefined while the executor has created no Task. */
  readonly state: TaskState | undefined;
  /** The task has ended, or a Message was the answer: no more events are accepted. */
  readonly isFinal: boolean;
  /** Sets WORKING, with a text that describes the current work. */
  working(text?: string): Promise<void>;
  /** Sets WORKING without a message: the fraction (0 to 1) and the text are in the metadata, as `progress` and `progressText`. */
  progress(fraction: number, text?: string): Promise<void>;
  /** Sets any state of the protocol; text or parts become the message of the status. */
  status(state: TaskState, message?: string | readonly Part[] | Message): Promise<void>;
  /**
   * Appends text to an artifact; the first call of a run starts the artifact again.
   *
   * @example
   * ```ts
   * import { createAgent } from '@parley/a2a/server';
   *
   * export const agent = createAgent({
   *   name: 'Storyteller',
   *   async execute(context, events) {
   *     for (const word of ['Once', 'upon', 'a', 'time']) {
   *       await events.appendText('story', `${word} `, { name: context.text });
   *     }
   *     await events.complete();
   *   },
   * });
   * ```
   */
  appendText(artifactId: string, text: string, options?: { readonly name?: string; readonly last?: boolean }): Promise<void>;
  /** Publishes a whole artifact, or with `append` more parts of one. `last` marks it as complete. */
  artifact(artifact: ArtifactInput, options?: { readonly append?: boolean; readonly last?: boolean }): Promise<void>;
  /** Publishes an artifact that consists of one file. */
  file(file: FileInput): Promise<void>;
  /** Publishes an artifact that consists of one JSON value. */
  data(value: Part['data'], names?: ArtifactNames): Promise<void>;
  /** Creates the Task (SUBMITTED, with the user's message in its history) if there is none. */
  task(fields?: { readonly metadata?: JsonObject }): Promise<void>;
  /**
   * Answers with a Message instead of a Task; it is sent when `execute` has returned. After `taskAfterMs` it becomes the message of
   * COMPLETED.
   */
  reply(message: string | readonly Part[] | Message): Promise<void>;
  /** Ends the task as COMPLETED. */
  complete(text?: string): Promise<void>;
  /** Ends the task as FAILED. The caller gets the reason and the retry hint of an A2AError. */
  fail(reason: string | A2AError): Promise<void>;
  /** Ends the task as REJECTED: the agent refuses the work. */
  reject(text?: string): Promise<void>;
  /** Ends the task as CANCELED. For `cancel`, or for an `execute` whose signal was aborted. */
  canceled(text?: string): Promise<void>;
  /** Publishes a raw event; the rules of the protocol apply. */
  publish(event: Task | Message | TaskStatusUpdateEvent | TaskArtifactUpdateEvent): Promise<void>;
  /** Resolves when all published events are committed. */
  flush(): Promise<void>;
}
