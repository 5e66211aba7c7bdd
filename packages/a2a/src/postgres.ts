/** `@parley/a2a/postgres`: a task store and an event bus in PostgreSQL, shared by many nodes; needs `pg`. */
import type { Pool } from 'pg';
import type { EventBus } from './bus/bus.js';
import { postgresBus } from './bus/postgres/index.js';
import { type PostgresStoreOptions, postgresStore } from './stores/postgres/index.js';
import type { TaskStore } from './stores/store.js';

export type { EventBus } from './bus/bus.js';
export type { TaskStore } from './stores/store.js';

export interface PostgresOptions extends PostgresStoreOptions {
  /**
   * Where to listen for what other nodes did: a connection of its own, straight to the server. Needed when the store is reached through a
   * pooler that lends connections for one transaction (PgBouncer in transaction mode). Default: as the store.
   */
  readonly listenUrl?: string;
  /** Told what somebody who runs this should know, such as that no notice arrives. Default: `process.emitWarning`. */
  readonly onWarning?: (text: string) => void;
}

export interface PostgresStore extends TaskStore {
  /** LISTEN and NOTIFY in the same database; not connected before an agent uses it. */
  readonly bus: EventBus;
}

/** A store for `createAgent`, by the URL of a database or with a Pool of your own, which stays yours to end. */
export function postgres(database: string | Pool, options: PostgresOptions = {}): PostgresStore {
  const { listenUrl, onWarning, ...rest } = options;
  const store = postgresStore(database, rest);
  const bus = postgresBus(listenUrl ?? database, { schema: options.schema, onWarning });
  return { ...store, bus };
}
