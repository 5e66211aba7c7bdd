/** One timer for all open streams of a server: idle streams cost nothing but their place in a set. */
import type { Clock } from '../protocol/clock.js';

/** Whoever is told of every beat. An object and not a function: an open stream is one already, and a function more is memory for each. */
export interface Member {
  beat(): void;
}

export interface Heartbeat {
  join(member: Member): void;
  /** Nothing happens to who has left already. */
  leave(member: Member): void;
}

// So many beats in one turn of the event loop, so that thousands of streams do not hold up a request.
const SLICE = 500;
/** The connection of a stream keeps the process alive, not its heartbeat. */
const BACKGROUND = { background: true };

/**
 * Beats reach all streams at once, also those that have just spoken: that keeps every silence below `intervalMs` without a
 * clock per stream. The timer stops when the last stream has left.
 */
export function createHeartbeat(clock: Clock, intervalMs: number): Heartbeat {
  const members = new Set<Member>();
  let stop: (() => void) | undefined;

  const beatSome = (waiting: readonly Member[]): void => {
    for (const member of waiting.slice(0, SLICE)) if (members.has(member)) member.beat();
    if (waiting.length > SLICE) clock.soon(() => beatSome(waiting.slice(SLICE)));
  };
  const tick = (): void => {
    stop = clock.after(intervalMs, tick, BACKGROUND);
    beatSome([...members]);
  };
  return {
    join(member) {
      members.add(member);
      stop ??= clock.after(intervalMs, tick, BACKGROUND);
    },
    leave(member) {
      members.delete(member);
      if (members.size > 0) return;
      stop?.();
      stop = undefined;
    },
  };
}
