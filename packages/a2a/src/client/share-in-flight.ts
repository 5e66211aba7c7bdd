import { singleFlight } from '../platform/single-flight.js';

interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Callers with the same key share one operation while it is in flight. A caller may abort; the operation is aborted when the last caller
 * has.
 */
export function shareInFlight<T, O extends Abortable>(
  start: (options: O) => Promise<T>,
  keyOf: (options: O) => string = () => '',
): (options: O) => Promise<T> {
  const flights = singleFlight<T>();
  return (options) => flights.join(keyOf(options), options.signal, (signal) => start({ ...options, signal }));
}
