import { singleFlight } from '../platform/single-flight.js';

interface Waiting {
  readonly signal?: AbortSignal | undefined;
}

/** Who comes while it is under way shares it, with the options of whoever came first. A caller may leave; when the last one has, it is given up. */
export function shareInFlight<T, O extends Waiting>(start: (options: O) => Promise<T>): (options: O) => Promise<T> {
  const flights = singleFlight<T>();
  return (options) => flights.join('', options.signal, (signal) => start({ ...options, signal }));
}
