/** The time source of the runtime. It is injected, so that every timing rule can be tested with a manual clock. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after delayMs; the returned function cancels the timer. */
  after(delayMs: number, callback: () => void, options?: TimerOptions): () => void;
  /** Calls back in the next event-loop iteration. */
  soon(callback: () => void): void;
}

/** Options of a clock's `after`: whether the timer keeps the process alive. */
export interface TimerOptions {
  /**
   * true: the timer does not keep the process alive, because it waits for a person or for housekeeping (parking a run, lease, sweep). A
   * clock may ignore it: then the process stays alive until the agent is closed. Default false: work waits for the timer.
   */
  readonly background?: boolean;
}
