import type { JsonObject } from '../../protocol/types.js';

/** A function that runs in the caller's process and that the agent's model may call. */
export interface ClientTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject;
  /**
   * Runs the tool. The return value is sent as text; objects become JSON. An error that it throws is sent to the agent as the tool's error.
   */
  execute(input: JsonObject, options: { readonly signal: AbortSignal }): unknown;
}
