/**
 * The fallback for lost bus messages: every few seconds, one query asks the store for the positions of all tasks that have readers or run
 * on this node. Readers and tasks that missed a change then read the store.
 */
import type { EventBus } from '../../bus/bus.js';
import { inTime } from '../../platform/in-time.js';
import { refKey, type TaskRef, type TaskStore } from '../../stores/store.js';
import type { Hub } from '../log/hub.js';
import type { Settings } from '../options.js';
import type { ActiveTasks } from '../run/active-tasks.js';

export interface RereadParts {
  readonly settings: Pick<Settings, 'clock' | 'rereadMs' | 'leaseMs'>;
  readonly store: TaskStore;
  readonly hub: Hub;
  readonly active: ActiveTasks;
}

/** Interval while the bus is disconnected, when this query is the only notification of readers. */
const DEAF_MS = 250;
/** Delay after a failed query. */
const RETRY_MS = 1_000;
/** Tasks per query. */
const CHUNK = 1_000;
const BACKGROUND = { background: true };

export class Reread {
  readonly #parts: RereadParts;
  #hears = true;
  #isStopped = false;
  #isLooking = false;
  /** A change may have been missed since the current query began. */
  #isDue = false;
  #takeBack = (): void => {};

  constructor(parts: RereadParts) {
    this.#parts = parts;
  }

  /** Starts if the store is shared with other nodes; a local store needs no query, because all its writers are in this process. */
  start(): void {
    if (this.#parts.store.isRemote) this.#lookAgainIn(this.#everyMs);
  }

  stop(): void {
    this.#isStopped = true;
    this.#takeBack();
  }

  /** The bus reports whether it is connected. Moves may have been missed before it connected. */
  readonly onHearing: NonNullable<Parameters<EventBus['listen']>[1]> = (hears) => {
    this.#hears = hears;
    this.#isDue ||= hears;
    if (this.#parts.store.isRemote && !this.#isLooking) this.#lookAgainIn(this.#everyMs);
  };

  /** Queries now. Rejects when the store cannot be reached. */
  async look(): Promise<void> {
    const refs = this.#watched();
    for (let from = 0; from < refs.length && !this.#isStopped; from += CHUNK) await this.#lookAt(refs.slice(from, from + CHUNK));
  }

  /** Another node reports that this task was deleted. Never rejects: the periodic query finds it later. */
  async check(ref: TaskRef): Promise<void> {
    const { hub, active } = this.#parts;
    if (active.has(ref) || hub.isWatched(ref)) await this.#lookAt([ref]).catch(() => {});
  }

  get #everyMs(): number {
    if (this.#isDue) return 0;
    return this.#hears ? this.#parts.settings.rereadMs : Math.min(DEAF_MS, this.#parts.settings.rereadMs);
  }

  #lookAgainIn(delayMs: number): void {
    this.#takeBack();
    if (!this.#isStopped) this.#takeBack = this.#parts.settings.clock.after(delayMs, () => void this.#goOn(), BACKGROUND);
  }

  /** Never rejects: errors of the store are already reported. */
  async #goOn(): Promise<void> {
    this.#isLooking = true;
    this.#isDue = false;
    const waitMs = await this.look().then(
      () => 0,
      () => RETRY_MS,
    );
    this.#isLooking = false;
    this.#lookAgainIn(Math.max(waitMs, this.#everyMs));
  }

  /** The tasks that have readers and the tasks that run here, without duplicates. */
  #watched(): readonly TaskRef[] {
    const { hub, active } = this.#parts;
    const refs = new Map<string, TaskRef>();
    for (const ref of hub.watched()) refs.set(refKey(ref), ref);
    for (const ref of active.refs()) refs.set(refKey(ref), ref);
    return [...refs.values()];
  }

  async #lookAt(refs: readonly TaskRef[]): Promise<void> {
    const { store, hub, active, settings } = this.#parts;
    const positions = await inTime(settings.clock, store.positions(refs), settings.leaseMs);
    for (const [index, ref] of refs.entries()) {
      const position = positions[index];
      active.found(ref, position); // first: if the task is no longer ours, its writer then sends readers to the log
      hub.found(ref, position?.seq);
    }
  }
}
