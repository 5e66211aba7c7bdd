/** Waits for an inbox row. The row shows its result, no matter which node owns the task. */
import { A2AError, toA2AError } from '../../protocol/errors.js';
import type { TaskRef } from '../../stores/store.js';
import type { Call } from '../call.js';
import type { Listener } from '../log/hub.js';
import { taskNotFound } from './checks.js';
import type { Runtime } from './runtime.js';

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
