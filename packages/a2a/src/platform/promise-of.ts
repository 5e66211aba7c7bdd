/** Calls a function of the user and always returns a promise: a thrown value becomes a rejection. */
export function promiseOf<A, T>(work: (argument: A) => T | Promise<T>, argument: A): Promise<T> {
  try {
    return Promise.resolve(work(argument));
  } catch (thrown) {
    return Promise.reject(thrown);
  }
}
