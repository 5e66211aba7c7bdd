/**
 * The slow way to learn what other nodes did: a bus is a hint and may be lost, so that the store is asked every few seconds where all
 * tasks are that somebody follows here or that run here, in one question. Whoever missed something then looks.
 */
import type { EventBus } from '../bus/bus.js';
import { refKey, type TaskRef, type TaskStore } from '../stores/store.js';
import type { ActiveTasks } from './active-tasks.js';
import type { Hub } from './hub.js';
import { inTime } from './in-time.js';
import type { Settings } from './options.js';

export interface RereadParts {
  readonly settings: Pick<Settings, 'clock' | 'rereadMs' | 'leaseMs'>;
  readonly store: TaskStore;
  readonly hub: Hub;
  readonly active: ActiveTasks;
}

/** While the bus hears nothing, this is all that tells readers. */
const DEAF_MS = 250;
/** After a question that failed. */
const RETRY_MS = 1_000;
/** Tasks in one question. */
const CHUNK = 1_000;
const BACKGROUND = { background: true };

export class Reread {
  readonly #parts: RereadParts;
  #hears = true;
  #isStopped = false;
  #isLooking = false;
  /** Something may have been missed since the question that is under way. */
  #isDue = false;
  #takeBack = (): void => {};

  constructor(parts: RereadParts) {
    this.#parts = parts;
  }

  /** From now on, where the store is shared with other nodes; a local one tells its readers of everything by itself. */
  start(): void {
    if (this.#parts.store.isRemote) this.#lookAgainIn(this.#everyMs);
  }

  stop(): void {
    this.#isStopped = true;
    this.#takeBack();
  }

  /** The bus says whether it hears. Before it did, moves may have been missed. */
  readonly onHearing: NonNullable<Parameters<EventBus['listen']>[1]> = (hears) => {
    this.#hears = hears;
    this.#isDue ||= hears;
    if (this.#parts.store.isRemote && !this.#isLooking) this.#lookAgainIn(this.#everyMs);
  };

  /** Asks now. Rejects when the store can not be asked. */
  async look(): Promise<void> {
    const refs = this.#watched();
    for (let from = 0; from < refs.length && !this.#isStopped; from += CHUNK) await this.#lookAt(refs.slice(from, from + CHUNK));
  }

  get #everyMs(): number {
    if (this.#isDue) return 0;
    return this.#hears ? this.#parts.settings.rereadMs : Math.min(DEAF_MS, this.#parts.settings.rereadMs);
  }

  #lookAgainIn(delayMs: number): void {
    this.#takeBack();
    if (!this.#isStopped) this.#takeBack = this.#parts.settings.clock.after(delayMs, () => void this.#goOn(), BACKGROUND);
  }

  /** Never rejects: what failed was reported where it did. */
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

  /** Those that somebody follows, and those that run: each once. */
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
      active.found(ref, position); // first: who runs a task that is not ours any more sends its readers to the log
      hub.found(ref, position?.seq);
    }
  }
}
