/** From the inbox into the log: a message that its task has taken is the task's for good. */
import { isInterrupted } from '../protocol/task-state.js';
import type { InboxRow } from '../stores/store.js';
import { type InputAs, type TurnRequest, withTaskIds } from './entries.js';
import type { TaskWriter } from './writer.js';

export interface Taking {
  readonly as: InputAs;
  /** The turn is entered again with it, for the n-th time. */
  readonly attempt?: number;
}

export interface TakenMessage {
  /** The entry that took it. */
  readonly seq: number;
  readonly request: TurnRequest;
}

/** Input and, where the task waited, WORKING: one commit, so that nobody reads the old question again. */
export async function takeMessage(writer: TaskWriter, row: InboxRow, { as, attempt }: Taking): Promise<TakenMessage> {
  const posted: TurnRequest = JSON.parse(row.json);
  const request = withTaskIds(posted, writer.ref.id, writer.contextId);
  const { state } = writer;
  const taken = writer.accept({ kind: 'input', request, as, row: row.n });
  const { seq } = writer;
  if (attempt !== undefined) void writer.accept({ kind: 'note', note: { kind: 'attempt', attempt, after: 'answer' } });
  if (state !== undefined && isInterrupted(state)) void writer.accept({ kind: 'status', state: 'TASK_STATE_WORKING' });
  await taken; // refused when the task has just ended: then the message is too, and nobody is given it
  await writer.flush();
  return { seq, request };
}
