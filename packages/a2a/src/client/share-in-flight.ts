import { singleFlight } from '../platform/single-flight.js';

interface Waiting {
  readonly signal?: AbortSignal | undefined;
}

/** Who comes with the same key while it is under way shares it. A caller may leave; when the last one has, it is given up. */
export function shareInFlight<T, O extends Waiting>(
  start: (options: O) => Promise<T>,
  keyOf: (options: O) => string = () => '',
): (options: O) => Promise<T> {
  const flights = singleFlight<T>();
  return (options) => flights.join(keyOf(options), options.signal, (signal) => start({ ...options, signal }));
}
