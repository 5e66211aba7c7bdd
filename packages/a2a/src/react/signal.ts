/** Notifies the readers of a store, in the form that `useSyncExternalStore` expects. */
import { inUse } from './in-use.js';

export interface Signal {
  readonly subscribe: (listener: () => void) => () => void;
  /** Calls all listeners. */
  tell(): void;
}

/** Opens the source for the first listener and closes it after the last one. */
export function createSignal(open: () => void, close: () => void): Signal {
  const listeners = new Set<() => void>();
  const use = inUse(open, close);
  return {
    subscribe(listener) {
      // A wrapper per call, so that the same listener can be added twice.
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
