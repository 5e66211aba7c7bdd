// The records of clients: one line for each task that they started.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A failed attempt of a call that the client retried by itself. @typedef {{ at: number, method: string, attempt: number, delayMs: number,
 * why: string }} Retry
 */

/**
 * Has `error` if the task could not be completed, otherwise the final `state` and the `reply`.
 * @typedef {object} Story
 * @property {string} salt names its job
 * @property {import('./walks.mjs').Way} way
 * @property {import('./jobs.mjs').Job} job
 * @property {string} [taskId]
 * @property {string} [state]
 * @property {string} [reply]
 * @property {string} [error]
 * @property {number} from
 * @property {number} to
 * @property {readonly import('./reader.mjs').Seen[]} readers
 * @property {readonly Retry[]} [retries]
 */

export const STORIES = 'stories-';

/**
 * @param {string} folder
 * @returns {Story[]}
 */
export function readStories(folder) {
  const files = readdirSync(folder).filter((name) => name.startsWith(STORIES));
  const lines = files.flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'));
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}
