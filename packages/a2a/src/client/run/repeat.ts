/** Sends the first message of a run again when its task failed before the agent published anything: like a call that failed. */
import type { Peer } from '../call.js';
import type { OpenOptions, RunSettings } from '../calling.js';
import { type CallBudget, createBudget } from '../resilience/budget.js';
import { isUnpublished, keyAfter, type UnpublishedFailure, unpublishedFailure } from '../unpublished.js';
import { Follower } from './follower.js';
import type { Update } from './update.js';

/** A task that failed, and the updates that tell so. */
interface Failed {
  readonly failure: UnpublishedFailure;
  readonly follower: Follower;
  readonly updates: readonly Update[];
}

export class Repeats {
  readonly #peer: Peer;
  readonly #budget: CallBudget;
  #held: Failed | undefined;
  /** The task that the message is sent again for. */
  #last: Failed | undefined;
  #isSent = false;

  constructor({ clock }: Pick<RunSettings, 'clock'>, peer: Peer) {
    this.#peer = peer;
    this.#budget = createBudget({ clock });
  }

  /** Whether the updates are held back: they tell of a failure that may be none, because the message is sent again. */
  holds(follower: Follower, updates: readonly Update[]): boolean {
    if (follower.status?.state !== 'TASK_STATE_FAILED') return false;
    const failure = unpublishedFailure(follower.task, this.#peer.name);
    // An agent that answers with the same task again knows the send by something else than its key.
    if (failure === undefined || failure.task.id === this.#last?.failure.task.id) return false;
    this.#held = { failure, follower, updates: [...(this.#held?.updates ?? []), ...updates] };
    return true;
  }

  /** The copy of the task that comes next, when the message is sent again; undefined when the task did not fail in this way. */
  next(): Follower | undefined {
    if (this.#held === undefined) return undefined;
    this.#last = this.#held;
    this.#held = undefined;
    this.#isSent = false;
    return new Follower({ numbered: this.#peer.log.lastEventId });
  }

  /** What to add to a send of the first message. Only the first one waits; those that replace a broken stream are the same send. */
  options(): OpenOptions | undefined {
    if (this.#last === undefined) return undefined;
    const { failure } = this.#last;
    const idempotencyKey = keyAfter(failure.task);
    if (this.#isSent) return { idempotencyKey };
    this.#isSent = true;
    return { idempotencyKey, budget: this.#budget, evenIfOpen: true, failed: failure };
  }

  /** The task that the run ends with, when the message was not sent again after all. */
  endOf(thrown: unknown): Omit<Failed, 'failure'> | undefined {
    return isUnpublished(thrown) && thrown.task.id === this.#last?.failure.task.id ? this.#last : undefined;
  }
}
