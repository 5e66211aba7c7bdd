/** Refuses bodies that arrive too slowly: each holds memory and a connection for as long as its sender likes. */
import type { Clock } from '../../protocol/clock.js';
import { A2AError } from '../../protocol/errors.js';

/** A body that is being read: a link of the list of all bodies. A map would be rebuilt again and again as requests come and go. */
export class PacedBody {
  /** The bytes received so far. */
  size = 0;
  /** The bytes received before the current window, and the seconds since its begin. */
  before = 0;
  seconds = 0;
  previous: PacedBody | undefined;
  next: PacedBody | undefined;
  /** Ends the reading. */
  readonly refuse: (error: A2AError) => void;

  constructor(refuse: (error: A2AError) => void) {
    this.refuse = refuse;
  }
}

/** The speed is an average over this time: a short interruption of the network is no reason to refuse a body. */
const WINDOW_SECONDS = 10;
const BACKGROUND = { background: true };

/** One timer for all bodies of a server. Counts seconds, because the clock may be set. */
export class BodyPace {
  readonly #clock: Clock;
  readonly #minBytesPerSecond: number;
  /** Its `next` is the newest body. */
  readonly #start = new PacedBody(() => {});
  #isRunning = false;

  constructor(clock: Clock, minBytesPerSecond: number) {
    this.#clock = clock;
    this.#minBytesPerSecond = minBytesPerSecond;
  }

  add(refuse: PacedBody['refuse']): PacedBody {
    const body = new PacedBody(refuse);
    const { next } = this.#start;
    body.previous = this.#start;
    body.next = next;
    if (next !== undefined) next.previous = body;
    this.#start.next = body;
    if (!this.#isRunning) {
      this.#isRunning = true;
      this.#wait();
    }
    return body;
  }

  /** No-op if the body was already removed. */
  remove(body: PacedBody): void {
    const { previous, next } = body;
    if (previous === undefined) return;
    previous.next = next;
    if (next !== undefined) next.previous = previous;
    body.previous = undefined;
    body.next = undefined;
  }

  #wait(): void {
    this.#clock.after(1_000, this.#check, BACKGROUND);
  }

  readonly #check = (): void => {
    for (let body = this.#start.next; body !== undefined; ) {
      const { next } = body; // refusing a body removes it
      body.seconds += 1;
      if (body.seconds === WINDOW_SECONDS) this.#judge(body);
      body = next;
    }
    if (this.#start.next !== undefined) this.#wait();
    else this.#isRunning = false;
  };

  #judge(body: PacedBody): void {
    const bytes = body.size - body.before;
    body.before = body.size;
    body.seconds = 0;
    if (bytes >= this.#minBytesPerSecond * WINDOW_SECONDS) return;
    this.remove(body);
    body.refuse(tooSlow(bytes, this.#minBytesPerSecond));
  }
}

function tooSlow(bytes: number, minBytesPerSecond: number): A2AError {
  const text = `The body brought ${bytes} bytes in ${WINDOW_SECONDS} s, at least ${minBytesPerSecond} per second are required`;
  return new A2AError('INVALID_REQUEST', `${text} (minBodyBytesPerSecond)`, { httpStatus: 408 });
}
