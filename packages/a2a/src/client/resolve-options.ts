/** Fills in the defaults and refuses invalid options immediately. */
import { checkOptions } from '../platform/check-options.js';
import { definedOnly } from '../platform/defined-only.js';
import { harmless, silentLogger } from '../platform/logger.js';
import { randomIds } from '../platform/random-ids.js';
import { systemClock } from '../platform/system-clock.js';
import { A2AError } from '../protocol/errors.js';
import type { RunSettings } from './calling.js';
import { CLIENT_RULES } from './client-option-rules.js';
import { toHeaders } from './headers.js';
import type { ClientOptions } from './options.js';
import { resolveTimeouts } from './resilience/timeout-presets.js';
import type { CompatMode } from './versioned-call.js';

/** The client options with every default filled in. */
export interface ResolvedOptions extends Omit<ClientOptions, keyof RunSettings | 'compat'> {
  /** 'plain': the agent speaks only the plain dialect. */
  readonly compat: CompatMode;
  readonly settings: RunSettings;
  readonly newRequestId: () => string;
  readonly maxResponseBytes: number;
  readonly extensions: readonly string[];
}

const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
const MAX_TASK_BYTES = 64 * 1024 * 1024;
const RECONNECT: RunSettings['reconnect'] = {
  maxRetries: 3,
  initialDelayMs: 500,
  multiplier: 1,
  maxDelayMs: 30_000,
  jitter: false,
  refillOnProgress: true,
};

/** `caller` is the function that was given the options. */
export function resolveOptions(options: ClientOptions, caller = 'createClient'): ResolvedOptions {
  const { maxResponseBytes = MAX_RESPONSE_BYTES, extensions = [] } = options;
  // Other transports know the versions of their peers themselves.
  const { compat = options.transports === undefined } = options;
  checkOptions(caller, options, CLIENT_RULES);
  checkValues(options);
  return {
    ...options,
    settings: toSettings(options),
    newRequestId: options.newId === undefined ? countedIds() : checkedIds(options.newId),
    maxResponseBytes,
    extensions,
    compat,
  };
}

function toSettings(options: ClientOptions): RunSettings {
  const { logger, random = Math.random } = options;
  const onError = harmlessly(options.onError);
  return {
    clock: options.clock ?? systemClock,
    random,
    newId: options.newId === undefined ? randomIds.messageId : checkedIds(options.newId),
    logger: logger === undefined ? silentLogger : harmless(logger),
    mode: options.mode ?? 'auto',
    assumeStreaming: options.assumeStreaming ?? false,
    pollingIntervalMs: options.pollingIntervalMs ?? 500,
    maxTaskBytes: options.maxTaskBytes ?? MAX_TASK_BYTES,
    reconnect: { ...RECONNECT, ...definedOnly(options.reconnect ?? {}) },
    historyLength: options.historyLength,
    acceptedOutputModes: options.acceptedOutputModes,
    onInputRequired: options.onInputRequired,
    inputRequiredTimeoutMs: options.inputRequiredTimeoutMs,
    onAuthRequired: options.onAuthRequired,
    retries: options.retry !== false,
    onError,
  };
}

function harmlessly(onError: ClientOptions['onError']): RunSettings['onError'] {
  return (error) => {
    try {
      onError?.(error);
    } catch {
      // There is no other place to report an error of the error handler itself.
    }
  };
}

/**
 * One random id per client and a counter per request: cheaper than a random id each, and log lines of one client can be recognized. The id
 * is created with the first request, because Workers forbid randomness outside of a request handler.
 */
function countedIds(): () => string {
  let client: string | undefined;
  let last = 0;
  return () => {
    client ??= randomIds.messageId();
    last += 1;
    return `${client}-${last}`;
  };
}

function checkedIds(newId: () => string): () => string {
  return () => {
    try {
      return newId();
    } catch (cause) {
      throw new A2AError('INVALID_REQUEST', 'The function newId in the options failed', { cause });
    }
  };
}

function checkValues(options: ClientOptions): void {
  const { fetch, exchange, fetchOptions, prefer, mode, headers, extensions, tenant } = options;
  if (exchange !== undefined && fetch !== undefined) throw invalid('Give either exchange or fetch, not both');
  if (exchange !== undefined && fetchOptions !== undefined)
    throw invalid('fetchOptions have no effect on an exchange: use fetch instead of exchange');
  if (prefer !== undefined && !['jsonrpc', 'rest', 'grpc'].includes(prefer))
    throw invalid(`prefer must be jsonrpc, rest or grpc, got ${prefer}`);
  if (mode !== undefined && !['auto', 'stream', 'poll'].includes(mode)) throw invalid(`mode must be auto, stream or poll, got ${mode}`);
  if (tenant === '') throw invalid('tenant must not be empty');
  if (extensions?.some((uri) => typeof uri !== 'string' || !/^[^\s,]+$/.test(uri))) throw invalid('extensions must be URIs');
  if (typeof headers !== 'function') toHeaders(headers);
  checkNumbers(options);
  resolveTimeouts('SendMessage', options.timeouts);
}

function checkNumbers(options: ClientOptions): void {
  const { historyLength, pollingIntervalMs, inputRequiredTimeoutMs, maxResponseBytes, maxTaskBytes, reconnect = {} } = options;
  check('historyLength', historyLength, 0);
  check('pollingIntervalMs', pollingIntervalMs, 1);
  check('inputRequiredTimeoutMs', inputRequiredTimeoutMs, 1);
  check('maxResponseBytes', maxResponseBytes, 1);
  check('maxTaskBytes', maxTaskBytes, 1);
  check('reconnect.maxRetries', reconnect.maxRetries, 0);
  check('reconnect.initialDelayMs', reconnect.initialDelayMs, 0);
  check('reconnect.multiplier', reconnect.multiplier, 1);
  check('reconnect.maxDelayMs', reconnect.maxDelayMs, 0);
}

function check(name: string, value: unknown, least: number): void {
  if (value === undefined) return;
  // Written so that NaN is refused.
  if (typeof value !== 'number' || !(value >= least)) throw invalid(`${name} must be a number of at least ${least}, got ${String(value)}`);
}

function invalid(message: string): A2AError {
  return new A2AError('INVALID_PARAMS', message);
}
