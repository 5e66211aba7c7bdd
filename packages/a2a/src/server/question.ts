/** What a turn can ask of its caller. */
import type { Message, Part, TaskState } from '../protocol/types.js';

export interface Question {
  readonly state: TaskState;
  /** What the status says; absent: nothing, because whoever is asked knows it from elsewhere. */
  readonly prompt?: string | readonly Part[];
  /** Says what belongs to the question. Not called when the log has the answer already. */
  announce?(): Promise<void>;
}

/** Puts the task into the state of the question and gives the message that answers. */
export type Ask = (question: Question) => Promise<Message>;
