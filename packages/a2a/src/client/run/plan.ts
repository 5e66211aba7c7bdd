/** What a run was told to do, with every default filled in. */
import type { DelegationScope } from '../../protocol/delegation-scope.js';
import { A2AError } from '../../protocol/errors.js';
import type { JsonObject } from '../../protocol/types.js';
import type { CallOptions } from '../call-options.js';
import type { RunSettings } from '../calling.js';
import type { WatchOptions } from '../client.js';
import type { ReconnectOptions, RunOptions } from './run-options.js';

export interface RunPlan
  extends Pick<RunOptions, 'onEvent' | 'tools' | 'historyLength' | 'acceptedOutputModes' | 'onInputRequired' | 'onAuthRequired'> {
  /** A watch leaves questions that it has no handler for to others. */
  readonly kind: 'run' | 'watch';
  readonly mode: 'auto' | 'stream' | 'poll';
  readonly pollingIntervalMs: number;
  readonly reconnect: Required<ReconnectOptions>;
  readonly inputRequiredTimeoutMs: number | undefined;
  readonly throwOn: 'failure' | 'never';
  readonly scope: DelegationScope | undefined;
  readonly signal: AbortSignal | undefined;
  readonly idempotencyKey: string | undefined;
  readonly metadata: JsonObject | undefined;
  /** Of every call; without a signal, because the run has its own. */
  readonly call: CallOptions;
}

/** Throws at once when an option can not be meant. */
export function toPlan(kind: RunPlan['kind'], options: RunOptions | WatchOptions, settings: RunSettings): RunPlan {
  const { signal, headers, credentials, tenant, extensions, timeouts, requestId, idempotencyKey } = options;
  const plan: RunPlan = {
    kind,
    mode: options.mode ?? settings.mode,
    pollingIntervalMs: options.pollingIntervalMs ?? settings.pollingIntervalMs,
    reconnect: { ...settings.reconnect, ...withoutUndefined(options.reconnect ?? {}) },
    historyLength: options.historyLength ?? settings.historyLength,
    acceptedOutputModes: options.acceptedOutputModes ?? settings.acceptedOutputModes,
    onInputRequired: options.onInputRequired ?? settings.onInputRequired,
    onAuthRequired: options.onAuthRequired ?? settings.onAuthRequired,
    inputRequiredTimeoutMs: options.inputRequiredTimeoutMs ?? settings.inputRequiredTimeoutMs,
    throwOn: options.throwOn ?? 'failure',
    onEvent: options.onEvent,
    tools: 'tools' in options ? options.tools : undefined,
    metadata: 'metadata' in options ? options.metadata : undefined,
    scope: options.scope,
    signal,
    idempotencyKey,
    call: withoutUndefined({ headers, credentials, tenant, extensions, timeouts, requestId }),
  };
  checkPlan(plan);
  return plan;
}

function checkPlan({ mode, throwOn, pollingIntervalMs, inputRequiredTimeoutMs, historyLength, reconnect }: RunPlan): void {
  if (!['auto', 'stream', 'poll'].includes(mode)) throw bad('mode', "'auto', 'stream' or 'poll'", mode);
  if (!['failure', 'never'].includes(throwOn)) throw bad('throwOn', "'failure' or 'never'", throwOn);
  if (!(pollingIntervalMs > 0)) throw bad('pollingIntervalMs', 'positive', pollingIntervalMs);
  if (inputRequiredTimeoutMs !== undefined && !(inputRequiredTimeoutMs > 0)) {
    throw bad('inputRequiredTimeoutMs', 'positive', inputRequiredTimeoutMs);
  }
  if (historyLength !== undefined && !(Number.isInteger(historyLength) && historyLength >= 0)) {
    throw bad('historyLength', 'a whole number, 0 or more', historyLength);
  }
  const { max, baseMs, factor, maxMs } = reconnect;
  if (!(max >= 0)) throw bad('reconnect.max', '0 or more', max);
  for (const [name, value] of Object.entries({ baseMs, maxMs })) if (!(value >= 0)) throw bad(`reconnect.${name}`, '0 or more', value);
  if (!(factor >= 1)) throw bad('reconnect.factor', '1 or more', factor);
}

function bad(name: string, wanted: string, value: unknown): A2AError {
  return new A2AError('INVALID_PARAMS', `${name} must be ${wanted}, got ${String(value)}`);
}

/** So that an option given as undefined is one that was not given. */
function withoutUndefined<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  // Entries lose the types of their values; those that stay are the object's own.
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
