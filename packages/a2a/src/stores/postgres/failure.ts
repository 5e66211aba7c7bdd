/** Classifies errors of PostgreSQL, its driver and the network by how to react. */
import { isA2AError } from '../../protocol/errors.js';

/** The server is a standby, or is configured to refuse writes. */
const READ_ONLY = '25006';

/** Errors that are worth a retry: the server starts, stops or changes its role, or a concurrent transaction won. */
const PASSING = new Set([
  '57P01', // server shut down
  '57P02', // server crashed
  '57P03', // server starting or stopping
  '57P05', // the server closed an idle connection just when it was used
  '53300', // too many connections
  READ_ONLY, // after a failover, a new connection leads to the primary
  '40001', // serialization failure
  '40P01', // deadlock
  '55P03', // lock timeout
  '57014', // statement timeout
  '23505', // with an isolation level whose snapshot is older than its locks, concurrent inserts collide here
]);
const CONNECTION_CLASS = '08';
const LOCKED = '55P03';

/** The SQLSTATE that the server sent; undefined if the error is not from the server. */
export function sqlState(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('severity' in thrown) || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** Whether a retry soon may succeed. */
export function isPassing(thrown: unknown): boolean {
  const state = sqlState(thrown);
  if (state !== undefined) return PASSING.has(state) || state.startsWith(CONNECTION_CLASS);
  // Everything else that the driver throws is a connection that broke or could not be made.
  return thrown instanceof Error && !isOurs(thrown) && !isUntrusted(thrown);
}

/**
 * The server answered, and the connection can be used again. A connection to a read-only server is not reused: it may be from before a
 * failover, and a new one may lead to the primary.
 */
export function isAnswer(thrown: unknown): boolean {
  const state = sqlState(thrown);
  if (state === READ_ONLY) return false;
  if (state === undefined || state.startsWith(CONNECTION_CLASS) || state.startsWith('57P')) return false;
  return thrown instanceof Error && 'severity' in thrown && thrown.severity !== 'FATAL' && thrown.severity !== 'PANIC';
}

/** Another transaction holds a row that one of several writes needs; the other writes need not wait for it. */
export const isLocked = (thrown: unknown): boolean => sqlState(thrown) === LOCKED;

/** Errors that we throw on purpose, and bugs in code. */
const OURS = [TypeError, RangeError, ReferenceError, SyntaxError];
const isOurs = (error: Error): boolean => isA2AError(error) || OURS.some((one) => error instanceof one);

/** An invalid certificate does not become valid by waiting. */
function isUntrusted(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && /CERT|ERR_TLS|UNABLE_TO_/.test(error.code);
}
