/** The options of a run with every default filled in. */
import { definedOnly } from '../../platform/defined-only.js';
import type { DelegationScope } from '../../protocol/delegation-scope.js';
import { A2AError } from '../../protocol/errors.js';
import type { CallOptions } from '../call-options.js';
import type { RunSettings } from '../calling.js';
import type { WatchOptions } from '../client.js';
import { checkNumber } from '../resilience/check-number.js';
import type { ReconnectOptions, RunOptions } from './run-options.js';

export interface RunPlan
  extends Pick<
    RunOptions,
    | 'onEvent'
    | 'tools'
    | 'metadata'
    | 'historyLength'
    | 'acceptedOutputModes'
    | 'taskPushNotificationConfig'
    | 'onInputRequired'
    | 'onAuthRequired'
  > {
  /** A watch leaves questions without a handler to other callers. */
  readonly kind: 'run' | 'watch';
  readonly mode: 'auto' | 'stream' | 'poll';
  readonly pollingIntervalMs: number;
  /** Polling interval while a watched task waits for input. That may take days, so it is longer. */
  readonly waitingIntervalMs: number;
  readonly reconnect: Required<ReconnectOptions>;
  readonly inputRequiredTimeoutMs: number | undefined;
  readonly throwOn: 'failure' | 'never';
  readonly scope: DelegationScope | undefined;
  readonly signal: AbortSignal | undefined;
  readonly idempotencyKey: string | undefined;
  /** Options of every call, without a signal, because the run has its own. */
  readonly call: CallOptions;
}

/** For example, 500 ms become 5 s. */
const WAITING_FACTOR = 10;

/** Throws immediately if an option is invalid. */
export function toPlan(kind: RunPlan['kind'], options: RunOptions | WatchOptions, settings: RunSettings): RunPlan {
  const { signal, idempotencyKey, scope } = options;
  const plan: RunPlan = {
    kind,
    mode: options.mode ?? settings.mode,
    pollingIntervalMs: options.pollingIntervalMs ?? settings.pollingIntervalMs,
    waitingIntervalMs: options.pollingIntervalMs ?? settings.pollingIntervalMs * (kind === 'watch' ? WAITING_FACTOR : 1),
    reconnect: { ...settings.reconnect, ...definedOnly(options.reconnect ?? {}) },
    historyLength: options.historyLength,
    acceptedOutputModes: options.acceptedOutputModes,
    taskPushNotificationConfig: options.taskPushNotificationConfig,
    onInputRequired: options.onInputRequired ?? settings.onInputRequired,
    onAuthRequired: options.onAuthRequired ?? settings.onAuthRequired,
    inputRequiredTimeoutMs: options.inputRequiredTimeoutMs ?? settings.inputRequiredTimeoutMs,
    throwOn: options.throwOn ?? 'failure',
    onEvent: options.onEvent,
    tools: 'tools' in options ? options.tools : undefined,
    metadata: 'metadata' in options ? options.metadata : undefined,
    scope,
    signal,
    idempotencyKey,
    call: callOptions(options),
  };
  checkPlan(plan);
  return plan;
}

/** Returns the options for every call of the run. */
function callOptions(options: RunOptions | WatchOptions): CallOptions {
  const { headers, credentials, scopes, tenant, extensions, timeouts, activation, requestId, onExtensions, scope } = options;
  const traced = scope?.trace === undefined ? headers : { traceparent: scope.trace, ...headers };
  return definedOnly({ headers: traced, credentials, scopes, tenant, extensions, timeouts, activation, requestId, onExtensions });
}

function checkPlan({ mode, throwOn, pollingIntervalMs, inputRequiredTimeoutMs, historyLength, reconnect }: RunPlan): void {
  if (!['auto', 'stream', 'poll'].includes(mode)) throw bad(`mode must be auto, stream or poll, got ${mode}`);
  if (!['failure', 'never'].includes(throwOn)) throw bad(`throwOn must be failure or never, got ${throwOn}`);
  checkNumber('pollingIntervalMs', pollingIntervalMs, { min: 1 });
  if (inputRequiredTimeoutMs !== undefined) checkNumber('inputRequiredTimeoutMs', inputRequiredTimeoutMs, { min: 1 });
  if (historyLength !== undefined) checkNumber('historyLength', historyLength, { whole: true });
  const { maxRetries, initialDelayMs, multiplier, maxDelayMs } = reconnect;
  checkNumber('reconnect.maxRetries', maxRetries);
  checkNumber('reconnect.initialDelayMs', initialDelayMs);
  checkNumber('reconnect.multiplier', multiplier, { min: 1 });
  checkNumber('reconnect.maxDelayMs', maxDelayMs);
}

function bad(message: string): A2AError {
  return new A2AError('INVALID_PARAMS', message);
}
