/**
 * Who hears that a task moved. A move says only "task X is at seq n": readers fetch what moved from the log, so a doubled
 * move costs nothing and a lost one only time. It is for other nodes; a local commit tells local readers directly.
 */
import type { TaskRef } from '../stores/store.js';

export interface Move {
  readonly ref: TaskRef;
  /** The newest seq in the log; unchanged when only the inbox grew. */
  readonly seq: number;
}

export interface EventBus {
  notify(moves: readonly Move[]): void;
  /**
   * One listener per process; the returned function stops it. `onHearing` is told false when moves of others are not heard any more, and
   * true when they are again: then some may have been missed, and the listener looks for itself. A bus is taken to hear until it says
   * otherwise.
   */
  listen(onMoves: (moves: readonly Move[]) => void, onHearing?: (hears: boolean) => void): () => void;
  close(): Promise<void>;
}
