/** The options of a client by name, with those of their members. Most values are checked by the parts that use them. */
import type { OptionRules } from '../platform/check-options.js';
import { aBoolean, anObject, anything } from '../platform/option-rules.js';
import type { ClientOptions } from './options.js';
import type { ActivationOptions } from './resilience/activation-policy.js';
import type { BackoffOptions } from './resilience/backoff.js';
import type { BreakerOptions } from './resilience/circuit-breaker.js';
import type { RetryOptions } from './resilience/retry.js';
import type { TimeoutPolicy } from './resilience/timeout-presets.js';
import type { ReconnectOptions } from './run/run-options.js';

const backoff: OptionRules<BackoffOptions> = {
  maxRetries: anything,
  initialDelayMs: anything,
  multiplier: anything,
  maxDelayMs: anything,
  jitter: anything,
};
const retry: OptionRules<RetryOptions> = { ...backoff, policy: anything, onRetry: anything };
const reconnect: OptionRules<ReconnectOptions> = { ...backoff, refillOnProgress: anything };
const activation: OptionRules<ActivationOptions> = { ...backoff, maxColdStartMs: anything };
const breaker: OptionRules<BreakerOptions> = { failures: anything, openMs: anything, breakers: anything };
const timeouts: OptionRules<TimeoutPolicy> = {
  connectMs: anything,
  poolMs: anything,
  writeMs: anything,
  firstByteMs: anything,
  idleMs: anything,
  totalMs: anything,
  activationMs: anything,
};

/** An option without a rule does not compile. */
export const CLIENT_RULES: OptionRules<ClientOptions> = {
  fetch: anything,
  fetchOptions: anything,
  exchange: anything,
  transports: anything,
  headers: anything,
  credentials: anything,
  allowOrigins: anything,
  tenant: anything,
  extensions: anything,
  prefer: anything,
  cardPath: anything,
  verifyCard: anything,
  extendedCard: anything,
  compat: aBoolean,
  assumeStreaming: anything,
  retry: anObject(retry, false),
  reconnect: anObject(reconnect),
  activation: anObject(activation, false),
  timeouts: anObject(timeouts, null),
  breaker: anObject(breaker, false),
  coolDowns: anything,
  interceptors: anything,
  maxResponseBytes: anything,
  maxTaskBytes: anything,
  skipBadFrames: anything,
  trace: anything,
  logger: anything,
  onError: anything,
  clock: anything,
  random: anything,
  newId: anything,
  mode: anything,
  pollingIntervalMs: anything,
  historyLength: anything,
  acceptedOutputModes: anything,
  onInputRequired: anything,
  inputRequiredTimeoutMs: anything,
  onAuthRequired: anything,
};
