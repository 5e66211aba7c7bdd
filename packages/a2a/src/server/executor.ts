/** What a user writes. Three forms, one contract: a function, a generator, or `{ execute, cancel }`. */

import type { Logger } from '../platform/logger.js';
import type { Clock } from '../protocol/clock.js';
import type { DelegationScope } from '../protocol/delegation-scope.js';
import type { A2AError } from '../protocol/errors.js';
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
} from '../protocol/types.js';
import type { Caller } from './call.js';

/** The full form: owns the whole turn. Publish a Task and its updates, or one Message, and return when done or interrupted. */
export interface AgentExecutor {
  execute(context: RequestContext, events: TaskEvents): Promise<void> | void;
  /**
   * Called when a cancel arrives, also while no `execute` runs, such as for a task that is parked or whose work goes on elsewhere.
   * `context.signal` is already aborted. The task is CANCELED afterwards, also when this throws, unless it ended by itself.
   */
  cancel?(context: RequestContext, events: TaskEvents): Promise<void> | void;
}

/** What a function may return: text or parts become the artifact `answer`; a Message is a direct reply; nothing completes the task. */
export type Answer = string | readonly Part[] | Message | undefined | void;

/** An answer piece by piece: what a generator yields, or a stream of a model such as `streamText().textStream`. */
export type Pieces = ReadableStream<string | Part> | { [Symbol.asyncIterator](): AsyncIterator<string | Part, Answer, undefined> };

/** The short forms: return the answer, or give it piece by piece. Pieces become the artifact `answer`; a normal return completes the task. */
export type Execute = (context: RequestContext, events: TaskEvents) => Promise<Answer | Pieces> | Answer | Pieces;

/** Everything an executor may know of the request that it serves. */
export interface RequestContext {
  /** The task of this turn; of a new one too, although it is stored only with its first event or after `taskAfterMs`. */
  readonly taskId: string;
  /** The conversation that the task belongs to. */
  readonly contextId: string;
  /** '' when the caller named none. */
  readonly tenant: string;
  /** Who sent the message. */
  readonly caller: Caller;
  /** The user's message; absent in `cancel`. */
  readonly message?: Message;
  /** The parts of the message. */
  readonly parts: readonly Part[];
  /** The text parts of the message, joined by newlines. */
  readonly text: string;
  /** The task as stored when this turn began; absent on a new one. */
  readonly currentTask?: Task;
  readonly relatedTasks: readonly Task[];
  readonly configuration?: SendMessageConfiguration;
  /** Metadata of the request. */
  readonly metadata: JsonObject;
  readonly requestedExtensions: readonly string[];
  /** 1, and one more each time that the turn is entered again: after a crash, or with the answer to a question that outlived its run. */
  readonly attempt: number;
  /**
   * The interrupted status (INPUT_REQUIRED or AUTH_REQUIRED, with its message) that the newest message of this turn ended. `currentTask`
   * is WORKING by then. Absent when the task was not interrupted.
   */
  readonly resumedFrom?: TaskStatus;
  /** Aborts when the task is cancelled, times out, is lost to another node, or when the run is let go because it waits or the server closes. */
  readonly signal: AbortSignal;
  /** For calls of other agents on behalf of this task: `client.run(message, { scope: context.scope })`. They are cancelled when it is. */
  readonly scope: DelegationScope;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The text parts of the message joined by `delimiter` (a newline by default). */
  getUserInput(delimiter?: string): string;
  attachRelatedTask(task: Task): void;
  /**
   * What was said before in the context, oldest first, across its tasks: the messages of the user, those of the agent, and what each other
   * task made, as one message of the agent. With `format: 'text'` only the text: for the prompt of a model.
   */
  conversation(query: ConversationQuery & { readonly format: 'text' }): Promise<readonly EarlierText[]>;
  conversation(query?: ConversationQuery): Promise<readonly EarlierMessage[]>;
  /** Asks the user: the task is INPUT_REQUIRED until the reply, whose text is the answer. */
  requireInput(prompt: string | readonly Part[], options?: QuestionOptions): Promise<string>;
  /** The same, the answer checked and typed by a Standard Schema; asked once more when it does not fit. */
  requireInput<T>(prompt: string | readonly Part[], options: QuestionOptions & { readonly schema: StandardSchema<T> }): Promise<T>;
  /** Asks for an authorization: the task is AUTH_REQUIRED until the reply, which is returned. */
  requireAuth(prompt: string | readonly Part[], options?: QuestionOptions): Promise<Message>;
}

export interface QuestionOptions {
  /**
   * Names the question within its turn (1 to 256 characters). When the turn is entered again, the reply that is recorded for this id and the
   * same prompt is found wherever the question is asked. Without an id, the position of the question counts as well.
   */
  readonly id?: string | undefined;
  /** Default false: only a message that was sent after the question is the reply. true: a message that waits already is taken as well. */
  readonly early?: boolean | undefined;
}

/** How much of a conversation is wanted. */
export interface ConversationQuery {
  /** At most so many of the newest messages. Default 100. */
  readonly limit?: number;
  /** At most so many bytes of JSON in UTF-8; the oldest messages are left out. Default 1 MiB. */
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

export type StandardResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

export interface ArtifactNames {
  readonly id?: string;
  readonly name?: string;
  readonly description?: string;
  readonly metadata?: JsonObject;
}

/** An artifact without its id gets one. */
export type ArtifactInput = Omit<Artifact, 'artifactId'> & { readonly artifactId?: string };

/** A file and its content, given in exactly one of four ways. */
export interface FileInput extends ArtifactNames {
  readonly filename: string;
  readonly mediaType?: string;
  readonly bytes?: Uint8Array;
  /** Sent as UTF-8. */
  readonly text?: string;
  /** Bytes that are encoded already. */
  readonly base64?: string;
  /** Where the content is. */
  readonly url?: string;
}

/**
 * How an executor speaks. Calls resolve when the event is accepted in order; `flush`, `complete`, `fail`, `reject` and
 * `canceled` when it is committed. Not awaiting is legal: an error surfaces at the next call or at the end.
 * All of them but `reply` and `publish` make the Task if there is none.
 */
export interface TaskEvents {
  /** The state after everything published so far; undefined while the executor has created no Task. */
  readonly state: TaskState | undefined;
  /** The task has ended, or a Message was the answer: nothing more can be said. */
  readonly isFinal: boolean;
  /** WORKING, and what is being done. */
  working(text?: string): Promise<void>;
  /** WORKING without a message: the fraction (0 to 1) and the text are in the metadata, as `progress` and `progressText`. */
  progress(fraction: number, text?: string): Promise<void>;
  /** Any state of the protocol; text or parts become the message of the status. */
  status(state: TaskState, message?: string | readonly Part[] | Message): Promise<void>;
  /** Appends to the artifact; the first call of a run starts it anew. */
  appendText(artifactId: string, text: string, options?: { readonly name?: string; readonly last?: boolean }): Promise<void>;
  /** A whole artifact, or with `append` more parts of one; `last` says that it is complete. */
  artifact(artifact: ArtifactInput, options?: { readonly append?: boolean; readonly last?: boolean }): Promise<void>;
  /** An artifact that is one file. */
  file(file: FileInput): Promise<void>;
  /** An artifact that is one value: anything that JSON can say. */
  data(value: Part['data'], names?: ArtifactNames): Promise<void>;
  /** Makes the Task (SUBMITTED, the user's message in its history) if there is none. */
  task(fields?: { readonly metadata?: JsonObject }): Promise<void>;
  /** Answers with a Message instead of a Task; sent when `execute` has returned. After `taskAfterMs` it is the message of COMPLETED. */
  reply(message: string | readonly Part[] | Message): Promise<void>;
  /** COMPLETED: the end. */
  complete(text?: string): Promise<void>;
  /** FAILED: the end. An A2AError carries its reason and retry hint to the caller. */
  fail(reason: string | A2AError): Promise<void>;
  /** REJECTED: the end. The agent will not do it. */
  reject(text?: string): Promise<void>;
  /** CANCELED: the end. For `cancel`, or for an `execute` that saw its signal. */
  canceled(text?: string): Promise<void>;
  /** A raw event, under the protocol's own rules. */
  publish(event: Task | Message | TaskStatusUpdateEvent | TaskArtifactUpdateEvent): Promise<void>;
  /** Resolves when all that was said is committed. */
  flush(): Promise<void>;
}
