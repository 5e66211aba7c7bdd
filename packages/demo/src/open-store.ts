import { join } from 'node:path';
import { isA2AError } from '@parley/a2a';
import type { EventBus, TaskStore } from '@parley/a2a/server';
import { sqlite } from '@parley/a2a/sqlite';
import { type Settings, StartError } from './settings.js';

/** The tasks of the demo, which survive a restart, and the bus. */
export interface OpenStore {
  readonly store: TaskStore & { readonly bus?: EventBus };
  readonly bus?: EventBus;
  /** The location, for display. */
  readonly place: string;
}

/** Opens a file in the data folder, or PostgreSQL, which other nodes may share. */
export async function openStore({ dataFolder, storeUrl, busUrl }: Settings): Promise<OpenStore> {
  if (storeUrl === undefined) return { store: openFile(dataFolder), place: dataFolder };
  const place = withoutSecrets(storeUrl);
  const store = await openDatabase(storeUrl, place);
  if (busUrl === undefined) return { store, place };
  const { redis } = await import('@parley/a2a/redis');
  return { store, bus: redis(busUrl), place };
}

/** Checks the connection at startup, so that a missing database is reported at once and not with the first task. */
async function openDatabase(storeUrl: string, place: string): Promise<OpenStore['store']> {
  const { postgres } = await import('@parley/a2a/postgres');
  const probe = postgres(storeUrl, { patienceMs: 1_000 });
  try {
    await probe.now();
    return postgres(storeUrl);
  } catch (cause) {
    const why = isA2AError(cause) ? cause.message : 'it does not answer';
    throw new StartError(`The tasks cannot be stored in ${place}: ${why}. Start the database, or set PARLEY_STORE to its URL.`, { cause });
  } finally {
    await probe.close();
  }
}

function openFile(dataFolder: string): TaskStore {
  try {
    return sqlite(join(dataFolder, 'agent.db'));
  } catch (error) {
    if (!isA2AError(error)) throw error;
    throw new StartError(`${error.message}. Choose another folder with PARLEY_DATA=./other npm start.`, { cause: error });
  }
}

function withoutSecrets(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
