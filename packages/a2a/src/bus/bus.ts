/**
 * Notifies other nodes that a task has changed. A move states only "task X is at seq n": readers fetch the entries from the log, so a
 * duplicate move is harmless and a lost one only adds latency. Local readers are notified by the local commit and do not need the bus.
 */
import type { TaskRef } from '../stores/store.js';

/** Reports that the log or the inbox of a task changed. */
export interface Move {
  readonly ref: TaskRef;
  /** The newest seq in the log; 0 when only the inbox changed; `Number.MAX_SAFE_INTEGER` when the task was deleted. */
  readonly seq: number;
}

/** Notifies the nodes that share a store of each other's changes. Implement it to use another message broker. */
export interface EventBus {
  notify(moves: readonly Move[]): void;
  /**
   * One listener per process; the returned function removes it. `onHearing(false)` reports that moves of other nodes no longer arrive;
   * `onHearing(true)` reports that they arrive again. Moves may have been missed then, so the listener must check the store itself. Until
   * the first report, a bus is assumed to receive.
   */
  listen(onMoves: (moves: readonly Move[]) => void, onHearing?: (hears: boolean) => void): () => void;
  close(): Promise<void>;
}
