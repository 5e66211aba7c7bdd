/** An event before it gets its seq and its text. */
import { isInterrupted, isTerminal } from '../../protocol/task-state.js';
import type { Artifact, JsonObject, Message, Task, TaskState } from '../../protocol/types.js';
import type { InputAs, Note, TurnRequest } from './entries.js';

/** Owned by the runtime: objects that an executor may still reference were copied on entry (`take`). */
export type Publication = TaskPublication | StatusPublication | ArtifactPublication | InputPublication | NotePublication;

export interface TaskPublication {
  readonly kind: 'task';
  readonly task: Task;
  /** Created by the runtime, before the executor published anything (D43). */
  readonly provisional?: true;
  /** For a Task that an executor made. */
  readonly maxBytes?: number;
  /** The caller's message, if the runtime added it to the history. Its size was checked when it arrived. */
  readonly added?: Message | undefined;
}

export interface StatusPublication {
  readonly kind: 'status';
  readonly state: TaskState;
  readonly message?: Message;
  readonly metadata?: JsonObject;
  /** The inbox row that requested it. */
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
  /** The Task that follows is provisional (D43). */
  readonly provisional?: true | undefined;
  readonly row?: number;
}

export interface NotePublication {
  readonly kind: 'note';
  readonly note: Note;
}

/** States at which the readers of a turn stop. */
export const stops = (state: TaskState): boolean => isTerminal(state) || isInterrupted(state);

/** Whether it releases a unary caller that waits for the turn to stop. */
export function stopsTurn(publication: Publication): boolean {
  switch (publication.kind) {
    case 'note':
      return publication.note.kind === 'turn-ended' || publication.note.kind === 'parked';
    case 'status':
      return stops(publication.state);
    case 'task':
      return stops(publication.task.status.state);
    default:
      return false;
  }
}
