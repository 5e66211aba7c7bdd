/**
 * Gathers the events of all tasks into few commits. The first event after an idle period is committed without delay (`clock.soon`); after
 * that, there is at most one commit every `lingerMs`, or earlier when a caller waits for it. A task has at most one commit in flight, so
 * its order needs no locks. Only one durable commit is in flight at a time, so that many tasks share one disk sync; chunks of other tasks
 * do not wait for it. Large writes are committed one by one beside these commits: in one commit with a task of many megabytes, all other
 * tasks would wait until the store has taken it.
 */
import type { EventBus, Move } from '../../bus/bus.js';
import { IterationLoad } from '../../platform/iteration-load.js';
import { systemClock } from '../../platform/system-clock.js';
import type { Clock } from '../../protocol/clock.js';
import { A2AError, type ErrorReason, isA2AError } from '../../protocol/errors.js';
import type { CommitResult, TaskRef, TaskStore, TaskWrite } from '../../stores/store.js';

/** The part of a task's writer that the committer uses. */
export interface Committing {
  readonly ref: TaskRef;
  /** The newest seq that was accepted. */
  readonly seq: number;
  /** The newest seq that is committed. */
  readonly committed: number;
  /** The committer's own state for this task. */
  readonly turn: CommitTurn;
  /** The pending entries must be on disk before they are acknowledged. */
  readonly isDurable: boolean;
  /** Returns all pending entries as one write; called when a commit begins. */
  detach(): TaskWrite | undefined;
  /** Receives the result of that write. */
  settle(answer: CommitResult): void;
}

export class CommitTurn {
  /** In the list of writers with pending entries. */
  isDirty = false;
  /** A commit of this task is in flight. */
  isBusy = false;
  /** A caller waits for the pending entries. */
  isUrgent = false;
  /** The last iteration of the event loop that counted this task. */
  countedIn = -1;
}

export interface CommitterParts {
  readonly store: TaskStore;
  readonly bus: EventBus;
  readonly clock: Clock;
  /** Called with an error that a writer, a reader or the bus threw; the others continue. */
  onBroken(cause: unknown): void;
}

/** The number of characters above which a write is committed alone. */
const LARGE_WRITE_CHARS = 512 * 1024;

const NO_ANSWER: CommitResult = { kind: 'failed', cause: new Error('the store returned no answer for this write') };

export class Committer {
  #dirty: Committing[] = [];
  readonly #store: TaskStore;
  readonly #bus: EventBus;
  readonly #clock: Clock;
  readonly #onBroken: (cause: unknown) => void;
  #scheduled = false;
  readonly #load = new IterationLoad();
  #isGathering = false;
  /** A durable commit is in flight. */
  #isSyncing = false;
  #lastAt = Number.NEGATIVE_INFINITY;
  /** Resolves when the large writes so far are committed. */
  #large = Promise.resolve();

  constructor(parts: CommitterParts) {
    this.#store = parts.store;
    this.#bus = parts.bus;
    this.#clock = parts.clock;
    this.#onBroken = parts.onBroken;
  }

  /** Registers a writer with pending entries; `urgent` when a caller waits for them. */
  add(writer: Committing, urgent: boolean): void {
    const { turn } = writer;
    if (!turn.isDirty) {
      turn.isDirty = true;
      this.#dirty.push(writer);
    }
    const isNewlyUrgent = urgent && !turn.isUrgent;
    turn.isUrgent ||= urgent;
    if (this.#mustWait(writer)) return; // checked again when the commit that it waits for is answered
    if (isNewlyUrgent) this.#flushUrgent(turn);
    else if (!urgent) this.#schedule();
  }

  /** At once if this is the only task with a waiting caller in this event-loop iteration; otherwise together with the others at its end. */
  #flushUrgent(turn: CommitTurn): void {
    // One caller may need several commits of its task in one iteration.
    if (turn.countedIn !== this.#load.iteration) this.#load.add();
    turn.countedIn = this.#load.iteration;
    if (!this.#load.isShared) void this.#flush();
    else if (!this.#isGathering) {
      this.#isGathering = true;
      systemClock.soon(this.#onGathered); // not by the agent's clock, because no time passes
    }
  }

  readonly #onGathered = (): void => {
    this.#isGathering = false;
    void this.#flush();
  };

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

  /** Never rejects: each writer receives its own error. */
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

  async #flushLarge(writer: Committing, write: TaskWrite): Promise<void> {
    this.#settle([writer], await this.#commit([write]));
    this.#again();
  }

  /** Writers that must wait stay in the list. */
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
      if (isLarge(write)) {
        this.#large = this.#large.then(() => this.#flushLarge(writer, write));
        continue;
      }
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

  #settle(writers: readonly Committing[], answers: readonly CommitResult[]): void {
    const moves: Move[] = [];
    for (const [index, writer] of writers.entries()) {
      const answer = answers[index] ?? NO_ANSWER;
      writer.turn.isBusy = false;
      this.#settleOne(writer, answer);
      if (answer.kind === 'ok') moves.push({ ref: writer.ref, seq: writer.committed });
      // The write may have succeeded: readers on other nodes check the store.
      else if (answer.kind === 'failed') moves.push({ ref: writer.ref, seq: writer.seq });
    }
    if (moves.length === 0) return;
    try {
      this.#bus.notify(moves);
    } catch (cause) {
      this.#onBroken(cause);
    }
  }

  /** An error in one task or reader does not stop the others. */
  #settleOne(writer: Committing, answer: CommitResult): void {
    try {
      writer.settle(answer);
    } catch (cause) {
      this.#onBroken(cause);
    }
  }

  /** Handles the writers that were added during the commit. */
  #again(): void {
    const ready = this.#dirty.filter((writer) => !this.#mustWait(writer));
    if (ready.some(({ turn }) => turn.isUrgent)) void this.#flush();
    else if (ready.length > 0) this.#schedule();
  }

  async #commit(writes: readonly TaskWrite[]): Promise<readonly CommitResult[]> {
    try {
      return await this.#store.commit(writes);
    } catch (cause) {
      return Promise.all(writes.map((write) => this.#inquire(write, cause)));
    }
  }

  /** The outcome of the commit is unknown: if the store has our last entry under our epoch, byte for byte, it was committed. */
  async #inquire(write: TaskWrite, cause: unknown): Promise<CommitResult> {
    const last = write.entries.at(-1);
    try {
      const found = last && (await this.#store.entryAt(write.ref, last.seq));
      if (last && found?.epoch === write.epoch && found.json === last.json) return { kind: 'ok', refused: [] };
    } catch {
      // The store is still unreachable: recovery finds out later what it has.
    }
    return { kind: 'failed', cause };
  }
}

/** Why a task can no longer be written: as the store answered a write, or as another part of the node found out. */
export type Refusal = Exclude<CommitResult, { readonly kind: 'ok' }>;

/** The error of a task that can no longer be written. */
export function toLoss(answer: Refusal, { id }: TaskRef): A2AError {
  if (answer.kind === 'missing') return new A2AError('TASK_NOT_FOUND', `task ${id} was deleted`);
  const cause = answer.kind === 'failed' ? answer.cause : new Error(`the store answered: ${answer.kind}`);
  if (isA2AError(cause) && NO_ROOM.includes(cause.reason) && cause.retryAfterMs !== undefined) return cause;
  return new A2AError('AGENT_UNAVAILABLE', 'the task cannot be written at the moment; retry later', { cause, retryAfterMs: 1_000 });
}

/** With a time to retry: the store has no room for the task, or none for another task of this owner. */
const NO_ROOM: readonly ErrorReason[] = ['AGENT_UNAVAILABLE', 'RATE_LIMITED'];

function isLarge({ entries, snapshot }: TaskWrite): boolean {
  let chars = 0;
  for (const { json } of entries) chars += json.length;
  if (snapshot !== undefined) {
    chars += snapshot.history.length;
    for (const { json } of snapshot.artifacts) chars += json.length;
  }
  return chars > LARGE_WRITE_CHARS;
}
