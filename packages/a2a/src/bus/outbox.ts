/**
 * Moves that wait to be sent. Only the newest move of each task is kept. If there are too many, they are dropped and replaced by one `look`
 * message.
 */
import { refKey } from '../stores/store.js';
import type { Move } from './bus.js';

export interface OutboxBatch {
  readonly moves: ReadonlyMap<string, Move>;
  /** Moves were dropped: the other nodes must check all tasks. */
  readonly look: boolean;
}

const NONE: ReadonlyMap<string, Move> = new Map();

export class Outbox {
  #moves = new Map<string, Move>();
  #look = false;
  readonly #maxMoves: number;

  constructor(maxMoves: number) {
    this.#maxMoves = maxMoves;
  }

  get isEmpty(): boolean {
    return this.#moves.size === 0 && !this.#look;
  }

  add(moves: Iterable<Move>): void {
    for (const move of moves) this.#addOne(keyOf(move), move);
  }

  #addOne(key: string, move: Move): void {
    const known = this.#moves.get(key);
    if (known !== undefined && known.seq >= move.seq) return;
    if (known === undefined && this.#moves.size >= this.#maxMoves) {
      this.#moves.clear();
      this.#look = true;
    }
    this.#moves.set(key, move);
  }

  /** Removes and returns everything that waits. */
  take(): OutboxBatch {
    const batch: OutboxBatch = { moves: this.#moves.size > 0 ? this.#moves : NONE, look: this.#look };
    if (this.#moves.size > 0) this.#moves = new Map();
    this.#look = false;
    return batch;
  }

  /** Call it when the delivery is not confirmed: the moves are sent again, unless newer ones wait. */
  putBack({ moves, look }: OutboxBatch): void {
    const newer = this.#moves;
    this.#moves = new Map(moves);
    this.#look ||= look;
    for (const [key, move] of newer) this.#addOne(key, move);
  }
}

/** A move with seq 0 reports a new inbox row. It has its own key, so that a move of the log does not replace it. */
function keyOf({ ref, seq }: Move): string {
  return seq === 0 ? `mail ${refKey(ref)}` : refKey(ref);
}
