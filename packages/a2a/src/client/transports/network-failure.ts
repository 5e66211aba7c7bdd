/**
 * What a rejected `fetch` says about the request: whether any of it can have left. Each platform tells in its own way, by codes where there
 * are codes and by words only where there is nothing else. Whoever says nothing is taken to have sent it: that is the safe mistake.
 */
import { abortedBy } from '../../platform/until-aborted.js';
import { type A2AError, A2ATransportError, isA2AError, type TimeoutPhase } from '../../protocol/errors.js';

/** No connection, no name, no trust: codes of Node, undici and Bun. */
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
// Where there are no codes: Deno puts the phase in parentheses, and ports and schemes that fetch refuses by itself have only names.
const WORDS = /client error \(Connect\)|^bad port$|^unknown scheme$|^Fetch failed: Requests to port \d+ are blocked/;

const PHASES: Readonly<Partial<Record<string, TimeoutPhase>>> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect',
  UND_ERR_HEADERS_TIMEOUT: 'firstByte',
  UND_ERR_BODY_TIMEOUT: 'idle',
};

/** What the way of an exchange was when it failed. */
export interface FailedExchange {
  readonly signal: AbortSignal | undefined;
  /** The answer had begun. */
  readonly answered: boolean;
  /** Where the request went. */
  readonly url?: string | undefined;
  /** Gives what to add to the message when the platform does not say what went wrong. */
  readonly hint?: (() => string | undefined) | undefined;
}

/** Whatever was thrown on the way, as the error of the exchange; errors of ours stay what they are. */
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

/** How far an exchange came, and where: by its origin only, because the rest of an address may be secret. */
export function wordsFor(
  came: 'unsent' | 'sent' | 'answered',
  at: { readonly url?: string | undefined; readonly code?: string | undefined },
): string {
  const origin = at.url !== undefined && URL.canParse(at.url) ? new URL(at.url).origin : undefined;
  const code = at.code === undefined ? '' : ` (${at.code})`;
  if (came === 'unsent') return `The agent${origin === undefined ? '' : ` at ${origin}`} could not be reached${code}`;
  const to = origin === undefined ? '' : ` to ${origin}`;
  return `The connection${to} broke ${came === 'sent' ? 'before' : 'in the middle of'} the answer${code}`;
}

/** The error, its causes, and what is gathered in them: Node tries several addresses and puts the failures side by side. */
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
