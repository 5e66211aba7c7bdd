import type { JsonObject } from '../../protocol/types.js';

/** A function that runs at the caller's and that the agent's model may ask for. */
export interface ClientTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject;
  /** What it gives is sent as text; objects become JSON. What it throws is told to the agent as the tool's error. */
  execute(input: JsonObject, options: { readonly signal: AbortSignal }): unknown;
}
