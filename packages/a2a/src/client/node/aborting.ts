/** Watches for the abort of one exchange, from its first byte to its last. */

import { abortedBy } from '../../platform/until-aborted.js';
import type { A2AError } from '../../protocol/errors.js';
import type { HttpRequest } from '../transports/exchange.js';

export interface Aborting {
  /** Called on abort. Each phase of an exchange sets its own. */
  leave: () => void;
  /** Starts to listen. Returns true if already aborted; then `leave` has been called. */
  begin(): boolean;
  /** Stops listening, because the exchange has ended. */
  end(): void;
  error(): A2AError;
}

/** Uses the callback of the request if there is one, because it is cheaper than a listener on the signal. */
export function abortingOf(request: HttpRequest): Aborting {
  const signal = request.onAbort === undefined ? request.signal : undefined;
  let isAborted = false;
  const abort = (): void => {
    isAborted = true;
    aborting.leave();
  };
  const aborting: Aborting = {
    leave: () => {},
    begin() {
      if (request.onAbort !== undefined) request.onAbort(abort);
      else if (signal?.aborted === true) abort();
      else signal?.addEventListener('abort', abort, { once: true });
      return isAborted;
    },
    end: () => signal?.removeEventListener('abort', abort),
    error: () => abortedBy(signal),
  };
  return aborting;
}
