import { sliceLines } from '../../protocol/task-text.js';
import { newestMessages } from '../conversation.js';
import { pageBytesOf } from '../page-bytes.js';
import type { ContextRef, ListQuery, StoredEntry, StoredTask, TaskPage, TaskRef } from '../store.js';
import type { Tables } from './tables.js';
import { byStatus, newestHistory, toStoredTask } from './task-row.js';

export function readAfter(tables: Tables, ref: TaskRef, seq: number, maxBytes: number): readonly StoredEntry[] | 'compacted' | 'missing' {
  const row = tables.tasks.find(ref);
  if (row === undefined) return 'missing';
  if (seq >= row.seq) return [];
  return row.log === undefined ? 'compacted' : row.log.after(seq, { maxBytes });
}

/** Walks one list that holds exactly the tasks with this context and state, from the keyset down to `statusAtOrAfter`. */
export function list(tables: Tables, query: ListQuery): TaskPage {
  const { after, limit, maxBytes = Number.POSITIVE_INFINITY, state, contextId, count } = query;
  const oldest = query.statusAtOrAfter ?? Number.NEGATIVE_INFINITY;
  const rows = tables.tasks.byStatus(query, contextId)?.in(state);
  const tasks: StoredTask[] = [];
  let more = false;
  let bytes = 0;
  for (const row of rows?.descending(after && ((other) => byStatus(other, after) < 0)) ?? []) {
    if (row.statusAt < oldest) break;
    more = tasks.length >= limit;
    if (more) break;
    // Before its texts are unpacked: a page of large tasks must not unpack one that it does not have.
    more = tasks.length > 0 && query.withoutArtifacts !== true && bytes + row.artifactsLength > maxBytes;
    if (more) break;
    const task = toStoredTask(row, query);
    bytes += pageBytesOf(task);
    more = tasks.length > 0 && bytes > maxBytes;
    if (more) break;
    tasks.push(task);
  }
  if (!count) return { tasks, more };
  return { tasks, more, total: rows === undefined ? 0 : rows.size - rows.rank((row) => row.statusAt < oldest) };
}

/** Searches back from the newest message: a reader that has the newest ones asks for those before them. */
export function messages(tables: Tables, ref: TaskRef, from: number, to: number): string {
  const row = tables.tasks.find(ref);
  if (row === undefined || to <= from) return '';
  return sliceLines(newestHistory(row, row.messages - from), 0, to - from);
}

export function conversation(tables: Tables, context: ContextRef, limit: number): readonly string[] {
  const newestFirst: string[] = [];
  for (const row of tables.tasks.newestFirst(context)) {
    if (newestFirst.length >= limit) break;
    newestFirst.push(...newestMessages(toStoredTask(row, { historyLength: limit, withoutArtifacts: true }), limit - newestFirst.length));
  }
  return newestFirst.reverse();
}
