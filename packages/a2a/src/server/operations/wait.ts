/** How calls wait: for the entry that takes their message, and for the place where the log stops. */
import { A2AError, toA2AError } from '../../protocol/errors.js';
import type { TaskRef } from '../../stores/store.js';
import type { Call, Frame, ReadEnd } from '../call.js';
import type { Listener } from '../log/hub.js';
import { type ReadUntil, subscribe } from '../log/subscription.js';
import type { CurrentTask } from '../log/task-view.js';
import type { TaskWriter } from '../log/writer.js';
import { taskNotFound } from './checks.js';
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

/**
 * Resolves where the reader stops, or when the time is over; rejects when the log cannot be followed. The result is the task at this
 * moment: after an await it may already continue with the next message. It is undefined if the task is not known here, or only as of
 * before the stop.
 */
export async function untilStop(
  runtime: Runtime,
  ref: TaskRef,
  { after, until, writer, maxMs, onLeave }: Wait,
): Promise<CurrentTask | undefined> {
  const rest = writer?.expedite('stop');
  let read = after;
  const here = (): CurrentTask | undefined => {
    // Not of `writer`: the task may have been released and taken up again meanwhile.
    const current = runtime.log.currentNow(ref);
    return current !== undefined && current.seq >= read ? current : undefined;
  };
  let stopClock = (): void => {};
  let stay: (() => void) | undefined;
  try {
    return await new Promise<CurrentTask | undefined>((resolve, reject) => {
      const stop = (): void => {
        try {
          resolve(here());
        } catch (error) {
          reject(error); // a reader whose `end` throws is ignored
        }
      };
      const send = (frames: readonly Frame[]): boolean => {
        read = frames.at(-1)?.seq ?? read;
        return true;
      };
      const end = (why: ReadEnd): void => (why.kind === 'error' ? reject(why.error) : stop());
      const reading = subscribe(runtime.log, { ref, after, until, writer, opener: undefined }, { send, end });
      const giveUp = (): void => {
        reading.close();
        stop();
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

/**
 * Resolves with the seq of the entry that took the row, or undefined when the server closes before that. Rejects with UNSUPPORTED_OPERATION
 * when the task ended first.
 */
export function rowTaken({ log }: Runtime, ref: TaskRef, row: number, onLeave?: Call['onLeave']): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      stop();
      stay();
      finish();
    };
    const look = async (): Promise<void> => {
      const [found] = await log.store.inbox(ref, row - 1);
      if (found === undefined) settle(() => reject(taskNotFound(ref.id))); // rows are deleted only with their task
      if (found?.state === 'taken') settle(() => resolve(found.seq ?? 0));
      if (found?.state === 'refused') settle(() => reject(endedFirst(ref)));
    };
    const check = (): void => void look().catch((cause) => settle(() => reject(toA2AError(cause))));
    let told = 0;
    const listener: Listener = {
      opener: undefined,
      told(batch) {
        told = batch.entries.at(-1)?.seq ?? told;
        if (!batch.plain) check(); // chunks neither take nor refuse rows
      },
      moved: (seq) => (seq > told ? check() : undefined),
      lost: (error) => settle(() => reject(error)),
      shutdown: () => settle(() => resolve(undefined)),
    };
    log.hub.listen(ref, listener);
    const stop = (): void => log.hub.leave(ref, listener);
    const stay = onLeave?.(() => settle(() => reject(new A2AError('AGENT_UNAVAILABLE', 'the caller has disconnected')))) ?? (() => {});
    check();
  });
}

const endedFirst = ({ id }: TaskRef): A2AError =>
  new A2AError('UNSUPPORTED_OPERATION', `task ${id} ended before it took the message`, { metadata: { taskId: id } });
