import { useSyncExternalStore } from 'react';

/** From this width on, the log fits next to the conversation. */
const wide = matchMedia('(min-width: 1024px)');

export function useWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      wide.addEventListener('change', listener);
      return () => wide.removeEventListener('change', listener);
    },
    () => wide.matches,
  );
}
