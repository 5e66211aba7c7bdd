/** Sends the first message of a run again when its task failed before the agent published anything: like a call that failed. */
import type { Peer } from '../call.js';
import type { Calling, OpenOptions } from '../calling.js';
import { type CallBudget, createBudget } from '../resilience/budget.js';
import { isUnpublished, keyAfter, type UnpublishedFailure, unpublishedFailure } from '../unpublished.js';
import type { Follower } from './follower.js';
import type { Life } from './life.js';
import type { Update } from './update.js';

/** A task that failed, and the updates that tell so. */
interface Failed {
  readonly failure: UnpublishedFailure;
  readonly follower: Follower;
  readonly updates: readonly Update[];
}

interface RepeatsParts {
  readonly calling: Pick<Calling, 'settings'>;
  readonly peer: Peer;
  readonly life: Life;
  /** Makes the copy of the task that the message is sent again for. */
  follow(): Follower;
}

export class Repeats {
  readonly #peer: Peer;
  readonly #life: Life;
  readonly #follow: () => Follower;
  readonly #budget: CallBudget;
  #held: Failed | undefined;
  /** The task that the message is sent again for. */
  #last: Failed | undefined;
  #isSent = false;

  constructor({ calling, peer, life, follow }: RepeatsParts) {
    this.#peer = peer;
    this.#life = life;
    this.#follow = follow;
    this.#budget = createBudget({ clock: calling.settings.clock });
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

  /** The copy of the task that comes next, when the message is sent again; undefined: it failed in another way, or the run is canceled. */
  next(): Follower | undefined {
    if (this.#held === undefined || this.#life.noRepeat.aborted) return undefined;
    this.#last = this.#held;
    this.#held = undefined;
    this.#isSent = false;
    return this.#follow();
  }

  /** What was held back, for a run that ends without another send. */
  release(): readonly Update[] {
    const updates = this.#held?.updates ?? [];
    this.#held = undefined;
    return updates;
  }

  /** What to add to a send of the first message. Only the first one waits; those that replace a broken stream are the same send. */
  options(): OpenOptions {
    const noRepeat = this.#life.noRepeat;
    if (this.#last === undefined) return { noRepeat };
    const { failure } = this.#last;
    const idempotencyKey = keyAfter(failure.task);
    if (this.#isSent) return { idempotencyKey, noRepeat };
    this.#isSent = true;
    return { idempotencyKey, budget: this.#budget, evenIfOpen: true, failed: failure, noRepeat };
  }

  /** The task that the run ends with, when the message was not sent again after all. */
  endOf(thrown: unknown): Omit<Failed, 'failure'> | undefined {
    return isUnpublished(thrown) && thrown.task.id === this.#last?.failure.task.id ? this.#last : undefined;
  }
}
