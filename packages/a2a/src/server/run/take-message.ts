/** Moves a message from the inbox to the log. After that it belongs to the task permanently. */

import { isLarge, nextIteration } from '../../platform/slices.js';
import { isInterrupted } from '../../protocol/task-state.js';
import type { TaskStatus } from '../../protocol/types.js';
import type { InboxRow } from '../../stores/store.js';
import { type InputAs, type TurnRequest, withTaskIds } from '../log/entries.js';
import type { TaskWriter } from '../log/writer.js';

export interface Taking {
  readonly as: InputAs;
  /** The message starts this attempt of the turn. */
  readonly attempt?: number;
}

export interface TakenMessage {
  /** The entry that took the message. */
  readonly seq: number;
  readonly request: TurnRequest;
  /** The interrupted status that the message ended. */
  readonly resumedFrom: TaskStatus | undefined;
}

/** Writes the input and, if the task was waiting, WORKING in one commit, so that no reader sees the old question again (D2). */
export async function takeMessage(writer: TaskWriter, row: InboxRow, { as, attempt }: Taking): Promise<TakenMessage> {
  const posted: TurnRequest = JSON.parse(row.json);
  // A large message is parsed and serialized in two event-loop iterations. If the task ends in between, `accept` refuses the message.
  if (isLarge(row.json)) await nextIteration();
  const request = withTaskIds(posted, writer.ref.id, writer.contextId);
  const { state, status } = writer;
  const isResumed = state !== undefined && isInterrupted(state);
  const taken = writer.accept({ kind: 'input', request, as, row: row.n });
  const { seq } = writer;
  if (attempt !== undefined) void writer.accept({ kind: 'note', note: { kind: 'attempt', attempt, after: 'answer' } });
  if (isResumed) void writer.accept({ kind: 'status', state: 'TASK_STATE_WORKING' });
  await taken; // rejects when the task has just ended: then the message is refused as well
  await writer.flush();
  return { seq, request, resumedFrom: isResumed ? status : undefined };
}
