import { setTimeout as sleep } from 'node:timers/promises';

const STEP_MS = 50;

/**
 * Repeats `ask` until its result is truthy, and returns it.
 * @template T
 * @param {string} what for the error message on timeout
 * @param {() => T | Promise<T>} ask
 * @param {number} [withinMs]
 * @returns {Promise<NonNullable<T>>}
 */
export async function until(what, ask, withinMs = 15_000) {
  const end = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`not reached within ${withinMs / 1000} s: ${what}`);
    await sleep(STEP_MS);
  }
}
