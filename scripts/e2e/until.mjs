import { setTimeout as sleep } from 'node:timers/promises';

const STEP_MS = 50;

/**
 * Asks again and again until the answer is truthy, and gives it back.
 * @template T
 * @param {string} what for the error when it never comes
 * @param {() => T | Promise<T>} ask
 * @param {number} [withinMs]
 * @returns {Promise<NonNullable<T>>}
 */
export async function until(what, ask, withinMs = 15_000) {
  const end = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`waited ${withinMs / 1000} s in vain: ${what}`);
    await sleep(STEP_MS);
  }
}
