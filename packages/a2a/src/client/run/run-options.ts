/** How a run behaves. */

import type { DelegationScope } from '../../protocol/delegation-scope.js';
import type { JsonObject, Message, Part, SendMessageConfiguration, Task } from '../../protocol/types.js';
import type { StreamedEvent } from '../call.js';
import type { CallOptions } from '../call-options.js';
import type { ClientTool } from '../tools/client-tool.js';

/** What the agent asks. `schema`-less on purpose: the protocol has no place for one. */
export interface Question {
  readonly prompt: string;
  /** What the agent said with it, parts other than text included. */
  readonly message: Message | undefined;
  readonly task: Task;
  /** Aborted when the run is, when the time to answer is over, and when the agent goes on without an answer. */
  readonly signal: AbortSignal;
}

/** Text, parts, or a whole message; ids are filled in. */
export type Input = string | readonly Part[] | Partial<Message>;

export interface ReconnectOptions {
  /** Attempts without progress, each of them one request. Default 3; 0 switches it off. */
  readonly max?: number;
  /** Default 500. */
  readonly baseMs?: number;
  /** Default 1: the same delay each time. */
  readonly factor?: number;
  /** Default 30 s. */
  readonly maxMs?: number;
  /** Default false: the delays are as stated. */
  readonly jitter?: boolean;
  /** Default true: a new event gives all attempts back. false: `max` is a total. */
  readonly refillOnProgress?: boolean;
}

export interface RunOptions extends CallOptions {
  /** Go on with this task instead of starting one. */
  readonly taskId?: string;
  /** Default: the context that this agent gave last. null: a new one. */
  readonly contextId?: string | null;
  readonly referenceTaskIds?: readonly string[];
  /** Of the request, beside the message: an executor of ours has it as `context.metadata`. A run sends it with each of its messages. */
  readonly metadata?: JsonObject;
  /** Of the message: kept with it in the history of the task. Replaces the metadata of a whole message that is given as input. */
  readonly messageMetadata?: Message['metadata'];
  readonly acceptedOutputModes?: readonly string[];
  readonly historyLength?: number;
  /** A webhook for the task, registered with the first message. */
  readonly taskPushNotificationConfig?: SendMessageConfiguration['taskPushNotificationConfig'];
  /** Default 'auto': streams when the card offers it, and polls when the agent then refuses. 'stream': a refusal is an error. */
  readonly mode?: 'auto' | 'stream' | 'poll';
  /** Default 500; unless it is said here, a watch asks ten times less often while its task waits for somebody. */
  readonly pollingIntervalMs?: number;
  readonly reconnect?: ReconnectOptions;
  /** Answers INPUT_REQUIRED. Without it such a run ends with A2AInputRequiredError. */
  onInputRequired?(prompt: string, question: Question): Promise<Input> | Input;
  /** How long it may take; default: for ever. */
  readonly inputRequiredTimeoutMs?: number;
  /**
   * Told of AUTH_REQUIRED, while the run reads on: an agent that learns of the authorization by itself goes on, and nobody has to answer. What
   * it gives is sent on the task; undefined when the authorization was given elsewhere.
   */
  onAuthRequired?(prompt: string, question: Question): Promise<Input | undefined> | Input | undefined;
  /** Keeps each text that the agent appends to an artifact as a part of its own. Default false: it extends the text before it. */
  readonly keepParts?: boolean;
  /** Functions of the caller that the agent may ask for. */
  readonly tools?: readonly ClientTool[];
  /** 'never': whatever the task stops at is a result: FAILED, REJECTED, CANCELED, and questions nobody is there to answer. Default 'failure'. */
  readonly throwOn?: 'failure' | 'never';
  /** Shown every event of the wire as it came, also those that tell nothing new. What it throws goes to the client's `onError`. */
  onEvent?(event: StreamedEvent): void;
  /** The `context.scope` of an executor that delegates. */
  readonly scope?: DelegationScope;
}
