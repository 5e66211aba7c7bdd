/** Keeps tasks in PostgreSQL, shared by many nodes. */
import type { Pool } from 'pg';
import type { Clock } from '../../protocol/clock.js';
import { A2AError } from '../../protocol/errors.js';
import { checkGathering } from '../sql/gathering.js';
import type { TaskStore } from '../store.js';
import { createStore, type StoreSettings } from './create-store.js';

export interface PostgresStoreOptions {
  /** The schema that holds the tables; created if it does not exist. Default `parley`. */
  readonly schema?: string | undefined;
  /** How long events of all tasks are gathered into one commit, in milliseconds. The first event after a pause does not wait. Default 2. */
  readonly lingerMs?: number;
  /** How long the log of an ended task can be replayed, in hours. Default 24. */
  readonly replayHours?: number;
  /** Maximum number of connections; a Pool of your own has its own limit. Default 10. */
  readonly connections?: number;
  /**
   * How long a call retries while the database restarts, fails over or has no free connection, in milliseconds. Keep it below the lease of
   * a node. Default 10,000.
   */
  readonly patienceMs?: number;
  /**
   * Timeout of one statement, in milliseconds; then its connection is discarded. At most half of `patienceMs` leaves time for a second
   * attempt. Default 5,000.
   */
  readonly queryTimeoutMs?: number;
  /** Default: the clock of the database. For tests. */
  readonly clock?: Clock;
}

/**
 * Creates a store in a PostgreSQL database, given by its URL or as a Pool of your own, which the store never ends. It connects on the first
 * call. Works behind a pooler that lends connections per transaction.
 */
export function postgresStore(database: string | Pool, options: PostgresStoreOptions = {}): TaskStore {
  return createStore(database, resolveOptions(options));
}

/** The longest delay that timers support. */
const MAX_TIMER_MS = 2 ** 31 - 1;

function resolveOptions(options: PostgresStoreOptions): StoreSettings {
  const { schema = 'parley', lingerMs = 2, replayHours = 24, connections = 10, patienceMs = 10_000, queryTimeoutMs = 5_000 } = options;
  checkGathering({ lingerMs, replayHours });
  if (!(Number.isInteger(connections) && connections > 0)) {
    throw new A2AError('INVALID_PARAMS', `connections must be a positive whole number, got ${connections}`);
  }
  if (!(patienceMs >= 0 && patienceMs <= MAX_TIMER_MS))
    throw new A2AError('INVALID_PARAMS', `patienceMs must be from 0 to 2147483647, got ${patienceMs}`);
  if (!(queryTimeoutMs > 0 && queryTimeoutMs <= MAX_TIMER_MS)) {
    throw new A2AError('INVALID_PARAMS', `queryTimeoutMs must be positive and at most 2147483647, got ${queryTimeoutMs}`);
  }
  return { schema, lingerMs, replayHours, connections, patienceMs, queryTimeoutMs, clock: options.clock };
}
