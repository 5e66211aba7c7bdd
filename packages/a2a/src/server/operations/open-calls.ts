/** Limits the calls that wait for an answer, because each of them holds its request and its connection. */
import { type Call, shareOfCall } from '../call.js';
import { type Share, type ShareBounds, ShareCounter } from '../limits/share-counter.js';

export class OpenCalls {
  readonly #calls: ShareCounter;

  constructor(bounds: ShareBounds) {
    this.#calls = new ShareCounter(bounds);
  }

  /** Counts the call; pass the result to `leave` when it is answered. Throws when its caller, or all callers, have too many open calls. */
  enter(call: Call): Share {
    const share = shareOfCall(call);
    this.#calls.check(share, 'calls without an answer');
    this.#calls.add(share);
    return share;
  }

  leave(share: Share): void {
    this.#calls.remove(share);
  }
}
