import type { ThreadsState } from '@parley/a2a/conversation';
import { useSyncExternalStore } from 'react';
import { useStudio } from '../state/studio.js';

export function useThreads(): ThreadsState {
  const { threads } = useStudio();
  return useSyncExternalStore(
    (listener) => threads.subscribe(listener),
    () => threads.state,
  );
}
