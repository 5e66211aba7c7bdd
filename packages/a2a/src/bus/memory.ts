import type { EventBus, Move } from './bus.js';

/** A bus within this process. Whoever listens hears every move, also its own; agents that share one in a test hear each other. */
export function memoryBus(): EventBus {
  const listeners = new Set<(moves: readonly Move[]) => void>();
  let closed = false;

  return {
    notify(moves) {
      if (listeners.size === 0 || moves.length === 0) return;
      // The caller may use its array again, and a listener never runs inside the caller's turn.
      const told = [...moves];
      for (const listener of listeners) {
        queueMicrotask(() => {
          if (listeners.has(listener)) listener(told);
        });
      }
    },
    listen(onMoves) {
      // A function of its own, so that listening twice with one function gives two listeners.
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
