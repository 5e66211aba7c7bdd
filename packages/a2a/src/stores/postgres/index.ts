/** Tasks in PostgreSQL: many nodes, one truth. */
import type { Pool } from 'pg';
import type { Clock } from '../../protocol/clock.js';
import { A2AError } from '../../protocol/errors.js';
import { checkGathering } from '../sql/gathering.js';
import type { TaskStore } from '../store.js';
import { createStore, type StoreSettings } from './create-store.js';

export interface PostgresStoreOptions {
  /** The schema that holds the tables; made where it does not exist. Default `parley`. */
  readonly schema?: string | undefined;
  /** How long events of all tasks are gathered into one commit, in milliseconds; the first after quiet does not wait. Default 2. */
  readonly lingerMs?: number;
  /** How long the log of an ended task can be replayed, in hours. Default 24. */
  readonly replayHours?: number;
  /** How many connections are opened at most; a Pool of your own has its own limit. Default 10. */
  readonly connections?: number;
  /**
   * For how long a call goes on trying while the database restarts, fails over or has no connection left, in milliseconds. Keep it below
   * the lease of a node. Default 10,000.
   */
  readonly patienceMs?: number;
  /**
   * How long one statement may take before its connection is given up, in milliseconds. Up to half of `patienceMs` leaves time for a second
   * try. Default 5,000.
   */
  readonly queryTimeoutMs?: number;
  /** Default: the time of the database. For tests. */
  readonly clock?: Clock;
}

/**
 * A store that keeps tasks in a PostgreSQL database, by its URL or with a Pool of your own, which stays yours to end. Nothing is connected
 * before the first call. Works behind a pooler that lends connections for one transaction.
 */
export function postgresStore(database: string | Pool, options: PostgresStoreOptions = {}): TaskStore {
  return createStore(database, resolveOptions(options));
}

/** Timers know no longer times. */
const MAX_TIMER_MS = 2 ** 31 - 1;

function resolveOptions(options: PostgresStoreOptions): StoreSettings {
  const { schema = 'parley', lingerMs = 2, replayHours = 24, connections = 10, patienceMs = 10_000, queryTimeoutMs = 5_000 } = options;
  checkGathering({ lingerMs, replayHours });
  if (!(Number.isInteger(connections) && connections > 0)) {
    throw new A2AError('INVALID_PARAMS', `connections must be a positive whole number, got ${connections}`);
  }
  if (!(patienceMs >= 0 && patienceMs <= MAX_TIMER_MS)) throw new A2AError('INVALID_PARAMS', `patienceMs can not be ${patienceMs}`);
  if (!(queryTimeoutMs > 0 && queryTimeoutMs <= MAX_TIMER_MS)) {
    throw new A2AError('INVALID_PARAMS', `queryTimeoutMs must be positive, got ${queryTimeoutMs}`);
  }
  return { schema, lingerMs, replayHours, connections, patienceMs, queryTimeoutMs, clock: options.clock };
}
