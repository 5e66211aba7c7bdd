/** That this node lives, as the store knows it: what a node owns without that would be anybody's. */

import type { ErrorContext } from '../platform/logger.js';
import { A2AError } from '../protocol/errors.js';
import type { TaskStore } from '../stores/store.js';
import type { NodeClock } from './node-clock.js';

export interface LeaseParts {
  readonly node: string;
  readonly leaseMs: number;
  readonly store: TaskStore;
  readonly clock: NodeClock;
  report(error: A2AError, where: ErrorContext): void;
}

export class Lease {
  readonly #parts: LeaseParts;
  /** Tells this process from another that was started under the same name. */
  readonly #incarnation = crypto.randomUUID();
  #isHeld = false;
  #wasAsked = false;
  #hasEnded = false;
  #asking: Promise<void> | undefined;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  get readiness(): 'starting' | 'ready' | 'unavailable' {
    if (this.#isHeld) return 'ready';
    return this.#wasAsked ? 'unavailable' : 'starting';
  }

  /** Takes or prolongs it; rejects when the store can not be asked, or when another process lives under this name. */
  hold(): Promise<void> {
    if (this.#hasEnded) return Promise.reject(new A2AError('AGENT_UNAVAILABLE', 'the agent is shutting down', { retryAfterMs: 1_000 }));
    this.#asking ??= this.#ask().finally(() => {
      this.#wasAsked = true;
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Others need not wait for it to run out. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#asking?.catch(() => {});
    if (!this.#isHeld) return;
    this.#isHeld = false;
    await this.#beat(0);
  }

  async #ask(): Promise<void> {
    const { node, leaseMs, report } = this.#parts;
    this.#isHeld = (await this.#beat(leaseMs)) === 'ok';
    if (this.#isHeld) return;
    const error = new A2AError('AGENT_UNAVAILABLE', `another process runs as node ${node}`, { retryAfterMs: 1_000 });
    report(error, {});
    throw error;
  }

  async #beat(leaseMs: number): Promise<'ok' | 'taken'> {
    const { node, store, clock } = this.#parts;
    const now = await clock.measure(store);
    return store.beat(node, this.#incarnation, now + leaseMs);
  }
}
