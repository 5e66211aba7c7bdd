/** One piece of work for all who want it at the same time. */
import { aborted } from './call-error.js';

interface Flight<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

interface Waiting {
  readonly signal?: AbortSignal | undefined;
}

/** Who comes while it is under way shares it, with the options of whoever came first. A caller may leave; when the last one has, it is given up. */
export function shareInFlight<T, O extends Waiting>(start: (options: O) => Promise<T>): (options: O) => Promise<T> {
  let flight: Flight<T> | undefined;

  const begin = (options: O): Flight<T> => {
    const controller = new AbortController();
    const result = start({ ...options, signal: controller.signal }).finally(() => {
      if (flight === own) flight = undefined;
    });
    const own: Flight<T> = { result, controller, waiting: 0 };
    return own;
  };

  const join = (mine: Flight<T>, signal: AbortSignal | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      mine.waiting += 1;
      const leave = (): void => {
        reject(aborted(signal));
        mine.waiting -= 1;
        if (mine.waiting > 0) return;
        // Who comes next must not share what is being given up.
        if (flight === mine) flight = undefined;
        mine.controller.abort(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      const stay = (): void => signal?.removeEventListener('abort', leave);
      mine.result.then(resolve, reject).finally(stay);
    });

  return async (options) => {
    if (options.signal?.aborted) throw aborted(options.signal);
    flight ??= begin(options);
    return join(flight, options.signal);
  };
}
