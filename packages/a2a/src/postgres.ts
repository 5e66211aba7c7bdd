/** `@parley/a2a/postgres`: a task store and an event bus in PostgreSQL, shared by many nodes; needs `pg`. */
import type { Pool } from 'pg';
import type { EventBus } from './bus/bus.js';
import { postgresBus } from './bus/postgres/index.js';
import { type PostgresStoreOptions, postgresStore } from './stores/postgres/index.js';
import type { TaskStore } from './stores/store.js';

export type { EventBus } from './bus/bus.js';
export type { TaskStore } from './stores/store.js';

/** Options of `postgres`: those of the store, and the connection that listens for changes. */
export interface PostgresOptions extends PostgresStoreOptions {
  /**
   * URL of the connection that listens for changes by other nodes; it must lead directly to the server. Needed when the store is behind a
   * pooler that lends connections per transaction (PgBouncer in transaction mode). Default: the database of the store.
   */
  readonly listenUrl?: string;
  /** Called with warnings for the operator, for example that no notifications arrive. Default: `process.emitWarning`. */
  readonly onWarning?: (text: string) => void;
}

/** A store in PostgreSQL, together with the bus that its nodes use. */
export interface PostgresStore extends TaskStore {
  /** LISTEN and NOTIFY in the same database. Connects when an agent first uses it. */
  readonly bus: EventBus;
}

/**
 * Creates a store for `createAgent`, from the URL of a database or a Pool of your own, which the store never ends.
 *
 * @example
 * ```ts
 * import { postgres } from '@parley/a2a/postgres';
 * import { createAgent } from '@parley/a2a/server';
 *
 * export const agent = createAgent({
 *   name: 'Echo',
 *   store: postgres('postgres://localhost/agents'),
 *   recovery: 'restart',
 *   execute: async (context) => context.text,
 * });
 * ```
 */
export function postgres(database: string | Pool, options: PostgresOptions = {}): PostgresStore {
  const { listenUrl, onWarning, ...rest } = options;
  const store = postgresStore(database, rest);
  const bus = postgresBus(listenUrl ?? database, { schema: options.schema, onWarning });
  return { ...store, bus };
}
