import { useMemo, useSyncExternalStore } from 'react';
import type { Client } from '../client/client.js';
import { createTaskList, type TaskFilter, type TaskList, type TaskListState } from './task-list.js';
import { valueKey } from './value-key.js';

/** The tasks fetched so far, and functions to fetch more. The functions keep their identity while client and filter are the same. */
export interface LiveTaskList extends TaskListState, Pick<TaskList, 'loadMore' | 'refresh'> {}

/** The tasks of an agent, page by page. A filter with a different value starts again; unmounting aborts a pending request. */
export function useTaskList(client: Client, filter: TaskFilter = {}): LiveTaskList {
  const key = valueKey(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the value of the filter
  const list = useMemo(() => createTaskList(client, filter), [client, key]);
  const state = useSyncExternalStore(list.subscribe, list.state, list.state);
  return useMemo(() => ({ ...state, loadMore: list.loadMore, refresh: list.refresh }), [state, list]);
}
