/** How unary calls wait: as readers that only check where the log stops. */
import type { TaskRef } from '../../stores/store.js';
import type { Call, ReadEnd } from '../call.js';
import { type ReadUntil, subscribe } from '../log/subscription.js';
import type { TaskWriter } from '../log/writer.js';
import type { Runtime } from './runtime.js';

export interface Wait {
  readonly after: number;
  readonly until: ReadUntil;
  /** The task's writer if it runs here: it commits urgently while a caller waits. */
  readonly writer: TaskWriter | undefined;
  /** Stops waiting after this time, as if the task had stopped. */
  readonly maxMs?: number | undefined;
  readonly onLeave?: Call['onLeave'];
}

/** Resolves where the reader stops, or when the time is over; rejects when the log cannot be followed. */
export async function untilStop(runtime: Runtime, ref: TaskRef, { after, until, writer, maxMs, onLeave }: Wait): Promise<void> {
  const rest = writer?.hurry('stop');
  let stopClock = (): void => {};
  let stay: (() => void) | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const end = (why: ReadEnd): void => (why.kind === 'error' ? reject(why.error) : resolve());
      const reading = subscribe(runtime.log, { ref, after, until, writer, opener: undefined }, { send: () => true, end });
      const giveUp = (): void => {
        reading.close();
        resolve();
      };
      stay = onLeave?.(giveUp);
      if (maxMs !== undefined) stopClock = runtime.settings.clock.after(maxMs, giveUp);
    });
  } finally {
    stopClock();
    stay?.();
    rest?.();
  }
}
