/** Counts the live runs of this process, per caller and in total: those that work, and those that wait for their callers. */
import { type Share, type ShareBounds, ShareCounter } from './share-counter.js';

/** A run that can be parked: it ends, its memory is freed, and the reply to its question starts it again. */
export interface ParkableRun {
  /** Must call `RunPlace.park` before it returns. */
  park(): void;
}

export interface RunBounds {
  readonly running: ShareBounds;
  readonly waiting: ShareBounds;
  /** The size of the tasks that waiting runs hold. */
  readonly waitingBytes: ShareBounds;
}

export class RunPlaces {
  readonly #running: ShareCounter;
  readonly #waiting: ShareCounter;
  readonly #waitingBytes: ShareCounter;
  /** In the order in which the waits began. */
  readonly #waits = new Set<RunPlace>();
  readonly #waitsOf = new Map<string, Set<RunPlace>>();

  constructor({ running, waiting, waitingBytes }: RunBounds) {
    this.#running = new ShareCounter(running);
    this.#waiting = new ShareCounter(waiting);
    this.#waitingBytes = new ShareCounter(waitingBytes);
  }

  /** How many runs work now, with the places that are reserved for runs. */
  get running(): number {
    return this.#running.total;
  }

  /** How many live runs wait for their callers now. */
  get waiting(): number {
    return this.#waiting.total;
  }

  /** Throws when this caller, or all callers together, have too many running tasks for one more. */
  check(share: Share): void {
    this.#running.check(share, 'running tasks');
  }

  /** A place of a run that works, also beyond the bounds; call `check` before. */
  take(share: Share): RunPlace {
    this.#running.add(share);
    return new RunPlace(this, share);
  }

  /** Called by RunPlace only. */
  move(place: RunPlace, from: Phase, to: Phase): void {
    if (from === 'running') this.#running.remove(place.share);
    if (from === 'waiting') this.#endWait(place);
    if (to === 'running') this.#running.add(place.share);
    if (to === 'waiting') this.#beginWait(place);
  }

  #beginWait(place: RunPlace): void {
    const { share } = place;
    const own = this.#waitsOf.get(share.key);
    if (own === undefined) this.#waitsOf.set(share.key, new Set([place]));
    else own.add(place);
    this.#waits.add(place);
    this.#waiting.add(share);
    this.#waitingBytes.add(share, place.bytes);
    this.#parkBeyond(place);
  }

  /**
   * Beyond a bound, parks the runs that have waited longest: of the caller that exceeds its share, otherwise of all. Never the newest: one
   * large task may exceed the bound alone, and would be parked at each of its questions.
   */
  #parkBeyond(newest: RunPlace): void {
    for (;;) {
      const [longest] = this.#exceeding(newest.share);
      if (longest === undefined || longest === newest) return;
      longest.run?.park();
      if (longest.isWaiting) return;
    }
  }

  #exceeding(share: Share): Iterable<RunPlace> {
    const refusals = [this.#waiting.refusalOf(share, 0), this.#waitingBytes.refusalOf(share, 0)];
    if (refusals.includes('caller')) return this.#waitsOf.get(share.key) ?? [];
    return refusals.includes('total') ? this.#waits : [];
  }

  #endWait(place: RunPlace): void {
    const { share } = place;
    const own = this.#waitsOf.get(share.key);
    own?.delete(place);
    if (own?.size === 0) this.#waitsOf.delete(share.key);
    this.#waits.delete(place);
    this.#waiting.remove(share);
    this.#waitingBytes.remove(share, place.bytes);
  }
}

/** `parked`: the task leaves this process and counts no more, unless it runs again first. */
type Phase = 'running' | 'waiting' | 'parked' | 'ended';

/**
 * The place of one task. A small object of its own, because a Set keeps the tables that it has outgrown, with their values, until the next
 * full garbage collection.
 */
export class RunPlace {
  readonly share: Share;
  readonly #places: RunPlaces;
  #phase: Phase = 'running';
  #run: ParkableRun | undefined;
  #bytes = 0;
  /** Messages that are being posted: the run is about to continue. */
  #expected = 0;

  constructor(places: RunPlaces, share: Share) {
    this.#places = places;
    this.share = share;
  }

  get isWaiting(): boolean {
    return this.#phase === 'waiting';
  }

  get isBusy(): boolean {
    return this.#phase === 'running';
  }

  /** The run to park; only while it waits, or would wait if no message were expected. */
  get run(): ParkableRun | undefined {
    return this.#run;
  }

  /** The size of the task when its run began to wait. */
  get bytes(): number {
    return this.#bytes;
  }

  work(): void {
    this.#run = undefined;
    this.#become('running');
  }

  /** The run waits for its caller and holds a task of this size. */
  wait(run: ParkableRun, bytes = 0): void {
    if (this.#phase === 'waiting' || this.#phase === 'ended') return;
    this.#run = run;
    this.#bytes = bytes;
    this.#become(this.#expected > 0 ? 'running' : 'waiting');
  }

  park(): void {
    this.#run = undefined;
    this.#become('parked');
  }

  /**
   * A message is being posted: until it was taken or refused, the waiting run counts as running and is not parked. Call the
   * returned function once after that.
   */
  expect(): () => void {
    this.#expected += 1;
    if (this.isWaiting) this.#become('running');
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#expected -= 1;
      if (this.#expected === 0 && this.#run !== undefined) this.#become('waiting');
    };
  }

  /** Permanent: later calls have no effect. */
  end(): void {
    this.#become('ended');
  }

  #become(phase: Phase): void {
    const from = this.#phase;
    if (from === phase || from === 'ended') return;
    this.#phase = phase;
    if (phase === 'ended') this.#run = undefined;
    this.#places.move(this, from, phase);
  }
}
