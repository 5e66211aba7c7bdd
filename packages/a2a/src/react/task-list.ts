/** The tasks of an agent as a store, fetched page by page. */
import type { Client } from '../client/client.js';
import { type A2AError, toA2AError } from '../protocol/errors.js';
import type { RequestOf } from '../protocol/methods.js';
import type { Task } from '../protocol/types.js';
import { createSignal } from './signal.js';

/** The filter of `useTaskList`: the members of ListTasksRequest, without the page token. */
export type TaskFilter = Omit<RequestOf<'ListTasks'>, 'pageToken'>;

export interface TaskListState {
  /** All tasks fetched so far, without duplicates. */
  readonly tasks: readonly Task[];
  readonly isLoading: boolean;
  /** The error of the last page request; undefined after a success. Call `loadMore` or `refresh` to retry. */
  readonly error: A2AError | undefined;
  readonly hasMore: boolean;
}

export interface TaskList {
  readonly state: () => TaskListState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Fetches the next page, if there is one. If a page is already loading, waits for that page. Never rejects: see `error`. */
  loadMore(): Promise<void>;
  /** Fetches the first page again; the current tasks stay until it arrives. Never rejects: see `error`. */
  refresh(): Promise<void>;
}

interface Page {
  /** undefined: the first page. */
  readonly token: string | undefined;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/** Fetches the first page for the first listener. Aborts a pending request after the last listener leaves. */
export function createTaskList(client: Client, filter: TaskFilter = {}): TaskList {
  const seen = new Set<string>();
  let state: TaskListState = { tasks: [], isLoading: true, error: undefined, hasMore: true };
  let next: string | undefined;
  let page: Page | undefined;

  const change = (changes: Partial<TaskListState>): void => {
    state = { ...state, ...changes };
    readers.tell();
  };

  const load = async (token: string | undefined, { signal }: AbortController): Promise<void> => {
    try {
      const answer = await client.listTasks({ ...filter, ...(token !== undefined && { pageToken: token }) }, { signal });
      if (signal.aborted) return;
      if (token === undefined) seen.clear();
      next = unlessSeen(answer.nextPageToken, seen);
      const before = token === undefined ? [] : state.tasks;
      change({ tasks: withoutDoubles([...before, ...answer.tasks]), isLoading: false, error: undefined, hasMore: next !== undefined });
    } catch (error) {
      if (!signal.aborted) change({ isLoading: false, error: toA2AError(error) });
    }
  };

  const start = (token: string | undefined): Promise<void> => {
    page?.controller.abort();
    const controller = new AbortController();
    if (!state.isLoading) change({ isLoading: true });
    const done = load(token, controller).finally(() => {
      if (page?.controller === controller) page = undefined;
    });
    page = { token, controller, done };
    return done;
  };

  const stop = (): void => {
    page?.controller.abort();
    page = undefined;
  };

  const readers = createSignal(() => void start(undefined), stop);
  return {
    state: () => state,
    subscribe: readers.subscribe,
    async loadMore() {
      if (page !== undefined) return page.done;
      if (state.hasMore) await start(next);
    },
    refresh: () => start(undefined),
  };
}

/** undefined after the last page, or if the server returns a token that it has already returned. */
function unlessSeen(token: string | undefined, seen: Set<string>): string | undefined {
  if (token === undefined || token === '' || seen.has(token)) return undefined;
  seen.add(token);
  return token;
}

/** A task that changed between two page requests can be on both pages; the later copy is newer. */
function withoutDoubles(tasks: readonly Task[]): readonly Task[] {
  return [...new Map(tasks.map((task) => [task.id, task])).values()];
}
