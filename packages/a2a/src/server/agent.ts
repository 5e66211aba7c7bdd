/** What `createAgent` gives: hosts serve it, tests call it. */

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

/** Where a host can be reached, and what its interfaces are; the card is made from it. */
export interface Interfaces {
  readonly url: string;
  readonly bindings: readonly string[];
}

/**
 * Whether calls should be sent here. `starting`: the store has not answered yet. `unavailable`: it cannot be asked, or another process has
 * this node's name. `closing`: from `close` on.
 */
export type Readiness = 'starting' | 'ready' | 'unavailable' | 'closing';

/** How an agent goes away. */
export interface CloseOptions {
  /** How long what runs has to end by itself. Default 30,000. */
  readonly drainMs?: number;
  /**
   * How long everything goes on as before, except that the readiness is `closing`: the time that load balancers need to see it and to
   * send their callers elsewhere. It passes before `drainMs` begins. Default 0.
   */
  readonly lameDuckMs?: number;
}

/** Throws when these cannot be. */
export function checkClose({ drainMs = 0, lameDuckMs = 0 }: CloseOptions): void {
  for (const [name, value] of Object.entries({ drainMs, lameDuckMs })) {
    if (!(value >= 0)) throw new A2AError('INVALID_PARAMS', `${name} must be 0 or more, got ${value}`);
  }
}

export interface Agent {
  /** Options with every default filled in. */
  readonly settings: Settings;
  /** The tasks that run now, oldest first. */
  readonly tasks: readonly RunningTask[];
  /** Whether calls should be sent here now: what a readiness probe answers from. */
  readonly readiness: Readiness;
  /** The public card as served at this address. */
  cardAt(at: Interfaces): AgentCard;
  /** The caller that sends this request, by `auth`. Rejects with AUTH_REQUIRED when `auth` names none or throws, which is reported with `where`. */
  authenticate(request: WireRequest, where?: ErrorContext): Promise<Caller>;
  /** Runs one operation. Rejects with an A2AError, never with anything else. */
  handle(call: Call): Promise<Reply>;
  /** Something was caught that no caller is told of. */
  report(error: A2AError, where: ErrorContext): void;
  /** Is not ready for `lameDuckMs` (0), then ends every stream, stops taking calls, waits for what runs (`drainMs`, 30 s), and ends the rest. */
  close(options?: CloseOptions): Promise<void>;
}

export type { ErrorContext };
