import type { Message } from '../../protocol/types.js';
import type { TaskRef } from '../../stores/store.js';
import type { TaskAt } from '../log/task-at-input.js';
import type { TaskWriter } from '../log/writer.js';

/**
 * The result of a send: `inputSeq` is the entry that took the message into the task's log, `writer` is the task's writer if it runs here.
 */
export type Sent = { readonly kind: 'message'; readonly message: Message } | TaskSent;

export interface TaskSent {
  readonly kind: 'task';
  readonly ref: TaskRef;
  readonly inputSeq: number;
  /** The task as it was before it took the message, if it was waiting. */
  readonly before?: TaskAt | undefined;
  /** The writer of the task, if this node owns it. */
  readonly writer: TaskWriter | undefined;
  /** The server closes before the message was taken: a waiting caller gets the current task. */
  readonly isLeft?: boolean;
}
