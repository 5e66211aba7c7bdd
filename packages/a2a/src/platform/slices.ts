/** Divides long synchronous work into event-loop iterations, so that other callers are served in between. */
import { systemClock } from './system-clock.js';

/** Text of this many characters is work that others should not wait for together with the next step. */
const LARGE_CHARS = 64 * 1024;

export function isLarge(text: string): boolean {
  return text.length > LARGE_CHARS;
}

/** Resolves in the next event-loop iteration. Not by the agent's clock: no time passes, and a manual clock would stop the request. */
export function nextIteration(): Promise<void> {
  return new Promise((resolve) => systemClock.soon(resolve));
}
