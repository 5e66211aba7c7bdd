/** Sends the first message of a run again if its task failed before the agent published anything. This counts as a failed call. */
import type { Peer } from '../call.js';
import type { Calling, OpenOptions } from '../calling.js';
import { type CallBudget, createBudget } from '../resilience/budget.js';
import { isUnpublished, keyAfter, type UnpublishedFailure, unpublishedFailure } from '../unpublished.js';
import type { Follower } from './follower.js';
import type { Life } from './life.js';
import type { Update } from './update.js';

/** A failed task and its updates. */
interface Failed {
  readonly failure: UnpublishedFailure;
  readonly follower: Follower;
  readonly updates: readonly Update[];
}

interface RepeatsParts {
  readonly calling: Pick<Calling, 'settings'>;
  readonly peer: Peer;
  readonly life: Life;
  /** Creates the copy of the task for the repeated message. */
  follow(): Follower;
}

export class Repeats {
  readonly #peer: Peer;
  readonly #life: Life;
  readonly #follow: () => Follower;
  readonly #budget: CallBudget;
  #held: Failed | undefined;
  /** The failed task because of which the message is sent again. */
  #last: Failed | undefined;
  #isSent = false;

  constructor({ calling, peer, life, follow }: RepeatsParts) {
    this.#peer = peer;
    this.#life = life;
    this.#follow = follow;
    this.#budget = createBudget({ clock: calling.settings.clock });
  }

  /** True if the updates are held back: they report a failure that is not final, because the message is sent again. */
  holds(follower: Follower, updates: readonly Update[]): boolean {
    if (follower.status?.state !== 'TASK_STATE_FAILED') return false;
    const failure = unpublishedFailure(follower.task, this.#peer.name);
    // An agent that returns the same task again does not use the idempotency key, so a further repeat would not help.
    if (failure === undefined || failure.task.id === this.#last?.failure.task.id) return false;
    this.#held = { failure, follower, updates: [...(this.#held?.updates ?? []), ...updates] };
    return true;
  }

  /** Returns the copy for the next task if the message is sent again. undefined: the task did not fail this way, or the run is canceled. */
  next(): Follower | undefined {
    if (this.#held === undefined || this.#life.noRepeat.aborted) return undefined;
    this.#last = this.#held;
    this.#held = undefined;
    this.#isSent = false;
    return this.#follow();
  }

  /** Returns the held updates, for a run that ends without another send. */
  release(): readonly Update[] {
    const updates = this.#held?.updates ?? [];
    this.#held = undefined;
    return updates;
  }

  /**
   * Returns the additional options of a send of the first message. Only the first send of a repeat waits; those that replace a broken
   * stream are the same send.
   */
  options(): OpenOptions {
    const noRepeat = this.#life.noRepeat;
    if (this.#last === undefined) return { noRepeat };
    const { failure } = this.#last;
    const idempotencyKey = keyAfter(failure.task);
    if (this.#isSent) return { idempotencyKey, noRepeat };
    this.#isSent = true;
    return { idempotencyKey, budget: this.#budget, evenIfOpen: true, failed: failure, noRepeat };
  }

  /** Returns the task with which the run ends, if the message was not sent again. */
  endOf(thrown: unknown): Omit<Failed, 'failure'> | undefined {
    return isUnpublished(thrown) && thrown.task.id === this.#last?.failure.task.id ? this.#last : undefined;
  }
}
