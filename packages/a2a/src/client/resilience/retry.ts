/** Sends a call again when that can help and can not harm. */
import { harmless } from '../../platform/logger.js';
import { abortedBy } from '../../platform/until-aborted.js';
import type { Clock } from '../../protocol/clock.js';
import { type A2AError, isTransportError, toA2AError } from '../../protocol/errors.js';
import type { SendMessageResponse } from '../../protocol/types.js';
import type { ClientCall, ClientInterceptor, ClientReply, Send } from '../call.js';
import { isUnpublished, keyAfter, type UnpublishedFailure, unpublishedFailure } from '../unpublished.js';
import { BACKOFFS, type Backoff, backoffDelay } from './backoff.js';
import { agentOf, fieldsOf } from './call-fields.js';
import { checkNumber } from './check-number.js';
import { mayTryAgain } from './classify.js';
import { isColdStartError } from './cold-start.js';
import { holdSignal } from './held-signal.js';
import { sleep } from './sleep.js';
import type { ResilienceTools } from './tools.js';

export interface RetryOptions {
  /** Tries after the first. Default 3. */
  readonly maxRetries?: number;
  /** Default 1,000. */
  readonly baseMs?: number;
  /** Default 2. */
  readonly factor?: number;
  /** No wait is longer, whatever a server asks for. Default 30,000. */
  readonly maxMs?: number;
  /** Default true: between half and all of the delay. What a server asks for is kept to the millisecond. */
  readonly jitter?: boolean;
  /** 'safe' (default): 5xx only where repeating does nothing twice; 'all5xx': always. A function decides by itself. */
  readonly policy?: 'safe' | 'all5xx' | ((error: A2AError, call: ClientCall) => boolean);
  /** Told before each wait; what it throws is lost. */
  onRetry?(event: RetryEvent): void;
}

export interface RetryEvent {
  readonly requestId: string;
  readonly agent: string;
  readonly method: string;
  readonly taskId: string | undefined;
  /** The try that failed. */
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
 * The same call again, with the same ids: params, request id and idempotency key stay, only `attempt` counts. Streams: their opening. A send
 * whose task failed before the agent published anything failed like a call; only its key changes, because the key leads to that task.
 */
export function retry(options: RetryOptions, tools: ResilienceTools): ClientInterceptor {
  const policy = resolveRetry(options);
  const logger = harmless(tools.logger);
  return (next) => {
    const tryAgain = async (call: ClientCall, thrown: unknown): Promise<ClientReply> => {
      const error = toA2AError(thrown);
      const delayMs = planRetry(error, call, { policy, random: tools.random });
      if (delayMs === undefined) throw error;
      logger.warn({ ...fieldsOf(call), attempt: call.attempt, reason: error.reason, delayMs }, 'call failed, it is tried again');
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

/** False: the caller took the repeat back, before or during the wait. */
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

/** The failure that a send was answered with. An agent that answers a repeated send with the same task knows it by something else than its key. */
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

/** How long to wait, or undefined to let the error be. Takes the try out of the budget. */
function planRetry(error: A2AError, call: ClientCall, { policy, random }: Planning): number | undefined {
  if (isUnpublished(error) && call.noRepeat?.aborted === true) return undefined;
  if (isLeftToOthers(error, call) || !policy.mayRetry(error, call)) return undefined;
  if (call.signal?.aborted === true) throw abortedBy(call.signal);
  const { budget } = call;
  const delay = error.retryAfterMs ?? backoffDelay(policy.backoff, budget.retries('retry'), random);
  const delayMs = Math.min(Math.max(0, delay), policy.backoff.maxMs);
  // A wait that ends behind the deadline is a wait for nothing.
  if (delayMs >= budget.leftMs()) return undefined;
  return budget.takeRetry({ layer: 'retry', max: policy.maxRetries }) ? delayMs : undefined;
}

/** Whether somebody outside waits for the agent to wake up, and it has not. Any other failure says that it has. */
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
  const { baseMs, factor, maxMs, jitter } = BACKOFFS.retry;
  const backoff = {
    baseMs: checkNumber('retry.baseMs', options.baseMs ?? baseMs),
    factor: checkNumber('retry.factor', options.factor ?? factor),
    maxMs: checkNumber('retry.maxMs', options.maxMs ?? maxMs),
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
        // A hook that throws must harm nobody.
      }
    },
  };
}
