/**
 * Gathers what all tasks publish into few commits. The first event after quiet commits in its own turn; then at most one
 * commit every `lingerMs`, sooner when somebody waits for it. A task has one commit under way at a time, so its order needs no
 * locks. What has to reach the disk goes one commit at a time, so that many share one sync; chunks of other tasks pass it by.
 */
import type { EventBus, Move } from '../bus/bus.js';
import type { Clock } from '../protocol/clock.js';
import type { CommitAnswer, TaskRef, TaskStore, TaskWrite } from '../stores/store.js';

/** One task's side of a commit. */
export interface Committing {
  readonly ref: TaskRef;
  /** The newest seq that was accepted. */
  readonly seq: number;
  /** The newest seq that is committed. */
  readonly committed: number;
  /** The committer's own note of where this task stands with it. */
  readonly turn: CommitTurn;
  /** What waits to be committed has to be on the disk before it is answered. */
  readonly isDurable: boolean;
  /** All that waits to be committed, as one write; asked for when a commit begins. */
  detach(): TaskWrite | undefined;
  /** How that write went. */
  settle(answer: CommitAnswer): void;
}

export class CommitTurn {
  /** In the list of those that have something to commit. */
  isDirty = false;
  /** A commit of this task is under way. */
  isBusy = false;
  /** Somebody waits for what is to be committed. */
  isUrgent = false;
}

export interface CommitterParts {
  readonly store: TaskStore;
  readonly bus: EventBus;
  readonly clock: Clock;
  /** Told of what a writer, a reader or the bus threw: the others go on. */
  onBroken(cause: unknown): void;
}

const NO_ANSWER: CommitAnswer = { kind: 'failed', cause: new Error('the store gave no answer') };

export class Committer {
  #dirty: Committing[] = [];
  readonly #store: TaskStore;
  readonly #bus: EventBus;
  readonly #clock: Clock;
  readonly #onBroken: (cause: unknown) => void;
  #scheduled = false;
  /** A commit is under way that has to reach the disk. */
  #isSyncing = false;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(parts: CommitterParts) {
    this.#store = parts.store;
    this.#bus = parts.bus;
    this.#clock = parts.clock;
    this.#onBroken = parts.onBroken;
  }

  /** This writer has something to commit; `urgent` when somebody waits for it. */
  add(writer: Committing, urgent: boolean): void {
    const { turn } = writer;
    if (!turn.isDirty) {
      turn.isDirty = true;
      this.#dirty.push(writer);
    }
    turn.isUrgent ||= urgent;
    if (this.#mustWait(writer)) return; // looked at again when what it waits for is answered
    if (urgent) void this.#flush();
    else this.#schedule();
  }

  #mustWait(writer: Committing): boolean {
    return writer.turn.isBusy || (this.#isSyncing && writer.isDurable);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const { lingerMs } = this.#store;
    const waitMs = Math.min(lingerMs, this.#lastAt + lingerMs - this.#clock.now()); // the clock may have been set back
    if (waitMs > 0) this.#clock.after(waitMs, this.#onTurn);
    else this.#clock.soon(this.#onTurn);
  }

  readonly #onTurn = (): void => {
    this.#scheduled = false;
    void this.#flush();
  };

  /** Never rejects: what went wrong is each writer's own answer. */
  async #flush(): Promise<void> {
    const writers: Committing[] = [];
    const writes: TaskWrite[] = [];
    this.#detach(writers, writes);
    if (writes.length === 0) return;
    const isDurable = writes.some((write) => write.durable);
    if (isDurable) this.#isSyncing = true;
    const answers = await this.#commit(writes);
    if (isDurable) this.#isSyncing = false;
    this.#lastAt = this.#clock.now();
    this.#settle(writers, answers);
    this.#again();
  }

  /** Those that have to wait stay in the list. */
  #detach(writers: Committing[], writes: TaskWrite[]): void {
    const dirty = this.#dirty;
    this.#dirty = [];
    for (const writer of dirty) {
      if (this.#mustWait(writer)) {
        this.#dirty.push(writer);
        continue;
      }
      writer.turn.isDirty = false;
      writer.turn.isUrgent = false;
      const write = this.#detachOne(writer);
      if (write === undefined) continue;
      writer.turn.isBusy = true;
      writers.push(writer);
      writes.push(write);
    }
  }

  #detachOne(writer: Committing): TaskWrite | undefined {
    try {
      return writer.detach();
    } catch (cause) {
      this.#onBroken(cause);
      this.#settleOne(writer, { kind: 'failed', cause });
      return undefined;
    }
  }

  #settle(writers: readonly Committing[], answers: readonly CommitAnswer[]): void {
    const moves: Move[] = [];
    for (const [index, writer] of writers.entries()) {
      const answer = answers[index] ?? NO_ANSWER;
      writer.turn.isBusy = false;
      this.#settleOne(writer, answer);
      if (answer.kind === 'ok') moves.push({ ref: writer.ref, seq: writer.committed });
      // Perhaps it got in: who follows the task elsewhere looks, and finds what the store has.
      else if (answer.kind === 'failed') moves.push({ ref: writer.ref, seq: writer.seq });
    }
    if (moves.length === 0) return;
    try {
      this.#bus.notify(moves);
    } catch (cause) {
      this.#onBroken(cause);
    }
  }

  /** One task or reader that breaks does not stop the rest. */
  #settleOne(writer: Committing, answer: CommitAnswer): void {
    try {
      writer.settle(answer);
    } catch (cause) {
      this.#onBroken(cause);
    }
  }

  /** What was published meanwhile. */
  #again(): void {
    const ready = this.#dirty.filter((writer) => !this.#mustWait(writer));
    if (ready.some(({ turn }) => turn.isUrgent)) void this.#flush();
    else if (ready.length > 0) this.#schedule();
  }

  async #commit(writes: readonly TaskWrite[]): Promise<readonly CommitAnswer[]> {
    try {
      return await this.#store.commit(writes);
    } catch (cause) {
      return Promise.all(writes.map((write) => this.#inquire(write, cause)));
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
