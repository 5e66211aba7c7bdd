/** The renewals that the store sends for this node from another thread, if it can. */

import type { Logger } from '../../platform/logger.js';
import type { Heartbeat, HeartbeatOptions, TaskStore } from '../../stores/store.js';

export interface StoreHeartbeatParts extends Omit<HeartbeatOptions, 'onFailure'> {
  readonly store: TaskStore;
  readonly logger: Logger;
}

/** A renewal that is older than this many intervals is overdue: the node then sends a heartbeat itself. */
const OVERDUE_BEATS = 2;
/** So many heartbeats of the node in sequence mean that the thread does not work, although the database does. */
const BEATS_UNTIL_WARNING = 10;
const CONSEQUENCE = 'an event loop that is blocked for longer than leaseMs loses the tasks of this node';

export class StoreHeartbeat {
  readonly #parts: StoreHeartbeatParts;
  #heartbeat: Heartbeat | undefined;
  #wasStarted = false;
  #hasWarned = false;
  /** Heartbeats of the node since the last renewal that was in time. */
  #ownBeats = 0;

  constructor(parts: StoreHeartbeatParts) {
    this.#parts = parts;
  }

  /** Milliseconds since the last renewal was sent; Infinity without a thread. */
  get agoMs(): number {
    return this.#heartbeat?.agoMs ?? Number.POSITIVE_INFINITY;
  }

  /** Renewals arrive: the node need not send heartbeats. */
  get isInTime(): boolean {
    const isInTime = this.agoMs < OVERDUE_BEATS * this.#parts.beatMs;
    if (isInTime) this.#ownBeats = 0;
    return isInTime;
  }

  /** The node itself sent a successful heartbeat this many milliseconds ago. The first one starts the thread. */
  renewed(agoMs: number): void {
    if (!this.#wasStarted) this.#start();
    if (this.#heartbeat === undefined) return;
    this.#heartbeat.renewed(agoMs);
    this.#ownBeats += 1;
    if (this.#ownBeats >= BEATS_UNTIL_WARNING) this.#warn('the heartbeat thread does not reach the database', this.#heartbeat.failure);
  }

  async stop(): Promise<void> {
    this.#wasStarted = true;
    const heartbeat = this.#heartbeat;
    this.#heartbeat = undefined;
    await heartbeat?.stop();
  }

  #start(): void {
    const { store, logger: _, ...options } = this.#parts;
    this.#wasStarted = true;
    const onFailure = (cause: unknown): void => {
      this.#heartbeat = undefined;
      this.#warn('heartbeats are sent from the event loop, because their thread cannot run', cause);
    };
    try {
      this.#heartbeat = store.startHeartbeat?.({ ...options, onFailure });
    } catch (cause) {
      onFailure(cause);
    }
  }

  #warn(text: string, cause: unknown): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#parts.logger.warn({ cause }, `${text}; ${CONSEQUENCE}`);
  }
}
