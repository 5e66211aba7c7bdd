/** The options of a run. */

import type { DelegationScope } from '../../protocol/delegation-scope.js';
import type { JsonObject, Message, Part, SendMessageConfiguration, Task } from '../../protocol/types.js';
import type { StreamedEvent } from '../call.js';
import type { CallOptions } from '../call-options.js';
import type { BackoffOptions } from '../resilience/backoff.js';
import type { ClientTool } from '../tools/client-tool.js';

/** A question of the agent. It has no `schema`, because the protocol has no field for one. */
export interface Question {
  readonly prompt: string;
  /** The agent's message, including parts that are not text. */
  readonly message: Message | undefined;
  readonly task: Task;
  /** Aborted when the run ends, when the time to reply is over, and when the agent continues without a reply. */
  readonly signal: AbortSignal;
}

/** Text, parts, or a whole message. Ids are filled in. */
export type Input = string | readonly Part[] | Partial<Message>;

/** Options of `reconnect`: how often, and after which delays, a broken stream is resumed. */
export interface ReconnectOptions extends BackoffOptions {
  /** Maximum attempts without progress, each of them one request. Default 3. 0: never reconnect. */
  readonly maxRetries?: number;
  /** The delay before the first attempt, in milliseconds. Default 500. */
  readonly initialDelayMs?: number;
  /** Each delay is this multiple of the previous one. Default 1: a constant delay. */
  readonly multiplier?: number;
  /** The longest delay between two attempts, in milliseconds. Default 30,000. */
  readonly maxDelayMs?: number;
  /** Randomizes each delay. Default false: the delays are exact. */
  readonly jitter?: boolean;
  /** Whether a new event restores all attempts. Default true. false: `maxRetries` is a total. */
  readonly refillOnProgress?: boolean;
}

/** Options of `run`: the task or context to continue, how to follow it, and handlers for questions. */
export interface RunOptions extends CallOptions {
  /** Continues this task instead of starting one. Default: a new task. */
  readonly taskId?: string;
  /** The context of the message. Default: that of the conversation; without one, a new context. null: a new context. */
  readonly contextId?: string | null;
  /** The ids of earlier tasks that the message refers to. Default: none. */
  readonly referenceTaskIds?: readonly string[];
  /**
   * Metadata of the request, beside the message. A Parley executor reads it as `context.metadata`. A run sends it with each of its
   * messages. Default: none.
   */
  readonly metadata?: JsonObject;
  /**
   * Metadata of the message, stored with it in the history of the task. Replaces the metadata of a whole message that is passed as input.
   * Default: the metadata of the input, if it is a whole message.
   */
  readonly messageMetadata?: Message['metadata'];
  /** Media types that the caller accepts in the answer. Default: those of the client; without them the agent chooses. */
  readonly acceptedOutputModes?: readonly string[];
  /** The number of newest messages that a returned task contains. Default: that of the client; without it the agent chooses. */
  readonly historyLength?: number;
  /** A webhook for the task, registered with the first message. Default: none. */
  readonly taskPushNotificationConfig?: SendMessageConfiguration['taskPushNotificationConfig'];
  /** Default 'auto': streams if the card declares it, and polls if the agent then refuses. 'stream': a refusal is an error. */
  readonly mode?: 'auto' | 'stream' | 'poll';
  /**
   * Milliseconds between two polls. Default 500. Without this option, a watch polls ten times less often while its task waits for input.
   */
  readonly pollingIntervalMs?: number;
  /** How a broken stream is resumed; a missing member keeps the value of the client. Default: 3 attempts, 500 ms apart. */
  readonly reconnect?: ReconnectOptions;
  /**
   * Answers a question of the agent (INPUT_REQUIRED). Default: that of the client; without a handler the run ends with
   * A2AInputRequiredError.
   */
  onInputRequired?(prompt: string, question: Question): Promise<Input> | Input;
  /** Maximum time for a reply. Default: no limit. */
  readonly inputRequiredTimeoutMs?: number;
  /**
   * Called on AUTH_REQUIRED while the run keeps reading: an agent that learns of the authorization itself continues without a reply. The
   * returned input is sent to the task. Return undefined if the authorization was given elsewhere. Default: that of the client; without a
   * handler the run ends with A2ATaskAuthRequiredError.
   */
  onAuthRequired?(prompt: string, question: Question): Promise<Input | undefined> | Input | undefined;
  /** Keeps each text that the agent appends to an artifact as a separate part. Default false: it extends the text before it. */
  readonly keepParts?: boolean;
  /** Functions of the caller that the agent may call. Default: none. */
  readonly tools?: readonly ClientTool[];
  /** 'never': every stop is a result: FAILED, REJECTED, CANCELED, and questions without a handler. Default 'failure'. */
  readonly throwOn?: 'failure' | 'never';
  /**
   * Receives every event of the wire unchanged, including repetitions. Errors that it throws go to the client's `onError`. Default: no
   * callback.
   */
  onEvent?(event: StreamedEvent): void;
  /** The `context.scope` of an executor that delegates. Default: none; the run is not bound to another task. */
  readonly scope?: DelegationScope;
}
