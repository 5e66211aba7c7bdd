/** Reads one open stream for a run, one event at a time, and never longer than the lifetime of the run. */
import type { Clock } from '../../protocol/clock.js';
import type { EventStream, StreamedEvent } from '../call.js';
import type { Life } from './life.js';

/** How long to wait for a stream to report the end of a task that is already known to have ended. */
const LAST_WORDS_MS = 2_000;

export type Step =
  | { readonly kind: 'event'; readonly event: StreamedEvent }
  | { readonly kind: 'end' }
  | { readonly kind: 'broken'; readonly thrown: unknown };

const END: Step = { kind: 'end' };

export class Reading {
  readonly #events: EventStream;
  readonly #iterator: AsyncIterator<StreamedEvent>;
  readonly #release: () => void;
  #stopTimer = (): void => {};
  #giveUp = (): void => {};
  #isClosed = false;

  constructor(events: EventStream, life: Life, clock: Clock) {
    this.#events = events;
    this.#iterator = events[Symbol.asyncIterator]();
    this.#release = life.hold((why) => {
      if (why === 'final') this.#stopTimer = clock.after(LAST_WORDS_MS, () => this.close());
      else this.close();
    });
  }

  /** The delay that the peer asks for. */
  get retryMs(): number | undefined {
    return this.#events.retryMs;
  }

  /** The number of skipped unreadable events, and the problem of the first. */
  get skipped(): EventStream['skipped'] {
    return this.#events.skipped;
  }

  next(): Promise<Step> {
    if (this.#isClosed) return Promise.resolve(END);
    // Not a race against one long-lived promise, which would retain every event until the stream ends.
    return new Promise((resolve) => {
      const giveUp = (): void => resolve(END); // named first (decision 11)
      this.#giveUp = giveUp;
      this.#iterator.next().then(
        ({ done, value }) => resolve(done ? END : { kind: 'event', event: value }),
        (thrown: unknown) => resolve({ kind: 'broken', thrown }),
      );
    });
  }

  /** Closes the stream. Idempotent. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#release();
    this.#stopTimer();
    this.#events.close();
    this.#iterator.return?.().then(ignore, ignore);
    this.#giveUp();
  }
}

const ignore = (): void => {};
