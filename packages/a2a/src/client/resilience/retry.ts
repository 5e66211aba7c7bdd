/** Repeats a failed call if that may help and cannot do harm. */
import { harmless } from '../../platform/logger.js';
import { abortedBy } from '../../platform/until-aborted.js';
import type { Clock } from '../../protocol/clock.js';
import { type A2AError, isTransportError, toA2AError } from '../../protocol/errors.js';
import type { SendMessageResponse } from '../../protocol/types.js';
import type { ClientCall, ClientInterceptor, ClientReply, Send } from '../call.js';
import { isUnpublished, keyAfter, type UnpublishedFailure, unpublishedFailure } from '../unpublished.js';
import { BACKOFFS, type Backoff, type BackoffOptions, backoffDelay } from './backoff.js';
import { agentOf, fieldsOf } from './call-fields.js';
import { checkNumber } from './check-number.js';
import { mayTryAgain } from './classify.js';
import { isColdStartError } from './cold-start.js';
import { holdSignal } from './held-signal.js';
import { sleep } from './sleep.js';
import type { ResilienceTools } from './tools.js';

/** Options of `retry`: how often, after which delays, and after which errors a call is repeated. */
export interface RetryOptions extends BackoffOptions {
  /** The number of attempts after the first. Default 3. */
  readonly maxRetries?: number;
  /** The delay before the first retry, in milliseconds. Default 1,000. */
  readonly initialDelayMs?: number;
  /** Each delay is this multiple of the previous one. Default 2. */
  readonly multiplier?: number;
  /** Upper limit of every delay, including those that a server asks for. Default 30,000. */
  readonly maxDelayMs?: number;
  /**
   * Randomizes each delay. Default true: a random value between half and all of the delay. A delay that the server asks for is used
   * exactly.
   */
  readonly jitter?: boolean;
  /**
   * 'safe' (default): repeats a 5xx only if nothing is executed twice. 'all5xx': repeats every 5xx except 501 and 505. A function makes its
   * own decision.
   */
  readonly policy?: 'safe' | 'all5xx' | ((error: A2AError, call: ClientCall) => boolean);
  /** Called before each delay. Errors that it throws are ignored. Default: no callback. */
  onRetry?(event: RetryEvent): void;
}

/** Describes a failed attempt that is about to be repeated, for logs and metrics. */
export interface RetryEvent {
  readonly requestId: string;
  readonly agent: string;
  readonly method: string;
  readonly taskId: string | undefined;
  /** The number of the failed attempt. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly error: A2AError;
}

interface RetryPolicy {
  readonly maxRetries: number;
  readonly backoff: Backoff;
  readonly mayRetry: (error: A2AError, call: ClientCall) => boolean;
  readonly tell: (event: RetryEvent) => void;
}

/**
 * Repeats the same call with the same params, request id and idempotency key; only `attempt` increases. For streams this covers the
 * opening. A send whose task failed before the agent published anything counts as a failed call. Only then the key changes, because the old
 * key would return the failed task.
 */
export function retry(options: RetryOptions, tools: ResilienceTools): ClientInterceptor {
  const policy = resolveRetry(options);
  const logger = harmless(tools.logger);
  return (next) => {
    const tryAgain = async (call: ClientCall, thrown: unknown): Promise<ClientReply> => {
      const error = toA2AError(thrown);
      const delayMs = planRetry(error, call, { policy, random: tools.random });
      if (delayMs === undefined) throw error;
      logger.warn({ ...fieldsOf(call), attempt: call.attempt, reason: error.reason, delayMs }, 'call failed; retrying');
      policy.tell(eventOf(call, error, delayMs));
      if (!(await waits(tools.clock, delayMs, { call, error }))) throw error;
      return send(repeated(call, error));
    };
    const look = (call: ClientCall, reply: ClientReply): ClientReply | Promise<ClientReply> => {
      const failed = failureIn(call, reply);
      if (failed === undefined) return reply;
      return tryAgain(call, failed).catch((thrown: unknown) => {
        if (thrown === failed) return reply;
        throw thrown;
      });
    };
    const send: Send = (call) => {
      if (call.failed !== undefined && call.attempt === 1) return tryAgain(call, call.failed);
      return next(call).then(
        (reply) => look(call, reply),
        (thrown: unknown) => tryAgain(call, thrown),
      );
    };
    return send;
  };
}

/** Returns false if the caller revoked the repeat, before or during the delay. */
async function waits(clock: Clock, delayMs: number, { call, error }: { call: ClientCall; error: A2AError }): Promise<boolean> {
  const noRepeat = isUnpublished(error) ? call.noRepeat : undefined;
  if (noRepeat === undefined) {
    await sleep(clock, delayMs, call.signal);
    return true;
  }
  const held = holdSignal(call.signal);
  const stop = (): void => held.abort(noRepeat.reason);
  noRepeat.addEventListener('abort', stop);
  try {
    await sleep(clock, delayMs, held.signal);
  } catch (thrown) {
    if (!noRepeat.aborted || call.signal?.aborted === true) throw thrown;
  } finally {
    noRepeat.removeEventListener('abort', stop);
    held.release();
  }
  return !noRepeat.aborted;
}

function repeated(call: ClientCall, error: A2AError): ClientCall {
  const attempt = call.attempt + 1;
  if (!isUnpublished(error)) return { ...call, attempt };
  return { ...call, attempt, failed: error, ...(call.idempotencyKey !== undefined && { idempotencyKey: keyAfter(error.task) }) };
}

/**
 * Returns the unpublished failure in the reply to a send. If the repeated send returns the same failed task, the agent does not use the
 * key, and a further repeat would not help.
 */
function failureIn({ method, peer, failed }: ClientCall, reply: ClientReply): UnpublishedFailure | undefined {
  if (method !== 'SendMessage' || reply.kind !== 'value') return undefined;
  const { task } = reply.value as SendMessageResponse; // the transport has checked it against the method
  const failure = unpublishedFailure(task, peer.name);
  return failure?.task.id === failed?.task.id ? undefined : failure;
}

interface Planning {
  readonly policy: RetryPolicy;
  readonly random: () => number;
}

/** Returns the delay, or undefined to return the error. Takes the retry from the budget. */
function planRetry(error: A2AError, call: ClientCall, { policy, random }: Planning): number | undefined {
  if (isUnpublished(error) && call.noRepeat?.aborted === true) return undefined;
  if (isLeftToOthers(error, call) || !policy.mayRetry(error, call)) return undefined;
  if (call.signal?.aborted === true) throw abortedBy(call.signal);
  const { budget } = call;
  const delay = error.retryAfterMs ?? backoffDelay(policy.backoff, budget.retries('retry'), random);
  const delayMs = Math.min(Math.max(0, delay), policy.backoff.maxDelayMs);
  // A delay that ends after the deadline would be useless.
  if (delayMs >= budget.leftMs()) return undefined;
  return budget.takeRetry({ layer: 'retry', max: policy.maxRetries }) ? delayMs : undefined;
}

/** True if an outer layer waits for a cold start and the agent is not awake yet. Any other failure proves that it is awake. */
function isLeftToOthers(error: A2AError, { activation }: ClientCall): boolean {
  if (activation === undefined) return false;
  if (isColdStartError(error)) return activation === false || !activation.isAwake;
  if (activation !== false && !isTransportError(error)) activation.awake();
  return false;
}

function eventOf(call: ClientCall, error: A2AError, delayMs: number): RetryEvent {
  const { requestId, taskId } = fieldsOf(call);
  return { requestId: requestId ?? '', agent: agentOf(call), method: call.method, taskId, attempt: call.attempt, delayMs, error };
}

function resolveRetry(options: RetryOptions): RetryPolicy {
  const { maxRetries = 3, policy = 'safe' } = options;
  const { initialDelayMs, multiplier, maxDelayMs, jitter } = BACKOFFS.retry;
  const backoff = {
    initialDelayMs: checkNumber('retry.initialDelayMs', options.initialDelayMs ?? initialDelayMs),
    multiplier: checkNumber('retry.multiplier', options.multiplier ?? multiplier),
    maxDelayMs: checkNumber('retry.maxDelayMs', options.maxDelayMs ?? maxDelayMs),
    jitter: options.jitter ?? jitter,
  };
  return {
    maxRetries: checkNumber('retry.maxRetries', maxRetries, { whole: true }),
    backoff,
    mayRetry: typeof policy === 'function' ? policy : (error, call) => mayTryAgain(error, call, policy),
    tell: (event) => {
      try {
        options.onRetry?.(event);
      } catch {
        // An error in the hook must not affect the call.
      }
    },
  };
}
