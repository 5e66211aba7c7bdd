/**
 * Makes updates. What is costly about one, the whole task and the whole text, is built when somebody looks. They are members of their own and
 * no getters of a class, which would cost less: updates are spread and written as JSON, and nothing may get lost on the way.
 */
import type { Artifact, JsonObject, Message, TaskStatusUpdateEvent } from '../../protocol/types.js';
import { joinTexts } from '../answer-text.js';
import type { TaskView } from './past-task.js';
import type { TaskUpdate, Update } from './update.js';

/** The moment that updates are about. */
export interface Moment {
  /** undefined: there is no task. */
  readonly view: TaskView | undefined;
  /** The answer beside the artifacts. */
  readonly spoken: string;
  readonly seq: number | undefined;
  readonly recovered?: boolean;
}

export interface ToldPiece {
  /** What is new of an artifact. */
  readonly chunk: Artifact;
  readonly append: boolean;
  readonly last: boolean;
  /** Text of it that was told is no longer there. */
  readonly cleared: boolean;
  /** Of the event; undefined where a snapshot told it. */
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

/** The state; and its text where that belongs to the answer. */
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
