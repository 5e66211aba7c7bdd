import type { EventBus, Move } from './bus.js';

/**
 * Creates a bus within this process. Listeners get every move, including those of their own agent. Agents that share one in a test notify
 * each other.
 */
export function memoryBus(): EventBus {
  const listeners = new Set<(moves: readonly Move[]) => void>();
  let closed = false;

  return {
    notify(moves) {
      if (listeners.size === 0 || moves.length === 0) return;
      // Copied, because the caller may reuse its array. Delivered in a microtask, so that a listener never runs inside the caller's
      // `notify`.
      const told = [...moves];
      for (const listener of listeners) {
        queueMicrotask(() => {
          if (listeners.has(listener)) listener(told);
        });
      }
    },
    listen(onMoves) {
      // A wrapper, so that the same function can listen twice.
      const listener = (moves: readonly Move[]): void => onMoves(moves);
      if (!closed) listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    async close() {
      closed = true;
      listeners.clear();
    },
  };
}
