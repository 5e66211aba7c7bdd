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
}

export class RunPlaces {
  readonly #running: ShareCounter;
  readonly #waiting: ShareCounter;
  /** In the order in which the waits began. */
  readonly #waits = new Set<RunPlace>();
  readonly #waitsOf = new Map<string, Set<RunPlace>>();

  constructor({ running, waiting }: RunBounds) {
    this.#running = new ShareCounter(running);
    this.#waiting = new ShareCounter(waiting);
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

  /** Beyond a bound the longest-waiting run is parked: of the caller that exceeds its share, otherwise of all. */
  #beginWait(place: RunPlace): void {
    const { share } = place;
    const own = this.#waitsOf.get(share.key);
    if (own === undefined) this.#waitsOf.set(share.key, new Set([place]));
    else own.add(place);
    this.#waits.add(place);
    this.#waiting.add(share);
    const exceeded = this.#waiting.refusalOf(share, 0);
    if (exceeded === undefined) return;
    const [longest] = exceeded === 'caller' ? (own ?? [place]) : this.#waits;
    longest?.run?.park();
  }

  #endWait(place: RunPlace): void {
    const { share } = place;
    const own = this.#waitsOf.get(share.key);
    own?.delete(place);
    if (own?.size === 0) this.#waitsOf.delete(share.key);
    this.#waits.delete(place);
    this.#waiting.remove(share);
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

  /** The run to park; only while it waits. */
  get run(): ParkableRun | undefined {
    return this.#run;
  }

  work(): void {
    this.#become('running');
  }

  /** The run waits for its caller, and may be parked at once. */
  wait(run: ParkableRun): void {
    if (this.#phase === 'waiting' || this.#phase === 'ended') return;
    this.#run = run;
    this.#become('waiting');
  }

  park(): void {
    this.#become('parked');
  }

  /** Permanent: later calls have no effect. */
  end(): void {
    this.#become('ended');
  }

  #become(phase: Phase): void {
    const from = this.#phase;
    if (from === phase || from === 'ended') return;
    this.#phase = phase;
    if (phase !== 'waiting') this.#run = undefined;
    this.#places.move(this, from, phase);
  }
}
