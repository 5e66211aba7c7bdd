/** The waiting for a cold start as plain functions, for those who have no client or want it for one call only. */
import { randomIds } from '../../platform/random-ids.js';
import { systemClock } from '../../platform/system-clock.js';
import { isA2AError } from '../../protocol/errors.js';
import type { JsonValue } from '../../protocol/types.js';
import type { CallOptions } from '../call-options.js';
import type { OpenOptions } from '../calling.js';
import type { Client } from '../client.js';
import { type ActivationOptions, resolveActivation } from './activation-policy.js';
import { isRetriableError } from './cold-start.js';
import { cutOff } from './cut-off.js';
import type { ResilienceTools } from './tools.js';
import { whileCold } from './while-cold.js';

export type ActivationTools = Partial<Pick<ResilienceTools, 'clock' | 'random'>>;

export interface RetryWithActivationOptions extends ActivationOptions {
  /** Aborting ends the waiting. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls a function until it succeeds, fails with what is no cold start, or was tried often enough: then its last error is thrown as it is.
 * When the time is over the signal is aborted and an A2AActivationTimeoutError is thrown, whose cause is that last error.
 */
export function retryWithActivation<T>(
  options: RetryWithActivationOptions,
  attempt: (attempt: number, signal: AbortSignal) => T | Promise<T>,
  tools: ActivationTools = {},
): Promise<T> {
  return tryWhileCold(options, { tools, mayRetry: isRetriableError, attempt });
}

export interface CallWithActivationOptions extends ActivationOptions, Omit<CallOptions, 'activation'> {
  readonly tools?: ActivationTools;
}

/** A method by its name, as `client.call` takes it. */
export interface NamedCall {
  readonly method: string;
  readonly params?: JsonValue | undefined;
}

/**
 * `client.call` for an agent that may be asleep. All tries have one request id and one idempotency key. A send that may have run is repeated
 * only to agents that know it by its key (the log extension).
 */
export function callWithActivation(
  client: Pick<Client, 'call'>,
  { method, params }: NamedCall,
  options: CallWithActivationOptions = {},
): Promise<JsonValue> {
  const { maxColdStartMs, initialBackoffMs, maxBackoffMs, maxRetries, jitter, tools = {}, ...callOptions } = options;
  const requestId = options.requestId ?? randomIds.messageId();
  const one = { ...callOptions, requestId, idempotencyKey: options.idempotencyKey ?? requestId, activation: false } as const;
  return tryWhileCold(options, {
    tools,
    // Only the client knows which call failed, the fetch of the card or the method itself, and whether the agent knows a send by its key.
    // Its errors are not retryable when a further try could do something twice.
    mayRetry: (error) => isA2AError(error) && error.retryable && isRetriableError(error),
    attempt: (count, signal) => {
      // These tries are counted here: the circuit that they open does not end them.
      const further: OpenOptions = { ...one, signal, evenIfOpen: count > 0 };
      return client.call(method, params, further);
    },
  });
}

/** A key per try, for servers that want one. The client itself sends one key for all tries of a call: only that can tell a repetition. */
export function idempotencyKey(requestId: string, attempt: number): string {
  return `${requestId}:${attempt}`;
}

interface Attempts<T> {
  readonly tools: ActivationTools;
  mayRetry(error: unknown): boolean;
  attempt(attempt: number, signal: AbortSignal): T | Promise<T>;
}

async function tryWhileCold<T>(options: RetryWithActivationOptions, { tools, mayRetry, attempt }: Attempts<T>): Promise<T> {
  const policy = resolveActivation(options);
  const loop = {
    policy,
    clock: tools.clock ?? systemClock,
    random: tools.random ?? Math.random,
    signal: options.signal,
    isCut: true,
    mayRetry,
    takeRetry: (taken: number) => taken < policy.maxRetries,
    tell: () => {},
    attempts: (last: number) => last + 1,
  };
  return whileCold(loop, (count, limit) => cutOff(limit, async (signal) => attempt(count, signal)));
}
