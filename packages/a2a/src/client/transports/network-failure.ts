/**
 * Decides from a rejected `fetch` whether any part of the request can have been sent. Each platform reports this differently: by code if
 * there is one, otherwise by text. If nothing is known, the request counts as sent, which is the safe assumption.
 */
import { abortedBy } from '../../platform/until-aborted.js';
import { type A2AError, A2ATransportError, isA2AError, type TimeoutPhase } from '../../protocol/errors.js';

/** Connection, DNS and TLS failures: codes of Node, undici and Bun. */
const NEVER_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'EAI_NONAME',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EPROTO',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_INVALID_URL',
  'ConnectionRefused',
  'FailedToOpenSocket',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
]);
const TLS_CODE = /^(?:CERT_|ERR_TLS_|ERR_SSL_WRONG_VERSION|ERR_SSL_UNSUPPORTED|ERR_SSL_.*(?:ALERT|HANDSHAKE|CERT))/;
// Errors without codes: Deno names the phase in parentheses, and ports and schemes that fetch itself refuses have only texts.
const WORDS = /client error \(Connect\)|^bad port$|^unknown scheme$|^Fetch failed: Requests to port \d+ are blocked/;

const PHASES: Readonly<Partial<Record<string, TimeoutPhase>>> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect',
  UND_ERR_HEADERS_TIMEOUT: 'firstByte',
  UND_ERR_BODY_TIMEOUT: 'idle',
};

/** The state of an exchange when it failed. */
export interface FailedExchange {
  readonly signal: AbortSignal | undefined;
  /** The response had begun. */
  readonly answered: boolean;
  /** The URL of the request. */
  readonly url?: string | undefined;
  /** Returns a text to add to the message if the platform gives no reason. */
  readonly hint?: (() => string | undefined) | undefined;
}

/** Converts any thrown value to the error of the exchange. A2AErrors stay unchanged. */
export function toExchangeError(thrown: unknown, { signal, answered, url, hint }: FailedExchange): A2AError {
  if (isA2AError(thrown)) return thrown;
  if (signal?.aborted) return abortedBy(signal);
  const faults = chainOf(thrown);
  const code = faults.map(codeOf).find((each) => each !== undefined);
  const sent = answered || !faults.some(isNeverSent);
  const phase = code === undefined ? undefined : PHASES[code];
  const words = wordsFor(answered ? 'answered' : sent ? 'sent' : 'unsent', { url, code });
  const added = sent && code === undefined ? hint?.() : undefined;
  const message = added === undefined ? words : `${words}. ${added}`;
  return new A2ATransportError(phase === undefined ? 'network' : 'timeout', message, { sent, phase, cause: thrown });
}

/** Describes how far an exchange came, and to which origin. The rest of the URL may be secret. */
export function wordsFor(
  came: 'unsent' | 'sent' | 'answered',
  at: { readonly url?: string | undefined; readonly code?: string | undefined },
): string {
  const origin = at.url !== undefined && URL.canParse(at.url) ? new URL(at.url).origin : undefined;
  const code = at.code === undefined ? '' : ` (${at.code})`;
  if (came === 'unsent') return `The agent${origin === undefined ? '' : ` at ${origin}`} could not be reached${code}`;
  const to = origin === undefined ? '' : ` to ${origin}`;
  return `The connection${to} broke ${came === 'sent' ? 'before' : 'in the middle of'} the response${code}`;
}

/** Returns the error, its causes and their aggregated errors: Node tries several addresses and aggregates the failures. */
function chainOf(thrown: unknown): readonly object[] {
  const faults: object[] = [];
  let current = thrown;
  while (typeof current === 'object' && current !== null && faults.length < 8 && !faults.includes(current)) {
    faults.push(current);
    current = 'cause' in current && current.cause !== undefined ? current.cause : firstOf(current);
  }
  return faults;
}

function firstOf(fault: object): unknown {
  return 'errors' in fault && Array.isArray(fault.errors) ? fault.errors[0] : undefined;
}

function codeOf(fault: object): string | undefined {
  return 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined;
}

function isNeverSent(fault: object): boolean {
  const code = codeOf(fault);
  if (code !== undefined && (NEVER_SENT.has(code) || TLS_CODE.test(code))) return true;
  if ('syscall' in fault && (fault.syscall === 'connect' || fault.syscall === 'getaddrinfo')) return true;
  return 'message' in fault && typeof fault.message === 'string' && WORDS.test(fault.message);
}
