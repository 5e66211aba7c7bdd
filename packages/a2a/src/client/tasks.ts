import type { RequestOf } from '../protocol/methods.js';
import type { Task } from '../protocol/types.js';
import type { CallOptions } from './call-options.js';
import type { Calling } from './calling.js';

/**
 * Yields every matching task. Pages are fetched as the loop advances. Stops if the server repeats a page token, which would loop forever.
 */
export async function* listAll(
  calling: Calling,
  filter: Omit<RequestOf<'ListTasks'>, 'pageToken'> = {},
  options?: CallOptions,
): AsyncGenerator<Task> {
  const seen = new Set<string>();
  let pageToken: string | undefined;
  do {
    const page = await calling.value('ListTasks', { ...filter, ...(pageToken !== undefined && { pageToken }) }, options);
    yield* page.tasks;
    pageToken = page.nextPageToken === '' ? undefined : page.nextPageToken;
    if (pageToken !== undefined && seen.has(pageToken)) return;
    if (pageToken !== undefined) seen.add(pageToken);
  } while (pageToken !== undefined);
}
