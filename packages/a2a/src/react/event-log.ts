/** The last events of a conversation, as a store. All events of one frame cause one update. */
import type { Conversation, ConversationEvent } from '../client/conversation/conversation.js';
import { systemClock } from '../platform/system-clock.js';
import type { Clock } from '../protocol/clock.js';
import { A2AError } from '../protocol/errors.js';
import { createSignal } from './signal.js';

/** One event of `useConversationEvents`, with its number. */
export interface LoggedEvent {
  /** 1, 2, 3, … without gaps; usable as the React key. */
  readonly number: number;
  readonly event: ConversationEvent;
}

export interface EventLogOptions {
  /** Maximum number of events to keep. Default 200. */
  readonly limit?: number;
  /** Minimum time between two renders, in milliseconds. Default 16. */
  readonly frameMs?: number;
  /** Measures the time between two renders. Default: the system clock. */
  readonly clock?: Clock;
}

export interface EventLog {
  readonly events: () => readonly LoggedEvent[];
  readonly subscribe: (listener: () => void) => () => void;
}

/** Collects events while there is at least one listener. The collected events stay after the last listener leaves. */
export function createEventLog(conversation: Conversation, options: EventLogOptions = {}): EventLog {
  const { limit = 200, frameMs = 16, clock = systemClock } = options;
  if (!(limit >= 1)) throw new A2AError('INVALID_PARAMS', `limit must be a number of at least 1, got ${limit}`);
  let shown: readonly LoggedEvent[] = [];
  let fresh: LoggedEvent[] = [];
  let count = 0;
  let stopWaiting: (() => void) | undefined;

  const publish = (): void => {
    stopWaiting = undefined;
    shown = [...shown, ...fresh].slice(-limit);
    fresh = [];
    readers.tell();
  };
  const add = (event: ConversationEvent): void => {
    count += 1;
    fresh.push({ number: count, event });
    // Timers of a background page are slow, so a fast agent could fill the memory before the next frame.
    if (fresh.length > 2 * limit) fresh = fresh.slice(-limit);
    stopWaiting ??= clock.after(frameMs, publish);
  };

  let stopCollecting: (() => void) | undefined;
  const open = (): void => {
    stopCollecting = conversation.onEvent(add);
  };
  const close = (): void => {
    stopCollecting?.();
    stopWaiting?.();
    stopWaiting = undefined;
  };
  const readers = createSignal(open, close);
  return { events: () => shown, subscribe: readers.subscribe };
}
