/** Error classes for outcomes that users catch. All are A2AErrors; other errors of a peer are distinguished by their reason. */
import { A2AError, type A2AErrorOptions, type ErrorKind, isA2AError } from './a2a-error.js';
import type { ErrorReason } from './error-table.js';
import type { Task, TaskState } from './types.js';

/** The kinds of an A2ATransportError: the network failed, a timeout passed, or the response was unreadable. */
export type TransportKind = Extract<ErrorKind, 'network' | 'timeout' | 'serialization'>;

const TRANSPORT_REASONS: Readonly<Record<TransportKind, ErrorReason>> = {
  network: 'AGENT_UNAVAILABLE',
  timeout: 'TASK_TIMEOUT',
  serialization: 'INVALID_AGENT_RESPONSE',
};

/** The phase of a request that timed out. */
export type TimeoutPhase = 'connect' | 'pool' | 'write' | 'firstByte' | 'idle' | 'total';

/** Options of `new A2ATransportError`: whether the request was sent, and the phase that timed out. */
export interface TransportErrorOptions extends A2AErrorOptions {
  /** false: no byte of the request was sent, so a retry cannot execute anything twice. */
  readonly sent: boolean;
  /** The phase of the request that timed out. Default: none; the error is not a timeout. */
  readonly phase?: TimeoutPhase | undefined;
}

/** There was no response, or an unreadable one. */
export class A2ATransportError extends A2AError {
  override readonly name = 'A2ATransportError';
  readonly sent: boolean;
  readonly phase: TimeoutPhase | undefined;
  readonly #kind: TransportKind;

  constructor(kind: TransportKind, message: string, options: TransportErrorOptions) {
    // An agent to which no connection is possible in time is unavailable, not slow.
    super(options.phase === 'connect' ? 'AGENT_UNAVAILABLE' : TRANSPORT_REASONS[kind], message, options);
    this.#kind = kind;
    this.sent = options.sent;
    this.phase = options.phase;
  }

  override get kind(): TransportKind {
    return this.#kind;
  }
}

/** The card lacks data that is needed to connect. */
export class A2AInvalidCardError extends A2AError {
  override readonly name = 'A2AInvalidCardError';

  constructor(message: string, options?: A2AErrorOptions) {
    super('INVALID_AGENT_RESPONSE', message, options);
  }

  override get kind(): 'serialization' {
    return 'serialization';
  }
}

/** The signature of the card is not valid for its agent. */
export class A2ACardSignatureError extends A2AError {
  override readonly name = 'A2ACardSignatureError';
  /** The card that failed: fetched, passed by the caller, or the extended one. */
  readonly source: 'fetched' | 'preset' | 'extended';

  constructor(source: A2ACardSignatureError['source'], message: string, options?: A2AErrorOptions) {
    super('INVALID_AGENT_RESPONSE', message, options);
    this.source = source;
  }

  override get kind(): 'serialization' {
    return 'serialization';
  }
}

/** The agent uses a protocol version that this client does not support. */
export class A2AIncompatibleProtocolVersionError extends A2AError {
  override readonly name = 'A2AIncompatibleProtocolVersionError';
  readonly url: string;
  readonly binding: string;
  readonly version: string;

  constructor(at: { readonly url: string; readonly binding: string; readonly version: string }, options?: A2AErrorOptions) {
    super('VERSION_NOT_SUPPORTED', `${at.url} uses A2A ${at.version} over ${at.binding}, which this client does not support`, options);
    this.url = at.url;
    this.binding = at.binding;
    this.version = at.version;
  }
}

/** One side requires extensions that the other does not support. */
export class A2AExtensionError extends A2AError {
  override readonly name: string = 'A2AExtensionError';
  readonly uris: readonly string[];

  constructor(uris: readonly string[], message: string, options?: A2AErrorOptions) {
    super('EXTENSION_SUPPORT_REQUIRED', message, options);
    this.uris = uris;
  }
}

/** Tools were passed, but the agent's card does not declare the client-tools extension. Nothing was sent. */
export class A2AClientToolsNotSupportedError extends A2AExtensionError {
  override readonly name = 'A2AClientToolsNotSupportedError';
}

/** A stream broke, and reconnecting failed `attempts` times in a row. */
export class A2AReconnectError extends A2AError {
  override readonly name = 'A2AReconnectError';
  readonly attempts: number;
  readonly taskId: string | undefined;

  constructor(at: { readonly attempts: number; readonly taskId?: string | undefined }, message: string, options?: A2AErrorOptions) {
    super('AGENT_UNAVAILABLE', message, options);
    this.attempts = at.attempts;
    this.taskId = at.taskId;
  }

  override get kind(): 'network' {
    return 'network';
  }
}

/** The circuit breaker of this agent is open after too many failures; nothing was sent. */
export class A2ACircuitOpenError extends A2AError {
  override readonly name = 'A2ACircuitOpenError';

  constructor(message: string, options?: A2AErrorOptions) {
    super('AGENT_UNAVAILABLE', message, options);
  }

  override get kind(): 'network' {
    return 'network';
  }
}

/** An agent that may have been scaled to zero did not start in time. */
export class A2AActivationTimeoutError extends A2AError {
  override readonly name = 'A2AActivationTimeoutError';
  readonly attempts: number;
  readonly elapsedMs: number;

  constructor(at: { readonly attempts: number; readonly elapsedMs: number }, message: string, options?: A2AErrorOptions) {
    super('AGENT_UNAVAILABLE', message, options);
    this.attempts = at.attempts;
    this.elapsedMs = at.elapsedMs;
  }

  override get kind(): 'timeout' {
    return 'timeout';
  }
}

/** The agent asks a question, and there is no handler to answer it. The task waits: reply later with its id. */
export class A2AInputRequiredError extends A2AError {
  override readonly name: string = 'A2AInputRequiredError';
  readonly task: Task;
  readonly prompt: string;

  constructor(at: { readonly task: Task; readonly prompt: string }, message: string, options?: A2AErrorOptions) {
    super('INPUT_REQUIRED', message, options);
    this.task = at.task;
    this.prompt = at.prompt;
  }
}

/** The handler did not answer in time. The task still waits. */
export class A2AInputTimeoutError extends A2AInputRequiredError {
  override readonly name = 'A2AInputTimeoutError';
}

/** The task stopped without a result. `task` contains everything it has: status, history, artifacts. */
export class A2ATaskTerminalError extends A2AError {
  override readonly name: string = 'A2ATaskTerminalError';
  readonly task: Task;

  constructor(reason: ErrorReason, task: Task, message: string, options?: A2AErrorOptions) {
    super(reason, message, options);
    this.task = task;
  }

  get state(): TaskState {
    return this.task.status.state;
  }

  // The error comes from the agent, whatever its reason is.
  override get kind(): 'rpc' {
    return 'rpc';
  }
}

/** The task ended as FAILED. Read `reason` and `retryable` to decide whether to send the message again. */
export class A2ATaskFailedError extends A2ATaskTerminalError {
  override readonly name = 'A2ATaskFailedError';
}

/** The task ended as REJECTED: the agent refused the work. Change the message before you send it again. */
export class A2ATaskRejectedError extends A2ATaskTerminalError {
  override readonly name = 'A2ATaskRejectedError';
}

/** The task ended as CANCELED before it had a result. */
export class A2ATaskCanceledError extends A2ATaskTerminalError {
  override readonly name = 'A2ATaskCanceledError';
}

/** The agent waits for an authorization, and there is no handler for it. Grant it, then continue with the same task. */
export class A2ATaskAuthRequiredError<R = unknown> extends A2ATaskTerminalError {
  override readonly name = 'A2ATaskAuthRequiredError';
  /** Follows the task again after the authorization was given elsewhere. */
  readonly resume: () => R;

  constructor(task: Task, message: string, options: A2AErrorOptions & { readonly resume: () => R }) {
    super('AUTH_REQUIRED', task, message, options);
    this.resume = options.resume;
  }
}

/** The transport failed, not the agent: the same call may succeed elsewhere or later. Works across copies of the library. */
export function isTransportError(value: unknown): value is A2ATransportError {
  return isA2AError(value) && value.name === 'A2ATransportError';
}

const TERMINAL_NAMES = [
  'A2ATaskTerminalError',
  'A2ATaskFailedError',
  'A2ATaskRejectedError',
  'A2ATaskCanceledError',
  'A2ATaskAuthRequiredError',
];

/** The task stopped without a result. Works across copies of the library. */
export function isTerminalError(value: unknown): value is A2ATaskTerminalError {
  return isA2AError(value) && TERMINAL_NAMES.includes(value.name);
}
