/** The last error that belongs to no message, for example a full browser storage. */
import type { A2AError } from '@parley/a2a';

export interface Notices {
  readonly last: A2AError | undefined;
  put(error: A2AError): void;
  dismiss(): void;
  subscribe(listener: () => void): () => void;
}

export function createNotices(): Notices {
  const listeners = new Set<() => void>();
  let last: A2AError | undefined;
  const set = (next: A2AError | undefined): void => {
    last = next;
    for (const listener of listeners) listener();
  };
  return {
    get last() {
      return last;
    },
    put: set,
    dismiss: () => set(undefined),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
