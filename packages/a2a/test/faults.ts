/** Stores with replaced functions, a plan of failing calls, and a recorder of unhandled rejections. */
import { memoryStore, type TaskStore } from '../src/server/index.js';

/** A store in which `change` replaces some functions. `change` gets the original store. */
export function altered(change: (inner: TaskStore) => Partial<TaskStore>, inner: TaskStore = memoryStore()): TaskStore {
  return { ...inner, ...change(inner) };
}

/** A store that ignores heartbeats, so that every node may take over every task. */
export const ignoringHeartbeats = (inner: TaskStore = memoryStore()): TaskStore => ({ ...inner, beat: async () => 'ok' });

/** Throws an error as a driver does: after `skip` calls that succeed, the next `times` calls fail. */
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

/** Records unhandled rejections from here on, until it is disposed. */
export function hearUnhandled(): Disposable & { readonly heard: readonly unknown[] } {
  const heard: unknown[] = [];
  const hear = (cause: unknown): void => void heard.push(cause);
  process.on('unhandledRejection', hear);
  return { heard, [Symbol.dispose]: () => void process.off('unhandledRejection', hear) };
}
