/** Runs work once for many callers: a caller that aborts does not stop it for the others, and it is aborted when no caller is left. */
import { abortedBy, untilAborted } from './until-aborted.js';

export interface SingleFlight<T> {
  /** Joins the work under this key, or starts it. */
  join(key: string, signal: AbortSignal | undefined, start: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

interface Flight<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

export function singleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>();

  const begin = (key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> => {
    const controller = new AbortController();
    const flight: Flight<T> = { result: (async () => start(controller.signal))(), controller, waiting: 0 };
    const end = (): boolean => forget(key, flight);
    flight.result.then(end, end);
    flights.set(key, flight);
    return flight;
  };
  /** Returns whether it was still running. */
  const forget = (key: string, flight: Flight<T>): boolean => flights.get(key) === flight && flights.delete(key);

  return {
    async join(key, signal, start) {
      if (signal?.aborted) throw abortedBy(signal);
      const flight = flights.get(key) ?? begin(key, start);
      flight.waiting += 1;
      try {
        return await untilAborted(flight.result, signal);
      } finally {
        flight.waiting -= 1;
        if (flight.waiting === 0 && forget(key, flight)) flight.controller.abort();
      }
    },
  };
}
