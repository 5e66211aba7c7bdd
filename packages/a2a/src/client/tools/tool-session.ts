/** The caller's side of the client-tools extension, for one run. */
import type { Part, Task } from '../../protocol/types.js';

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** A JSON text, as it travels. */
  readonly arguments: string;
}

export interface ToolSession {
  /** Asked for on every leg of the run. */
  readonly extension: string;
  /** What the message that starts the turn carries beside its own parts. */
  schemaParts(): readonly Part[];
  /** The calls that an interrupted task waits for; none when it waits for a person. Calls answered before are not among them. */
  pending(task: Task): readonly ToolCall[];
  /** Runs them all at once; failures become results that say so. The parts go back in one message. */
  answer(calls: readonly ToolCall[], signal: AbortSignal): Promise<readonly Part[]>;
}
