/** Refuses bodies that arrive too slowly: each holds memory and a connection for as long as its sender likes. */
import type { Clock } from '../../protocol/clock.js';
import { A2AError } from '../../protocol/errors.js';

/** A body that is being read. */
export interface PacedBody {
  /** The bytes received so far. */
  readonly size: number;
  /** Ends the reading. */
  refuse(error: A2AError): void;
}

interface Window {
  /** The bytes received before it. */
  before: number;
  seconds: number;
}

/** The speed is an average over this time: a short interruption of the network is no reason to refuse a body. */
const WINDOW_SECONDS = 10;
const BACKGROUND = { background: true };

/** One timer for all bodies of a server, so that a request costs only its place in a map. Counts seconds, because the clock may be set. */
export class BodyPace {
  readonly #clock: Clock;
  readonly #minBytesPerSecond: number;
  readonly #windows = new Map<PacedBody, Window>();
  #isRunning = false;

  constructor(clock: Clock, minBytesPerSecond: number) {
    this.#clock = clock;
    this.#minBytesPerSecond = minBytesPerSecond;
  }

  add(body: PacedBody): void {
    this.#windows.set(body, { before: body.size, seconds: 0 });
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#wait();
  }

  /** No-op if the body was not added. */
  remove(body: PacedBody): void {
    this.#windows.delete(body);
  }

  #wait(): void {
    this.#clock.after(1_000, this.#check, BACKGROUND);
  }

  readonly #check = (): void => {
    for (const [body, window] of this.#windows) {
      window.seconds += 1;
      if (window.seconds === WINDOW_SECONDS) this.#judge(body, window);
    }
    if (this.#windows.size > 0) this.#wait();
    else this.#isRunning = false;
  };

  #judge(body: PacedBody, window: Window): void {
    const bytes = body.size - window.before;
    window.before = body.size;
    window.seconds = 0;
    if (bytes >= this.#minBytesPerSecond * WINDOW_SECONDS) return;
    this.#windows.delete(body);
    body.refuse(tooSlow(bytes, this.#minBytesPerSecond));
  }
}

function tooSlow(bytes: number, minBytesPerSecond: number): A2AError {
  const text = `The body brought ${bytes} bytes in ${WINDOW_SECONDS} s, at least ${minBytesPerSecond} per second are required`;
  return new A2AError('INVALID_REQUEST', `${text} (minBodyBytesPerSecond)`, { httpStatus: 408 });
}
