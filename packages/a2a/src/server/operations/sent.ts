import type { Message } from '../../protocol/types.js';
import type { TaskRef } from '../../stores/store.js';
import type { TaskAt } from '../task-at-input.js';
import type { TaskWriter } from '../writer.js';

/** Where the message went: `inputSeq` is the entry that took it into the task's log, `writer` whoever writes that here. */
export type Sent = { readonly kind: 'message'; readonly message: Message } | TaskSent;

export interface TaskSent {
  readonly kind: 'task';
  readonly ref: TaskRef;
  readonly inputSeq: number;
  /** The task as it waited for the message, where it did. */
  readonly before?: TaskAt | undefined;
  /** Who writes the task, where that is us. */
  readonly writer: TaskWriter | undefined;
  /** The server goes away before the message was taken: whoever waits is told how the task is. */
  readonly isLeft?: boolean;
}
