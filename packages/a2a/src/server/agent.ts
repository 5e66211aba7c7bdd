/** The agent that `createAgent` returns: hosts serve it, tests call it. */

import type { ErrorContext } from '../platform/logger.js';
import { A2AError } from '../protocol/errors.js';
import type { AgentCard } from '../protocol/types.js';
import type { WireRequest } from '../wire/http.js';
import type { Call, Caller, Reply } from './call.js';
import type { Settings } from './options.js';

/** A task that runs in this process now. */
export interface RunningTask {
  readonly taskId: string;
  readonly contextId: string;
  readonly tenant: string;
  readonly owner: string;
  readonly attempt: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Names a task for `agent.tasks.delete`. A `RunningTask` is one, too. */
export interface TaskName {
  readonly taskId: string;
  /** The id of the caller that started the task; '' is anonymous. */
  readonly owner: string;
  /** Default ''. */
  readonly tenant?: string;
}

/** Names a context for `agent.tasks.deleteContext`. */
export interface ContextName {
  readonly contextId: string;
  /** The id of the caller that owns the context; '' is anonymous. */
  readonly owner: string;
  /** Default ''. */
  readonly tenant?: string;
}

/** The tasks of an agent, for its operator. */
export interface AgentTasks {
  /** The tasks that run in this process now, oldest first. */
  readonly running: readonly RunningTask[];
  /**
   * Deletes a task in any state, with its events, messages and artifacts; false when there is none. A run is aborted first, on whichever
   * node it is, without a call of `cancel`. Readers get TASK_NOT_FOUND. A repeated send with the idempotency key of the task gets
   * TASK_NOT_FOUND, too, and does not run again.
   */
  delete(task: TaskName): Promise<boolean>;
  /**
   * Deletes all tasks of a context in the same way, and the direct replies in it that are kept for idempotency keys. Returns the number of
   * tasks. A task that another node has accepted but not stored yet (`taskAfterMs`) is not among them.
   */
  deleteContext(context: ContextName): Promise<number>;
}

/** The address and the bindings of a host; the card is built from them. */
export interface Interfaces {
  readonly url: string;
  readonly bindings: readonly string[];
}

/**
 * Whether this node should receive calls. `starting`: the store has not answered yet. `unavailable`: the store cannot be reached or
 * written, or another process uses this node's name. `closing`: `close` was called.
 */
export type Readiness = 'starting' | 'ready' | 'unavailable' | 'closing';

/** Options of `close`. */
export interface CloseOptions {
  /** Milliseconds that running tasks have to end by themselves. Default 30,000. */
  readonly drainMs?: number;
  /**
   * Milliseconds during which the agent works as before but reports the readiness `closing`, so that load balancers can move their traffic.
   * This time passes before `drainMs` begins. Default 0.
   */
  readonly lameDuckMs?: number;
}

/** Throws INVALID_PARAMS when a value is negative or not a number. */
export function checkClose({ drainMs = 0, lameDuckMs = 0 }: CloseOptions): void {
  for (const [name, value] of Object.entries({ drainMs, lameDuckMs })) {
    if (!(value >= 0)) throw new A2AError('INVALID_PARAMS', `${name} must be 0 or more, got ${value}`);
  }
}

/** An agent that `createAgent` made. Pass it to a host such as `listen` or `fetchHandler`, and close it at the end. */
export interface Agent {
  /** Options with every default filled in. */
  readonly settings: Settings;
  /** The tasks that run now, and deletion on request. */
  readonly tasks: AgentTasks;
  /** Whether this node should receive calls now; a readiness probe answers with it. */
  readonly readiness: Readiness;
  /** The public card for a host at this address. */
  cardAt(at: Interfaces): AgentCard;
  /**
   * Returns the caller that `auth` finds for this request. Rejects with AUTH_REQUIRED when `auth` finds none or throws; a thrown error is
   * reported with `where`.
   */
  authenticate(request: WireRequest, where?: ErrorContext): Promise<Caller>;
  /** Runs one operation. Rejects with an A2AError, never with anything else. */
  handle(call: Call): Promise<Reply>;
  /** Reports an error that no caller receives, to the log and to `onError`. */
  report(error: A2AError, where: ErrorContext): void;
  /**
   * Reports `closing` for `lameDuckMs` (0), then ends every stream, refuses calls, waits `drainMs` (30 s) for running tasks, and ends the
   * others.
   */
  close(options?: CloseOptions): Promise<void>;
}

export type { ErrorContext };
