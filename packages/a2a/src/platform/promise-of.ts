/** What a function gives that somebody else may have written, as a promise whatever it does: what it throws is a rejection. */
export function promiseOf<A, T>(work: (argument: A) => T | Promise<T>, argument: A): Promise<T> {
  try {
    return Promise.resolve(work(argument));
  } catch (thrown) {
    return Promise.reject(thrown);
  }
}
