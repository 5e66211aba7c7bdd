/** What somebody wants to say about a task, before it has a number and a text. */
import type { Artifact, JsonObject, Message, Task, TaskState } from '../protocol/types.js';
import type { InputAs, Note, TurnRequest } from './entries.js';

/** Ours as a whole: what an executor may still hold was copied at the door (`take`). */
export type Publication = TaskPublication | StatusPublication | ArtifactPublication | InputPublication | NotePublication;

export interface TaskPublication {
  readonly kind: 'task';
  readonly task: Task;
}

export interface StatusPublication {
  readonly kind: 'status';
  readonly state: TaskState;
  readonly message?: Message;
  readonly metadata?: JsonObject;
  /** The inbox row that asked for it. */
  readonly row?: number;
}

export interface ArtifactPublication {
  readonly kind: 'artifact';
  readonly artifact: Artifact;
  readonly append?: boolean;
  readonly lastChunk?: boolean;
  readonly metadata?: JsonObject;
}

export interface InputPublication {
  readonly kind: 'input';
  readonly request: TurnRequest;
  readonly as: InputAs;
  readonly attempt?: number | undefined;
  readonly row?: number;
}

export interface NotePublication {
  readonly kind: 'note';
  readonly note: Note;
}
