import { useMemo, useSyncExternalStore } from 'react';
import type { Client } from '../client/client.js';
import { createTaskList, type TaskFilter, type TaskList, type TaskListState } from './task-list.js';
import { valueKey } from './value-key.js';

/** The tasks fetched so far, and how to fetch more of them. The functions stay the same as long as client and filter do. */
export interface LiveTaskList extends TaskListState, Pick<TaskList, 'loadMore' | 'refresh'> {}

/** The tasks of an agent, page by page. Another filter, by value, begins anew; leaving the page aborts what is on its way. */
export function useTaskList(client: Client, filter: TaskFilter = {}): LiveTaskList {
  const key = valueKey(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the filter counts by its value, which is the key
  const list = useMemo(() => createTaskList(client, filter), [client, key]);
  const state = useSyncExternalStore(list.subscribe, list.state, list.state);
  return useMemo(() => ({ ...state, loadMore: list.loadMore, refresh: list.refresh }), [state, list]);
}
