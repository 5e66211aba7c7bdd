import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { Threads, ThreadsState } from '../client/conversation/threads.js';

type Verbs = Pick<Threads, 'create' | 'switchTo' | 'rename' | 'remove'>;

/** The threads, the conversation of the one that is shown, and what can be done with them. The functions stay the same. */
export interface LiveThreads extends ThreadsState, Verbs {}

/** The list of threads, and which of them is shown: give its `active` to a `<ConversationProvider>`. Whoever made the threads closes them. */
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
