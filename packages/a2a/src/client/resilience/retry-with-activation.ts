/** Waiting for a cold start as plain functions, for use without a client or for a single call. */
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

/** The clock and the random numbers of `retryWithActivation`; set them in tests. */
export type ActivationTools = Partial<Pick<ResilienceTools, 'clock' | 'random'>>;

/** Options of `retryWithActivation`: those of `activation`, and a signal. */
export interface RetryWithActivationOptions extends ActivationOptions {
  /** Aborts the wait. Default: only the limits end it. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls a function until it succeeds, fails with an error that is not a cold start, or has used all retries; the last error is then thrown
 * unchanged. At the time limit the signal is aborted and an A2AActivationTimeoutError is thrown, with the last error as its cause.
 */
export function retryWithActivation<T>(
  options: RetryWithActivationOptions,
  attempt: (attempt: number, signal: AbortSignal) => T | Promise<T>,
  tools: ActivationTools = {},
): Promise<T> {
  return tryWhileCold(options, { tools, mayRetry: isRetriableError, attempt });
}

/** Options of `callWithActivation`: those of `activation` and of one call. */
export interface CallWithActivationOptions extends ActivationOptions, Omit<CallOptions, 'activation'> {
  /** The clock and the random numbers to use. Default: the system clock and `Math.random`. */
  readonly tools?: ActivationTools;
}

/** A method by name, as for `client.call`. */
export interface NamedCall {
  readonly method: string;
  readonly params?: JsonValue | undefined;
}

/**
 * `client.call` for an agent that may be asleep. All attempts share one request id and one idempotency key. A send that may have run is
 * repeated only for agents that recognize its key (the log extension).
 */
export function callWithActivation(
  client: Pick<Client, 'call'>,
  { method, params }: NamedCall,
  options: CallWithActivationOptions = {},
): Promise<JsonValue> {
  const { maxColdStartMs, maxRetries, initialDelayMs, multiplier, maxDelayMs, jitter, tools = {}, ...callOptions } = options;
  const requestId = options.requestId ?? randomIds.messageId();
  const one = { ...callOptions, requestId, idempotencyKey: options.idempotencyKey ?? requestId, activation: false } as const;
  return tryWhileCold(options, {
    tools,
    // Only the client knows whether the card request or the method failed, and whether the agent recognizes the idempotency key. Its errors
    // are marked as not retryable if another attempt could execute something twice.
    mayRetry: (error) => isA2AError(error) && error.retryable && isRetriableError(error),
    attempt: (count, signal) => {
      // This function limits its attempts itself: an open circuit that they caused must not end them.
      const further: OpenOptions = { ...one, signal, evenIfOpen: count > 0 };
      return client.call(method, params, further);
    },
  });
}

/**
 * Returns a different key per attempt, for servers that want this. The client itself uses one key for all attempts, because only that
 * reveals a repetition.
 */
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
