// Counts what requests allocate in this process: promises, and bytes on the JavaScript heap.
import { createHook } from 'node:async_hooks';
import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Bytes in use after garbage collection. */
export async function usedHeap() {
  if (gc === undefined) throw new Error('Start the process with --expose-gc.');
  for (let round = 0; round < 4; round += 1) {
    gc();
    await sleep(20);
  }
  return process.memoryUsage().heapUsed;
}

/** @typedef {{ start: () => void, stop: () => number | undefined | Promise<number | undefined> }} Counter */

/**
 * Promises, also those that `await` makes internally. The callback slows promises down, so it is active only during the count.
 * @returns {Counter}
 */
function createPromiseCounter() {
  let made = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === 'PROMISE') made += 1;
    },
  });
  return {
    start: () => {
      made = 0;
      hook.enable();
    },
    stop: () => {
      hook.disable();
      return made;
    },
  };
}

/**
 * Bytes: the growth of the heap while nothing is collected. The process needs `HEAP_FLAGS`, which make room for all new objects of a count.
 * `stop` returns undefined if there was a collection nevertheless.
 * @returns {Counter}
 */
function createByteCounter() {
  let before = 0;
  let collections = 0;
  const observer = new PerformanceObserver((list) => {
    collections += list.getEntries().length;
  });
  return {
    start: () => {
      collections = 0;
      observer.observe({ entryTypes: ['gc'] });
      before = process.memoryUsage().heapUsed;
    },
    stop: async () => {
      const bytes = process.memoryUsage().heapUsed - before;
      await sleep(20); // Node reports a collection only after the current iteration of the event loop.
      observer.disconnect();
      return collections === 0 ? bytes : undefined;
    },
  };
}

/** @typedef {'promises' | 'bytes'} Counted */
/** @type {Readonly<Record<Counted, Counter>>} */
export const COUNTERS = { promises: createPromiseCounter(), bytes: createByteCounter() };

/** Room for 512 MB of new objects before V8 collects; the default is 16 MB. */
export const HEAP_FLAGS = ['--max-semi-space-size=512', '--min-semi-space-size=512'];
