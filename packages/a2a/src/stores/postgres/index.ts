/** Tasks in PostgreSQL: many nodes, one truth. */
import type { Pool } from 'pg';
import type { Clock } from '../../protocol/clock.js';
import { A2AError } from '../../protocol/errors.js';
import type { TaskStore } from '../store.js';

export interface PostgresStoreOptions {
  /** The schema that holds the tables; made where it does not exist. Default `parley`. */
  readonly schema?: string | undefined;
  /** How long events of all tasks are gathered into one commit, in milliseconds; the first after quiet does not wait. Default 2. */
  readonly lingerMs?: number;
  /** How long the log of an ended task can be replayed, in hours. Default 24. */
  readonly replayHours?: number;
  /** Default: the time of the database. For tests. */
  readonly clock?: Clock;
}

/** A store that keeps tasks in a PostgreSQL database. */
export function postgresStore(_database: string | Pool, _options: PostgresStoreOptions = {}): TaskStore {
  throw new A2AError('UNSUPPORTED_OPERATION', 'not built yet');
}
