/** Waits for agents that are asleep while they start. */
import { harmless } from '../../platform/logger.js';
import { isA2AError } from '../../protocol/errors.js';
import type { ClientCall, ClientInterceptor } from '../call.js';
import { type ActivationOptions, type ColdStartWatch, resolveActivation } from './activation-policy.js';
import { fieldsOf } from './call-fields.js';
import { mayTryAgain } from './classify.js';
import { isColdStartError } from './cold-start.js';
import { cutOffCall } from './cut-off.js';
import type { ResilienceTools } from './tools.js';
import { whileCold } from './while-cold.js';

export type { ActivationOptions } from './activation-policy.js';

/**
 * Handles failures that look like a cold start (502, 503, 504, no connection) instead of the inner `retry`, with shorter delays and one
 * deadline. A send that may have run is not repeated. A blocking send in flight is not aborted at the deadline, because the agent may be
 * working on it; only its own timeouts end it.
 */
export function activation(options: ActivationOptions, tools: ResilienceTools): ClientInterceptor {
  const policy = resolveActivation(options);
  const logger = harmless(tools.logger);
  return (next) => (call) => {
    if (call.activation === false) return next(call);
    const { budget, signal } = call;
    const tries = (): number => budget.retries() + 1;
    const watch = createWatch();
    const loop = {
      policy,
      clock: tools.clock,
      random: tools.random,
      signal,
      isCut: !isBlocking(call),
      mayRetry: (error: unknown) => isA2AError(error) && !watch.isAwake && isColdStartError(error) && mayTryAgain(error, call),
      takeRetry: (_: number, delayMs: number) =>
        delayMs < budget.leftMs() && budget.takeRetry({ layer: 'activation', max: policy.maxRetries }),
      tell(error: unknown, delayMs: number) {
        const reason = isA2AError(error) ? error.reason : 'INTERNAL_ERROR';
        logger.warn({ ...fieldsOf(call), attempt: tries() - 1, reason, delayMs }, 'the agent may be asleep; retrying');
      },
      attempts: tries,
    };
    return whileCold(loop, (_, limit) =>
      cutOffCall(limit, (held, lift) => {
        watch.onAwake = lift;
        return next({ ...call, signal: held, attempt: tries(), activation: watch });
      }),
    );
  };
}

function createWatch(): ColdStartWatch & { onAwake: () => void } {
  let isAwake = false;
  const watch = {
    onAwake: () => {},
    get isAwake() {
      return isAwake;
    },
    awake() {
      isAwake = true;
      watch.onAwake();
    },
  };
  return watch;
}

function isBlocking({ method, params }: ClientCall): boolean {
  if (method !== 'SendMessage') return false;
  // `client.call` accepts parameters of any type.
  const isQuick =
    typeof params === 'object' && params !== null && 'configuration' in params && params.configuration?.returnImmediately === true;
  return !isQuick;
}
