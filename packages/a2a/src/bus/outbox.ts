/** Moves that wait to be sent. Of each task only the newest is kept; what would be too many becomes one word: look at everything. */
import { refKey } from '../stores/store.js';
import type { Move } from './bus.js';

export interface Parcel {
  readonly moves: ReadonlyMap<string, Move>;
  /** Others have to look at everything: moves were dropped. */
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

  /** All that waits. */
  take(): Parcel {
    const parcel: Parcel = { moves: this.#moves.size > 0 ? this.#moves : NONE, look: this.#look };
    if (this.#moves.size > 0) this.#moves = new Map();
    this.#look = false;
    return parcel;
  }

  /** It is not known to have arrived: it goes again, where nothing newer waits. */
  putBack({ moves, look }: Parcel): void {
    const newer = this.#moves;
    this.#moves = new Map(moves);
    this.#look ||= look;
    for (const [key, move] of newer) this.#addOne(key, move);
  }
}

/** A move without a number says that there is mail: it is not replaced by one that says how far the log is. */
function keyOf({ ref, seq }: Move): string {
  return seq === 0 ? `mail ${refKey(ref)}` : refKey(ref);
}
