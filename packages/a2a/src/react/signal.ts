/** What a store tells its readers by: made for `useSyncExternalStore`. */
import { inUse } from './in-use.js';

export interface Signal {
  readonly subscribe: (listener: () => void) => () => void;
  /** To all listeners. */
  tell(): void;
}

/** Opens its source for the first listener, and closes it after the last. */
export function createSignal(open: () => void, close: () => void): Signal {
  const listeners = new Set<() => void>();
  const use = inUse(open, close);
  return {
    subscribe(listener) {
      // Its own function, so that one listener may be given twice.
      const told = (): void => listener();
      listeners.add(told);
      const leave = use();
      return () => {
        listeners.delete(told);
        leave();
      };
    },
    tell() {
      for (const told of [...listeners]) told();
    },
  };
}
