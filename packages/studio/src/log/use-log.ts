import { useSyncExternalStore } from 'react';
import { useSession } from '../app/session.js';
import type { LogView } from './event-log.js';

export function useLog(): LogView {
  const { log } = useSession();
  return useSyncExternalStore(log.subscribe, () => log.view);
}
