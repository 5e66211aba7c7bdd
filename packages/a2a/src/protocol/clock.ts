/** Time as the runtime sees it. Passed in, so that every timing rule can be tested on a clock turned by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after delayMs; the returned function cancels it. */
  after(delayMs: number, callback: () => void, options?: TimerOptions): () => void;
  /** Calls back in the next turn of the event loop. */
  soon(callback: () => void): void;
}

export interface TimerOptions {
  /**
   * true: the process need not stay alive for this timer, because it waits for a person or for housekeeping (parking a run, lease, sweep).
   * A clock may ignore it: then the process stays alive until the agent is closed. Default false: work waits for the timer.
   */
  readonly background?: boolean;
}
