import { useSyncExternalStore } from 'react';
import type { LogView } from '../state/event-log.js';
import { useSession } from '../state/session.js';

export function useLog(): LogView {
  const { log } = useSession();
  return useSyncExternalStore(log.subscribe, () => log.view);
}
