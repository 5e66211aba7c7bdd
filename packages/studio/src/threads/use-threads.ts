import { createContext, useContext } from 'react';

export interface ThreadEntry {
  readonly id: string;
  /** What was said first; empty while nothing was. */
  readonly title: string;
  readonly updatedAt: string;
}

export interface ThreadsView {
  readonly entries: readonly ThreadEntry[];
  readonly currentId: string;
  readonly open: (id: string) => void;
  readonly begin: () => void;
  readonly remove: (id: string) => void;
}

export const ThreadsContext = createContext<ThreadsView | undefined>(undefined);

export function useThreads(): ThreadsView {
  const threads = useContext(ThreadsContext);
  if (!threads) throw new Error('There are no threads above this component');
  return threads;
}
