/** Time as the runtime sees it. Passed in, so that every timing rule can be tested on a clock turned by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after delayMs; the returned function takes it back. No process stays alive for what runs in the background. */
  after(delayMs: number, callback: () => void, options?: { readonly background?: boolean }): () => void;
  /** Calls back in the next turn of the event loop. */
  soon(callback: () => void): void;
}
