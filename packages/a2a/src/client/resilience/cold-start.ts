/** Recognizes an agent that is still starting. Codes and statuses are checked first, message texts last. */
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
// A status must stand alone: the 503 in a task id 5031, a port 8503 or an address is not a status.
const STATUS = /(?:^|[\s("'[,]|\bstatus(?: code)?[:=])50[234](?=$|[\s)"'\],;:!?]|\.(?:\s|$))/i;

/** Errors of layers that gave up. They resemble the failure that caused them. */
const VERDICTS: ReadonlySet<string> = new Set(['A2ACircuitOpenError', 'A2AActivationTimeoutError', 'A2AReconnectError']);

const MAX_DEPTH = 8;

export function isVerdict(error: A2AError): boolean {
  return VERDICTS.has(error.name);
}

/** The statuses of a gateway whose agent is not running yet: 502, 503 and 504. */
export function isRetriableStatus(status: number): boolean {
  return status === 502 || status === 503 || status === 504;
}

/** Returns true if an error, or an error text, looks like an agent that is still starting. */
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
  // Browsers give no code.
  return codes.length === 0 || codes.some((code) => CODES.has(code));
}

/** Collects the codes of an error, its causes and its aggregated errors: a host with several addresses fails once per address. */
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
  // Any value may be thrown, so each member is read and checked separately.
  return (value as Readonly<Record<string, unknown>>)[name];
}
