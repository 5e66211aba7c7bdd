/** What a run tells, in one order, whatever the network does. */
import type { A2AError } from '../../protocol/errors.js';
import type { Artifact, JsonObject, Message, Part, Task, TaskState } from '../../protocol/types.js';

interface Told {
  /** The task as of this update, and so for ever; undefined before there is one, or when the agent answers with a plain Message. */
  readonly task: Task | undefined;
  /** The event's number where the peer numbers its events. */
  readonly seq: number | undefined;
  /** Rebuilt from a snapshot after a gap, instead of being seen as it happened. */
  readonly recovered?: true;
}

/** The peer sent the whole task: at the beginning of a stream, or after a gap. What is new in it is told by the updates behind this one. */
export type TaskUpdate = Told & { readonly kind: 'task'; readonly task: Task };

export type Update =
  | TaskUpdate
  | (Told & {
      readonly kind: 'state';
      readonly state: TaskState;
      readonly message: Message | undefined;
      /** Of the status, where the agent gives one. */
      readonly timestamp: string | undefined;
      /** Of the event, for example the progress; undefined where a snapshot told it. The metadata of the task has it as well. */
      readonly metadata: JsonObject | undefined;
    })
  /** One piece of an artifact. `chunk` and its `parts` are what is new; `artifact` has all so far. */
  | (Told & {
      readonly kind: 'artifact';
      readonly artifact: Artifact;
      /** The piece by itself: cheap to look at, however long the artifact is. */
      readonly chunk: Artifact;
      readonly parts: readonly Part[];
      /** false: the artifact begins, or begins anew. */
      readonly append: boolean;
      readonly last: boolean;
      /** Of the event, not of the artifact; undefined where a snapshot told it. */
      readonly metadata: JsonObject | undefined;
    })
  /** The text of the update before it, for those who only show text. */
  | (Told & {
      readonly kind: 'text';
      /** What is new: it goes behind what was told of this artifact, unless `append` is false. */
      readonly delta: string;
      /** false: the text of the artifact begins; if some of it was told before, it begins anew and that counts no more. */
      readonly append: boolean;
      /** The whole answer as it stands, over all artifacts, with blank lines between them. Those who show it need neither `delta` nor `append`. */
      readonly text: string;
      /** undefined: said beside the artifacts. */
      readonly artifactId: string | undefined;
    })
  | (Told & { readonly kind: 'message'; readonly message: Message })
  /** The agent waits for its caller; the handlers given to `run` are asked next. */
  | (Told & { readonly kind: 'input'; readonly want: 'input' | 'auth' | 'tools'; readonly prompt: string; readonly task: Task })
  /** The stream broke; the run comes back to it after the delay. */
  | (Told & { readonly kind: 'reconnect'; readonly attempt: number; readonly delayMs: number; readonly cause: A2AError });

/** How far a run has come, as plain JSON: kept somewhere, `watch(taskId, { from })` goes on behind it, with nothing lost or told twice. */
export interface RunPlace {
  readonly task: Task;
  /** The last event that is in the task, where the peer numbers its events. */
  readonly seq?: number;
  /** Artifacts whose last chunk has come: a peer that does not number its events may send them again. */
  readonly finished?: readonly string[];
}

/** What came of a send or a run. */
export type Reply =
  | {
      readonly kind: 'task';
      readonly task: Task;
      readonly taskId: string;
      readonly state: TaskState;
      /** The answer: the text of its artifacts, with blank lines between them, and of what the agent said, without its questions. */
      readonly text: string;
      readonly artifacts: readonly Artifact[];
      readonly contextId: string | undefined;
      readonly finishReason: FinishReason;
    }
  | {
      readonly kind: 'message';
      readonly message: Message;
      readonly text: string;
      readonly artifacts: readonly Artifact[];
      readonly contextId: string | undefined;
      readonly finishReason: 'completed';
    };

/** How a task stopped, or that it still goes on. */
export type FinishReason = 'completed' | 'failed' | 'canceled' | 'rejected' | 'input_required' | 'auth_required' | 'working';
