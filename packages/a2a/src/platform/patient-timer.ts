import { systemClock } from './system-clock.js';

/** A timer that is later was delayed by a blocked event loop, and not by the usual inaccuracy. */
const LATE_MS = 50;

/**
 * A timeout for an answer from a socket. After the event loop was blocked, Node runs due timers before it reads the sockets, where the
 * answer may already wait. So a timer that fires late waits once more, for as long as it was late, and the callback runs after the sockets
 * were read. The returned function cancels it.
 */
export function patientTimer(delayMs: number, callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let isOff = false;
  const wait = (waitMs: number): void => {
    const dueAt = performance.now() + waitMs;
    timer = setTimeout(() => {
      const lateMs = performance.now() - dueAt;
      if (lateMs > LATE_MS) wait(Math.min(lateMs, delayMs));
      else systemClock.soon(() => isOff || callback());
    }, waitMs);
  };
  wait(delayMs);
  return () => {
    isOff = true;
    clearTimeout(timer);
  };
}
