import type { Clock } from '../protocol/clock.js';
import { A2AError } from '../protocol/errors.js';

/** Resolves with the answer, or rejects with AGENT_UNAVAILABLE after `withinMs`, so that a periodic job does not hang on one query. */
export async function inTime<T>(clock: Clock, answer: Promise<T>, withinMs: number): Promise<T> {
  let stopClock = (): void => {};
  const late = new Promise<never>((_, reject) => {
    // After the event loop was blocked, timers fire before the sockets are read: the answer may already be there.
    stopClock = clock.after(withinMs, () => clock.soon(() => reject(noAnswer())), { background: true });
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    stopClock();
  }
}

export const noAnswer = (): A2AError =>
  new A2AError('AGENT_UNAVAILABLE', 'the task store did not answer in time; retry later', { retryAfterMs: 1_000 });
