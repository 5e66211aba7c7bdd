/** What an agent that is just being started looks like from outside. What can be told by its form is; texts come last. */
import { type A2AError, isA2AError, isTransportError } from '../../protocol/errors.js';

const CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
  'ConnectionRefused',
]);

const WORDS = /connection refused|econnrefused|connect error/i;
// A status stands alone: neither a task 5031 nor a port 8503 nor a part of an address or an id is one.
const STATUS = /(?:^|[\s("'[,]|\bstatus(?: code)?[:=])50[234](?=$|[\s)"'\],;:!?]|\.(?:\s|$))/i;

/** Made by those who gave up: they look like what they gave up on. */
const VERDICTS: ReadonlySet<string> = new Set(['A2ACircuitOpenError', 'A2AActivationTimeoutError', 'A2AReconnectError']);

const MAX_DEPTH = 8;

export function isVerdict(error: A2AError): boolean {
  return VERDICTS.has(error.name);
}

/** The statuses of a gateway whose agent is not there yet: 502, 503 and 504. */
export function isRetriableStatus(status: number): boolean {
  return status === 502 || status === 503 || status === 504;
}

/** Whether an error, or the text of one, looks like an agent that is still starting. */
export function isRetriableError(error: unknown): boolean {
  if (typeof error === 'string') return WORDS.test(error) || STATUS.test(error);
  return isColdStartError(error);
}

export function isColdStartError(error: unknown): boolean {
  if (isA2AError(error)) return isColdStart(error);
  const codes = codesOf(error);
  if (codes.length > 0) return codes.some((code) => CODES.has(code));
  const status = memberOf(error, 'status') ?? memberOf(error, 'statusCode');
  if (typeof status === 'number') return isRetriableStatus(status);
  const message = memberOf(error, 'message');
  return typeof message === 'string' && isRetriableError(message);
}

function isColdStart(error: A2AError): boolean {
  if (!isTransportError(error)) return !isVerdict(error) && isRetriableStatus(error.httpStatus);
  if (error.kind === 'timeout') return error.phase === 'connect';
  if (error.kind !== 'network') return false;
  const codes = codesOf(error.cause);
  // Browsers say no more than that it failed.
  return codes.length === 0 || codes.some((code) => CODES.has(code));
}

/** The codes of an error, of its causes, and of those it was gathered from: where a host has several addresses, each fails by itself. */
function codesOf(error: unknown, depth = 0): readonly string[] {
  if (typeof error !== 'object' || error === null || depth === MAX_DEPTH) return [];
  const code = memberOf(error, 'code');
  const errors = memberOf(error, 'errors');
  const gathered = Array.isArray(errors) ? errors.slice(0, MAX_DEPTH) : [];
  const nested = [memberOf(error, 'cause'), ...gathered].flatMap((inner) => codesOf(inner, depth + 1));
  return typeof code === 'string' ? [code, ...nested] : nested;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  // What is thrown may be anything; its members are read one by one and checked where they are used.
  return (value as Readonly<Record<string, unknown>>)[name];
}
