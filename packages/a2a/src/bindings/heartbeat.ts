/** One timer for all open streams of a server: an idle stream costs only its place in a set. */
import type { Clock } from '../protocol/clock.js';

/**
 * Receives every heartbeat. An object instead of a function: an open stream is already an object, and a closure would cost memory for each.
 */
export interface Member {
  beat(): void;
}

export interface Heartbeat {
  join(member: Member): void;
  /** No-op if the member has already left. */
  leave(member: Member): void;
}

// Heartbeats per event-loop iteration, so that thousands of streams do not delay a request.
const SLICE = 500;
/** The connection of a stream keeps the process alive, not its heartbeat. */
const BACKGROUND = { background: true };

/**
 * Heartbeats go to all streams at once, including those that have just sent events. So no stream is silent for longer than `intervalMs`,
 * without a timer per stream. The timer stops when the last stream has left.
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
