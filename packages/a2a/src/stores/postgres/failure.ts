/** What PostgreSQL, its driver and the network say, sorted by what is to be done about it. */
import { isA2AError } from '../../protocol/errors.js';

/** A standby, or told to take no writes. */
const READ_ONLY = '25006';

/** It passes by itself: a server that starts, stops or changes its role, and others who were quicker. */
const PASSING = new Set([
  '57P01', // shut down
  '57P02', // crashed
  '57P03', // starting or stopping
  '57P05', // a connection that it has ended for being idle, in the moment in which it was used
  '53300', // no connection is left
  READ_ONLY, // after a failover another one is written to
  '40001', // serialization
  '40P01', // deadlock
  '55P03', // a lock was not to be had
  '57014', // the time that it gives to a statement
  '23505', // where its snapshots are older than its locks, two who wrote at once find out here
]);
const CONNECTION_CLASS = '08';
const LOCKED = '55P03';

/** What the server itself said: its code, or undefined when it was not the server. */
export function sqlState(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('severity' in thrown) || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** Whether it is worth to try again soon. */
export function isPassing(thrown: unknown): boolean {
  const state = sqlState(thrown);
  if (state !== undefined) return PASSING.has(state) || state.startsWith(CONNECTION_CLASS);
  // Everything else that the driver throws is a connection that broke, or could not be made.
  return thrown instanceof Error && !isOurs(thrown) && !isUntrusted(thrown);
}

/**
 * The server answered, and its connection can be used again. One that leads to where nothing can be written can not: it may be from before
 * a failover, and a new one leads elsewhere.
 */
export function isAnswer(thrown: unknown): boolean {
  const state = sqlState(thrown);
  if (state === READ_ONLY) return false;
  if (state === undefined || state.startsWith(CONNECTION_CLASS) || state.startsWith('57P')) return false;
  return thrown instanceof Error && 'severity' in thrown && thrown.severity !== 'FATAL' && thrown.severity !== 'PANIC';
}

/** Somebody holds a row that one of several writes needs: the others need not wait for it. */
export const isLocked = (thrown: unknown): boolean => sqlState(thrown) === LOCKED;

/** What was said on purpose, and what is a mistake in code. */
const OURS = [TypeError, RangeError, ReferenceError, SyntaxError];
const isOurs = (error: Error): boolean => isA2AError(error) || OURS.some((one) => error instanceof one);

/** A certificate does not become right by waiting. */
function isUntrusted(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && /CERT|ERR_TLS|UNABLE_TO_/.test(error.code);
}
