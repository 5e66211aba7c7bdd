/** What a node does besides calls: it says that it lives, settles what nobody living runs, and lets go of what is old. */

import type { ErrorContext } from '../platform/logger.js';
import { type A2AError, toA2AError } from '../protocol/errors.js';
import type { Retention, TaskStore } from '../stores/store.js';
import type { ActiveTasks } from './active-tasks.js';
import type { Lease } from './lease.js';
import type { Settings } from './options.js';

export interface UpkeepParts {
  readonly settings: Settings;
  readonly store: TaskStore;
  readonly lease: Lease;
  readonly active: ActiveTasks;
  report(error: A2AError, where: ErrorContext): void;
}

/** A lease outlives two beats that were missed. */
const BEATS_PER_LEASE = 3;
const SWEEP_EVERY_MS = 60_000;
/** Tasks looked at in one go: few enough that calls are not held up. */
const BATCH = 100;
const BACKGROUND = { background: true };

export class Upkeep {
  readonly #parts: UpkeepParts;
  #round: Promise<void> | undefined;
  #sweptAt: number;
  #stopped = false;
  #takeBack = (): void => {};

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
    this.#sweptAt = parts.settings.clock.now();
  }

  /** Once now, then again and again until `stop`. */
  readonly start = (): void => {
    this.#round = this.#doRound();
  };

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#takeBack();
    await this.#round;
    await this.#quietly(() => this.#parts.lease.end());
  }

  /** Never rejects: what failed is tried again in the next round. */
  async #doRound(): Promise<void> {
    const { settings, lease } = this.#parts;
    await this.#quietly(() => lease.hold());
    if (lease.isHeld) for (const step of [this.#recover, this.#expire, this.#sweep]) await this.#quietly(step);
    if (!this.#stopped) this.#takeBack = settings.clock.after(settings.leaseMs / BEATS_PER_LEASE, this.start, BACKGROUND);
  }

  async #quietly(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (cause) {
      const error = toA2AError(cause);
      if (error !== cause) this.#parts.report(error, {}); // what the store threw was reported there
    }
  }

  /** Tasks whose node is gone, and parked ones with mail that nobody was told of. */
  readonly #recover = async (): Promise<void> => {
    const { store, active } = this.#parts;
    const seen = new Set<string>();
    for (;;) {
      const refs = await store.orphans(Math.min(BATCH, active.room));
      const fresh = refs.filter((ref) => !seen.has(JSON.stringify(ref)));
      if (fresh.length === 0 || this.#stopped) return;
      for (const ref of fresh) {
        seen.add(JSON.stringify(ref));
        await active.wake(ref);
      }
    }
  };

  readonly #expire = async (): Promise<void> => {
    const { settings, store, active } = this.#parts;
    const { inputTimeoutMs, clock } = settings;
    if (inputTimeoutMs === undefined) return;
    const before = clock.now() - inputTimeoutMs;
    for (const ref of await store.waitingSince(before, BATCH)) await active.expire(ref, before);
  };

  readonly #sweep = async (): Promise<void> => {
    const { settings, store } = this.#parts;
    const { clock } = settings;
    const now = clock.now();
    if (now - this.#sweptAt < SWEEP_EVERY_MS) return;
    this.#sweptAt = now;
    const policy = retentionOf(settings);
    while (!this.#stopped && (await store.sweep(policy, now)) >= policy.batch) await new Promise<void>((next) => clock.soon(next));
  };
}

function retentionOf({ deleteFinalAfterMs, store }: Settings): Retention {
  const replayMs = (store.replayHours ?? Number.POSITIVE_INFINITY) * 3_600_000;
  return { replayMs, batch: BATCH, ...(deleteFinalAfterMs !== undefined && { deleteFinalAfterMs }) };
}
