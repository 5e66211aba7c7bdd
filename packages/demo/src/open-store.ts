import { join } from 'node:path';
import { isA2AError } from '@parley/a2a';
import type { TaskStore } from '@parley/a2a/server';
import { sqlite } from '@parley/a2a/sqlite';
import { StartError } from './settings.js';

/** The tasks of the demo, in a file below this folder; they are still there after the next start. */
export function openStore(dataFolder: string): TaskStore {
  try {
    return sqlite(join(dataFolder, 'agent.db'));
  } catch (error) {
    if (!isA2AError(error)) throw error;
    throw new StartError(`${error.message}. Choose another folder with PARLEY_DATA=./other npm start.`, { cause: error });
  }
}
