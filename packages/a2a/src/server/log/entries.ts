/** What is written to the log: publications, and the entries that they become. */
import { applyEvent, createDraft, type TaskDraft, type TaskEvent } from '../../protocol/apply-event.js';
import { isInterrupted, isTerminal } from '../../protocol/task-state.js';
import { fromTaskText } from '../../protocol/task-text.js';
import type {
  Artifact,
  JsonObject,
  Message,
  Part,
  SendMessageConfiguration,
  StreamResponse,
  Task,
  TaskState,
} from '../../protocol/types.js';
import type { Entry, RequestKey, StoredTask } from '../../stores/store.js';
import type { Caller } from '../call.js';

/**
 * Why a message is in the log: it starts a turn, it answers a question inside a turn, or it was in the history of the executor's Task
 * (D43).
 */
export type InputAs = 'turn' | 'reply' | 'history';

/**
 * `parked`: no node runs the task until the next message; `turn` is the entry where the turn began that then continues. `asked`: the status
 * that follows is a question of the turn, and its reply belongs to this turn. `handed-over`: the node that ran the turn closed, and the
 * next owner runs the turn again. `attempt`: `execute` is called again, on `node`, which the log adds. `replies-dropped`: a question
 * without an id had changed when the turn was run again, so the replies without an id to the questions from entry `from` to here are no
 * longer used (D44).
 */
export type Note =
  | { readonly kind: 'turn-ended' }
  | AskedNote
  | { readonly kind: 'replies-dropped'; readonly from: number; readonly reason: string }
  | { readonly kind: 'parked'; readonly turn?: number }
  | { readonly kind: 'handed-over'; readonly turn: number }
  | { readonly kind: 'attempt'; readonly attempt: number; readonly after: 'answer' | 'crash' | 'hand-over'; readonly node?: string };

/** Logs of the first version have none of the members: there, the status entry after the note gives the kind and the prompt. */
export interface AskedNote {
  readonly kind: 'asked';
  readonly question?: QuestionIdentity;
  /** The entry of the note that asked this question first, if the reply failed the schema check and this note repeats the question. */
  readonly repeatOf?: number | undefined;
  /** The newest inbox row that the owner had read: this row and older ones are not replies. Absent when any message can be the reply. */
  readonly after?: number;
}

/** A recorded reply is used only for a question with the same identity (D44). It is stored in the `asked` note. */
export interface QuestionIdentity {
  readonly kind: 'input' | 'auth' | 'tools';
  readonly prompt?: string | readonly Part[] | undefined;
  /** Chosen by the executor: the reply is found at any position of the turn. */
  readonly id?: string | undefined;
  /** The ids of the calls whose results a `tools` question waits for. */
  readonly calls?: readonly string[] | undefined;
}

/** A caller's message and everything that a turn needs to know about its request. Stored in the log, so that the turn can run again. */
export interface TurnRequest {
  readonly message: Message;
  readonly caller: Caller;
  readonly requestId: string;
  readonly extensions: readonly string[];
  readonly configuration?: SendMessageConfiguration;
  readonly metadata?: JsonObject;
  /** The caller's `traceparent`. */
  readonly trace?: string;
}

/** A new task: the request that starts it. Its message already has the ids of the task. */
export interface FirstTurn {
  readonly request: TurnRequest;
  /** Above 1 when an earlier run for the same idempotency key died before a Task existed. */
  readonly attempt: number;
  /** Linked to the task when it is created. */
  readonly key?: RequestKey | undefined;
}

/** Returns the request with the ids of the task in its message. Copies member by member, so that all messages have one object shape. */
export function withTaskIds(request: TurnRequest, taskId: string, contextId: string): TurnRequest {
  const { caller, requestId, extensions, configuration, metadata, trace } = request;
  const { messageId, role, parts, metadata: about, extensions: uris, referenceTaskIds } = request.message;
  const message: Message = { messageId, contextId, taskId, role, parts, metadata: about, extensions: uris, referenceTaskIds };
  return { message, caller, requestId, extensions, configuration, metadata, trace };
}

interface Input {
  readonly as: InputAs;
  readonly request: TurnRequest;
  /** Absent on the first attempt. Otherwise an earlier process ran the same idempotent request and died before a Task existed. */
  readonly attempt?: number;
  /** The entry of the interrupted status that this message ended; absent if the task was not interrupted. */
  readonly resumes?: number;
  /** The Task that follows is provisional: the runtime created it before the executor published anything (D43). */
  readonly provisional?: true;
  /** The node that took the message. Absent in logs of older versions. */
  readonly node?: string;
}

export function readInput(entry: Entry): Input {
  return JSON.parse(entry.json).input;
}

export function readNote(entry: Entry): Note {
  return JSON.parse(entry.json).note;
}

const STATE = '"status":{"state":"';

/**
 * The state that an entry sets. The texts are our own (`EventText`): only ids come before the status, and quotes inside strings are
 * escaped. So this search cannot match anything else, and no parsing is needed.
 */
export function stateOf(entry: Entry): TaskState | undefined {
  if (entry.kind !== 'task' && entry.kind !== 'status') return undefined;
  const start = entry.json.indexOf(STATE) + STATE.length;
  return entry.json.slice(start, entry.json.indexOf('"', start)) as TaskState; // no other value is written there
}

/** The event that an entry applies to the task; undefined for a note. */
export function toEvent(entry: Entry): TaskEvent | undefined {
  if (entry.kind === 'note') return undefined;
  if (entry.kind === 'input') return { kind: 'input', message: readInput(entry).request.message };
  const { task, statusUpdate, artifactUpdate }: StreamResponse = JSON.parse(entry.json);
  if (task) return { kind: 'task', task };
  if (statusUpdate) return { kind: 'status', update: statusUpdate };
  if (artifactUpdate) return { kind: 'artifact', update: artifactUpdate };
  return undefined;
}

/** The task as of its last entry. */
export function foldStored(stored: StoredTask): TaskDraft {
  const draft = fromTaskText(stored.snapshot.text);
  for (const entry of stored.tail) {
    const event = toEvent(entry);
    if (event) applyEvent(draft, event);
  }
  return draft;
}

/** Starts the draft at the first `task` event, then folds. */
export function fold(draft: TaskDraft | undefined, event: TaskEvent): TaskDraft | undefined {
  if (draft === undefined) return event.kind === 'task' ? createDraft(event.task) : undefined;
  applyEvent(draft, event);
  return draft;
}

/** An event before it gets its seq and its text. Owned by the runtime: objects that an executor may still reference were copied on entry (`take`). */
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
