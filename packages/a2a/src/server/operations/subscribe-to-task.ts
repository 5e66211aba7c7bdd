/** SubscribeToTask, and the table of D4: where a subscription begins. */
import { A2AError } from '../../protocol/errors.js';
import { isTerminal } from '../../protocol/task-state.js';
import { taskJsonLength } from '../../protocol/task-text.js';
import type { TaskRef } from '../../stores/store.js';
import { type Reading, type Sink, shareOfCall } from '../call.js';
import { checkRoom, reserveReply } from '../limits/byte-budget.js';
import { subscribe } from '../log/subscription.js';
import { checkReadersAt, checkReadersOf, loadTask, scoped } from './checks.js';
import type { Operation, Runtime } from './runtime.js';

export const subscribeToTask: Operation<'SubscribeToTask'> = async (runtime, call) => {
  const ref = scoped(call, call.params.id);
  checkRoom(call);
  const { seq, head, text, historyBytes } = await loadTask(runtime, ref, 0);
  const after = await resumeAfter(runtime, ref, call.lastEventId, seq);
  if (after === undefined && isTerminal(head.state)) {
    throw new A2AError('UNSUPPORTED_OPERATION', `task ${ref.id} has ended (${head.state}): use GetTask instead`, {
      metadata: { taskId: ref.id },
    });
  }
  const opener = shareOfCall(call);
  const check = (): void => {
    checkReadersOf(runtime, opener);
    checkReadersAt(runtime, ref);
  };
  check();
  if (after === undefined) reserveReply(call, taskJsonLength(text, { historyLength: 0 }) + historyBytes);
  const open = (sink: Sink): Reading => {
    check(); // again: other streams may have been opened since
    return subscribe(runtime.log, { ref, after, until: 'final', opener }, sink);
  };
  return { kind: 'stream', open };
};

/** The seq to continue from. Undefined: begin with the Task, which replaces the client's copy. */
async function resumeAfter(runtime: Runtime, ref: TaskRef, header: string | undefined, seq: number): Promise<number | undefined> {
  if (header === undefined || !/^\d{1,15}$/.test(header)) return undefined;
  const after = Number(header);
  // The owner on another node may be further than this node knows.
  if (after > seq && (await runtime.log.store.entryAt(ref, after)) === undefined) return undefined;
  const entries = await runtime.log.store.readAfter(ref, after, 1);
  return typeof entries === 'string' ? undefined : after;
}
