import { useSyncExternalStore } from 'react';

/** From here on there is room for the log beside the conversation. */
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
