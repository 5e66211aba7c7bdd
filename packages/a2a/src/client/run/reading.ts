/** One open stream as a run reads it: an event at a time, and never longer than the run lives. */
import type { Clock } from '../../protocol/clock.js';
import type { EventStream, StreamedEvent } from '../call.js';
import type { Life } from './life.js';

/** How long a stream may take to tell what is known already: that its task is over. */
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

  /** How long the peer asks to be left alone. */
  get retryMs(): number | undefined {
    return this.#events.retryMs;
  }

  /** Events that were passed over because they could not be read. */
  get skipped(): EventStream['skipped'] {
    return this.#events.skipped;
  }

  next(): Promise<Step> {
    if (this.#isClosed) return Promise.resolve(END);
    // Not a race against one long promise: that would remember every event until the stream ends.
    return new Promise((resolve) => {
      this.#giveUp = () => resolve(END);
      this.#iterator.next().then(
        ({ done, value }) => resolve(done ? END : { kind: 'event', event: value }),
        (thrown: unknown) => resolve({ kind: 'broken', thrown }),
      );
    });
  }

  /** Lets go of the stream. Idempotent. */
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
