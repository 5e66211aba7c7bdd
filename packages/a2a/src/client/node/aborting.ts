/** How one exchange learns that nobody waits for it any more, from its first byte to its last. */

import { abortedBy } from '../../platform/until-aborted.js';
import type { A2AError } from '../../protocol/errors.js';
import type { HttpRequest } from '../transports/exchange.js';

export interface Aborting {
  /** What to do then; the phases of an exchange set it one after the other. */
  leave: () => void;
  /** Starts to listen; true when it is aborted already, and `leave` was called. */
  begin(): boolean;
  /** The exchange is over. */
  end(): void;
  error(): A2AError;
}

/** By the callback where the request has one, which costs nothing; else by the signal. */
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
