/**
 * Creates updates. The costly members, the whole task and the whole text, are built on access. They are own getters, not cheaper class
 * getters: callers spread updates and serialize them to JSON, and no member may be lost.
 */
import type { Artifact, JsonObject, Message, TaskStatusUpdateEvent } from '../../protocol/types.js';
import { joinTexts } from '../answer-text.js';
import type { TaskView } from './past-task.js';
import type { TaskUpdate, Update } from './update.js';

/** The state after an event, shared by its updates. */
export interface Moment {
  /** undefined: there is no task. */
  readonly view: TaskView | undefined;
  /** The text of the answer beside the artifacts. */
  readonly spoken: string;
  readonly seq: number | undefined;
  readonly recovered?: boolean;
}

export interface ToldPiece {
  /** The new part of an artifact. */
  readonly chunk: Artifact;
  readonly append: boolean;
  readonly last: boolean;
  /** Delivered text of the artifact is no longer valid. */
  readonly cleared: boolean;
  /** Metadata of the event. undefined if it comes from a snapshot. */
  readonly metadata?: JsonObject | undefined;
}

type ToldStatus = Pick<TaskStatusUpdateEvent, 'status' | 'metadata'>;

export function tellTask(view: TaskView, moment: Moment): TaskUpdate {
  return {
    kind: 'task',
    get task() {
      return view.task;
    },
    ...marks(moment),
  };
}

/** Creates the state update, and a text update if the status text belongs to the answer. */
export function tellState({ status, metadata }: ToldStatus, moment: Moment, delta: string): Update[] {
  const { view } = moment;
  const { state, message, timestamp } = status;
  const update: Update = {
    kind: 'state',
    state,
    message,
    timestamp,
    metadata,
    get task() {
      return view?.task;
    },
    ...marks(moment),
  };
  return delta === ''
    ? [update]
    : [update, tellText({ delta, append: moment.spoken.length > delta.length, artifactId: undefined }, moment)];
}

export function tellMessage(message: Message, moment: Moment, delta: string): Update[] {
  const { view } = moment;
  const update: Update = {
    kind: 'message',
    message,
    get task() {
      return view?.task;
    },
    ...marks(moment),
  };
  return delta === ''
    ? [update]
    : [update, tellText({ delta, append: moment.spoken.length > delta.length, artifactId: undefined }, moment)];
}

export function tellArtifact({ chunk, append, last, cleared, metadata }: ToldPiece, moment: Moment, delta: string): Update[] {
  const { view } = moment;
  const { artifactId, parts } = chunk;
  const update: Update = {
    kind: 'artifact',
    chunk,
    parts,
    append,
    last,
    metadata,
    get artifact() {
      return view?.artifact(artifactId) ?? chunk;
    },
    get task() {
      return view?.task;
    },
    ...marks(moment),
  };
  return delta === '' && !cleared ? [update] : [update, tellText({ delta, append, artifactId }, moment)];
}

interface ToldText {
  readonly delta: string;
  readonly append: boolean;
  readonly artifactId: string | undefined;
}

function tellText({ delta, append, artifactId }: ToldText, moment: Moment): Update {
  const { view, spoken } = moment;
  return {
    kind: 'text',
    delta,
    append,
    artifactId,
    get text() {
      const made = { text: view?.text ?? '', isArtifact: true };
      return joinTexts([made, { text: spoken, isArtifact: false }]);
    },
    get task() {
      return view?.task;
    },
    ...marks(moment),
  };
}

function marks({ seq, recovered }: Moment): { readonly seq: number | undefined; readonly recovered?: true } {
  return recovered ? { seq, recovered: true } : { seq };
}
