/**
 * Gathers what all tasks publish into few commits. The first event after quiet commits in its own turn; then at most one
 * commit every `lingerMs`, sooner when somebody waits for it. One commit is under way at a time, so order needs no locks.
 */
import type { EventBus, Move } from '../bus/bus.js';
import type { Clock } from '../protocol/clock.js';
import type { CommitAnswer, TaskStore, TaskWrite } from '../stores/store.js';

/** One task's side of a commit. */
export interface Committing {
  /** The newest seq that is committed. */
  readonly committed: number;
  /** All that waits to be committed, as one write; asked for when a commit begins. */
  detach(): TaskWrite | undefined;
  /** How that write went. */
  settle(answer: CommitAnswer): void;
}

export interface CommitterParts {
  readonly store: TaskStore;
  readonly bus: EventBus;
  readonly clock: Clock;
  /** Told of what a writer, a reader or the bus threw: the others go on. */
  onBroken(cause: unknown): void;
}

interface Part {
  readonly writer: Committing;
  readonly write: TaskWrite;
}

export class Committer {
  readonly #dirty = new Set<Committing>();
  readonly #store: TaskStore;
  readonly #bus: EventBus;
  readonly #clock: Clock;
  readonly #onBroken: (cause: unknown) => void;
  #busy = false;
  #scheduled = false;
  #urgent = false;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(parts: CommitterParts) {
    this.#store = parts.store;
    this.#bus = parts.bus;
    this.#clock = parts.clock;
    this.#onBroken = parts.onBroken;
  }

  /** This writer has something to commit; `urgent` when somebody waits for it. */
  add(writer: Committing, urgent: boolean): void {
    this.#dirty.add(writer);
    if (this.#busy) {
      if (urgent) this.#urgent = true;
      return;
    }
    if (urgent) {
      void this.#flush();
      return;
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const waitMs = this.#lastAt + this.#store.lingerMs - this.#clock.now();
    if (waitMs > 0) this.#clock.after(waitMs, this.#onTurn);
    else this.#clock.soon(this.#onTurn);
  }

  readonly #onTurn = (): void => {
    this.#scheduled = false;
    if (!this.#busy) void this.#flush();
  };

  /** Never rejects: what went wrong is each writer's own answer. */
  async #flush(): Promise<void> {
    const parts = this.#detach();
    if (parts.length === 0) return;
    this.#busy = true;
    const answers = await this.#commit(parts);
    this.#lastAt = this.#clock.now();
    this.#busy = false;
    const moves: Move[] = [];
    for (const [index, { writer, write }] of parts.entries()) {
      const answer = answers[index] ?? { kind: 'failed', cause: new Error('the store gave no answer') };
      this.#guard(() => writer.settle(answer));
      if (answer.kind === 'ok') moves.push({ ref: write.ref, seq: writer.committed });
      // Perhaps it got in: who follows the task elsewhere looks, and finds what the store has.
      else if (answer.kind === 'failed') moves.push({ ref: write.ref, seq: write.entries.at(-1)?.seq ?? 0 });
    }
    if (moves.length > 0) this.#guard(() => this.#bus.notify(moves));
    this.#again();
  }

  /** One task, reader or bus that breaks does not stop the rest. */
  #guard<T>(step: () => T): T | undefined {
    try {
      return step();
    } catch (cause) {
      this.#onBroken(cause);
      return undefined;
    }
  }

  #detach(): Part[] {
    const parts: Part[] = [];
    for (const writer of this.#dirty) {
      this.#dirty.delete(writer);
      try {
        const write = writer.detach();
        if (write) parts.push({ writer, write });
      } catch (cause) {
        this.#onBroken(cause);
        this.#guard(() => writer.settle({ kind: 'failed', cause }));
      }
    }
    return parts;
  }

  #again(): void {
    const urgent = this.#urgent;
    this.#urgent = false;
    if (this.#dirty.size === 0 || this.#busy) return;
    if (urgent) void this.#flush();
    else this.#schedule();
  }

  async #commit(parts: readonly Part[]): Promise<readonly CommitAnswer[]> {
    try {
      return await this.#store.commit(parts.map((part) => part.write));
    } catch (cause) {
      return Promise.all(parts.map((part) => this.#inquire(part.write, cause)));
    }
  }

  /** The outcome is unknown: our last entry under our epoch, byte for byte, means it was committed. */
  async #inquire(write: TaskWrite, cause: unknown): Promise<CommitAnswer> {
    const last = write.entries.at(-1);
    try {
      const found = last && (await this.#store.entryAt(write.ref, last.seq));
      if (last && found?.epoch === write.epoch && found.json === last.json) return { kind: 'ok', refused: [] };
    } catch {
      // The store is still away: what it has is settled by recovery, not by us.
    }
    return { kind: 'failed', cause };
  }
}
