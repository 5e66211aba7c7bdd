/** Divides long synchronous work into event-loop iterations, so that other callers are served in between. */
import type { Clock } from '../protocol/clock.js';

/** Text of this many characters is work that others should not wait for together with the next step. */
const LARGE_CHARS = 64 * 1024;

export function isLarge(text: string): boolean {
  return text.length > LARGE_CHARS;
}

/** Resolves in the next event-loop iteration. */
export function nextIteration(clock: Pick<Clock, 'soon'>): Promise<void> {
  return new Promise((resolve) => clock.soon(resolve));
}
