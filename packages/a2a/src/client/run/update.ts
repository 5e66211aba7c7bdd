/** The updates of a run. Their order does not depend on the network. */
import type { A2AError } from '../../protocol/errors.js';
import type { Artifact, JsonObject, Message, Part, Task, TaskState } from '../../protocol/types.js';

interface Told {
  /**
   * The task after this update; it does not change later. Undefined before there is a task, and if the agent replies with a plain Message.
   */
  readonly task: Task | undefined;
  /** The number of the event, if the peer numbers its events. */
  readonly seq: number | undefined;
  /** True if rebuilt from a snapshot after a gap, instead of received as an event. */
  readonly recovered?: true;
}

/** The peer sent the whole task: at the beginning of a stream, or after a gap. The following updates contain what is new in it. */
export type TaskUpdate = Told & { readonly kind: 'task'; readonly task: Task };

/** One update of a run; check its `kind` in `for await (const update of client.run(…))`. */
export type Update =
  | TaskUpdate
  | (Told & {
      readonly kind: 'state';
      readonly state: TaskState;
      readonly message: Message | undefined;
      /** Time of the status, if the agent sends one. */
      readonly timestamp: string | undefined;
      /** Metadata of the event, for example the progress. Undefined if it comes from a snapshot. It is also in the metadata of the task. */
      readonly metadata: JsonObject | undefined;
    })
  /** One piece of an artifact. `chunk` and its `parts` are new; `artifact` contains everything so far. */
  | (Told & {
      readonly kind: 'artifact';
      readonly artifact: Artifact;
      /** Only the new piece: cheap to read for any length of the artifact. */
      readonly chunk: Artifact;
      readonly parts: readonly Part[];
      /** false: the artifact starts, or starts again. */
      readonly append: boolean;
      readonly last: boolean;
      /** Metadata of the event, not of the artifact. Undefined if it comes from a snapshot. */
      readonly metadata: JsonObject | undefined;
    })
  /** The text of the previous update, for callers that only show text. */
  | (Told & {
      readonly kind: 'text';
      /** The new text. Append it to the text of this artifact, unless `append` is false. */
      readonly delta: string;
      /** false: the text of the artifact starts. Discard earlier text of this artifact. */
      readonly append: boolean;
      /**
       * The whole answer so far, over all artifacts, with blank lines between them. If you show this, you need neither `delta` nor
       * `append`.
       */
      readonly text: string;
      /** undefined: text of a message, not of an artifact. */
      readonly artifactId: string | undefined;
    })
  | (Told & { readonly kind: 'message'; readonly message: Message })
  /** The agent waits for its caller. The handlers of `run` are called next. */
  | (Told & { readonly kind: 'input'; readonly want: 'input' | 'auth' | 'tools'; readonly prompt: string; readonly task: Task })
  /** The stream broke. The run reconnects after the delay. */
  | (Told & { readonly kind: 'reconnect'; readonly attempt: number; readonly delayMs: number; readonly cause: A2AError });

/** The position of a run, as plain JSON. Store it, and `watch(taskId, { from })` continues after it without loss or repetition. */
export interface RunPlace {
  readonly task: Task;
  /** The last event that is in the task, if the peer numbers its events. */
  readonly seq?: number;
  /** Artifacts whose last chunk has arrived. A peer that does not number its events may send them again. */
  readonly finished?: readonly string[];
}

/** The result of a send or a run. */
export type Reply =
  | {
      readonly kind: 'task';
      readonly task: Task;
      readonly taskId: string;
      readonly state: TaskState;
      /** The answer: the text of the artifacts, with blank lines between them, and of the agent's messages, without its questions. */
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

/** How a task stopped, or 'working' if it still runs. */
export type FinishReason = 'completed' | 'failed' | 'canceled' | 'rejected' | 'input_required' | 'auth_required' | 'working';
