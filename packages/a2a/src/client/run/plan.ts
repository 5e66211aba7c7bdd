/** What a run was told to do, with every default filled in. */
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
  /** A watch leaves questions that it has no handler for to others. */
  readonly kind: 'run' | 'watch';
  readonly mode: 'auto' | 'stream' | 'poll';
  readonly pollingIntervalMs: number;
  /** While a watched task waits for its caller: that may take days, and nobody sits before it. */
  readonly waitingIntervalMs: number;
  readonly reconnect: Required<ReconnectOptions>;
  readonly inputRequiredTimeoutMs: number | undefined;
  readonly throwOn: 'failure' | 'never';
  readonly scope: DelegationScope | undefined;
  readonly signal: AbortSignal | undefined;
  readonly idempotencyKey: string | undefined;
  /** Of every call; without a signal, because the run has its own. */
  readonly call: CallOptions;
}

/** Half a second becomes five. */
const WAITING_FACTOR = 10;

/** Throws at once when an option can not be meant. */
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

/** What every call of the run is told. */
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
  const { max, baseMs, factor, maxMs } = reconnect;
  checkNumber('reconnect.max', max);
  checkNumber('reconnect.baseMs', baseMs);
  checkNumber('reconnect.factor', factor, { min: 1 });
  checkNumber('reconnect.maxMs', maxMs);
}

function bad(message: string): A2AError {
  return new A2AError('INVALID_PARAMS', message);
}
