import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { Threads, ThreadsState } from '../client/conversation/threads.js';

type Verbs = Pick<Threads, 'create' | 'switchTo' | 'rename' | 'remove'>;

/** The threads, the active conversation, and the commands. The functions keep their identity. */
export interface LiveThreads extends ThreadsState, Verbs {}

/** The list of threads and the active one. Pass `active` to a `<ConversationProvider>`. The caller closes the threads that it created. */
export function useThreads(threads: Threads): LiveThreads {
  const subscribe = useCallback((listener: () => void) => threads.subscribe(listener), [threads]);
  const getState = (): ThreadsState => threads.state;
  const state = useSyncExternalStore(subscribe, getState, getState);
  const verbs = useMemo(() => verbsOf(threads), [threads]);
  return useMemo(() => ({ ...state, ...verbs }), [state, verbs]);
}

function verbsOf(threads: Threads): Verbs {
  return {
    create: () => threads.create(),
    switchTo: (...args) => threads.switchTo(...args),
    rename: (...args) => threads.rename(...args),
    remove: (...args) => threads.remove(...args),
  };
}
