import type { Clock } from '../protocol/clock.js';
import { A2AError } from '../protocol/errors.js';

/** The answer, or AGENT_UNAVAILABLE when it takes longer than that: what asks again and again must not hang on one question. */
export async function inTime<T>(clock: Clock, answer: Promise<T>, withinMs: number): Promise<T> {
  let stopClock = (): void => {};
  const late = new Promise<never>((_, reject) => {
    stopClock = clock.after(withinMs, () => reject(noAnswer()), { background: true });
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    stopClock();
  }
}

export const noAnswer = (): A2AError => new A2AError('AGENT_UNAVAILABLE', 'the store gives no answer', { retryAfterMs: 1_000 });
