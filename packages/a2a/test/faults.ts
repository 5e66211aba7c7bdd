/** Stores that fail one call, and ears for what nobody else would hear. */
import { memory, type TaskStore } from '../src/server/index.js';

/** A memory store some of whose functions do something else; each is given the store as it would have been. */
export function altered(change: (inner: TaskStore) => Partial<TaskStore>, inner: TaskStore = memory()): TaskStore {
  return { ...inner, ...change(inner) };
}

/** A store that does not hear that its nodes live: anybody may take their tasks. */
export const deafToBeats = (inner: TaskStore = memory()): TaskStore => ({ ...inner, beat: async () => 'ok' });

/** Throws what a driver would throw, when it is told to: `times` calls fail, after the next `skip` have not. */
export function failing(): { skip: number; times: number; check(): void } {
  return {
    skip: 0,
    times: 0,
    check() {
      if (this.times <= 0) return;
      if (this.skip > 0) {
        this.skip -= 1;
        return;
      }
      this.times -= 1;
      throw new Error('connect ECONNREFUSED: password=hunter2');
    },
  };
}

/** What was rejected with nobody listening, from here on. */
export function hearUnhandled(): Disposable & { readonly heard: readonly unknown[] } {
  const heard: unknown[] = [];
  const hear = (cause: unknown): void => void heard.push(cause);
  process.on('unhandledRejection', hear);
  return { heard, [Symbol.dispose]: () => void process.off('unhandledRejection', hear) };
}
