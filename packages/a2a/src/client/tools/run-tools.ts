/** Runs the tool calls of an agent. Every call gets a result, even if it fails. */
import { isJsonObject, type ToolCall, type ToolResult } from '../../protocol/client-tools.js';
import { A2AError } from '../../protocol/errors.js';
import type { JsonObject, JsonValue } from '../../protocol/types.js';
import type { ClientTool } from './client-tool.js';

/**
 * Runs all calls concurrently and returns the results in the order of the calls. Rejects only if the signal aborts, and then immediately,
 * because tools may ignore the signal.
 */
export async function runTools(
  tools: ReadonlyMap<string, ClientTool>,
  calls: readonly ToolCall[],
  signal: AbortSignal,
): Promise<readonly ToolResult[]> {
  if (signal.aborted) throw aborted(signal);
  let stopListening = (): void => {};
  const left = new Promise<never>((_, reject) => {
    const leave = (): void => reject(aborted(signal));
    signal.addEventListener('abort', leave, { once: true });
    stopListening = () => signal.removeEventListener('abort', leave);
  });
  try {
    return await Promise.race([Promise.all(calls.map((call) => runTool(tools.get(call.name), call, signal))), left]);
  } finally {
    stopListening();
  }
}

/** Never rejects. */
async function runTool(tool: ClientTool | undefined, call: ToolCall, signal: AbortSignal): Promise<ToolResult> {
  const { id, name } = call;
  const failed = (error: string): ToolResult => ({ id, name, content: '', error });
  if (tool === undefined) return failed(`unknown tool ${name}`);
  const input = parseArguments(call.arguments);
  if (input === undefined) return failed('the arguments are not a JSON object');
  let given: unknown;
  try {
    given = await tool.execute(input, { signal });
  } catch (thrown) {
    return failed(errorText(thrown));
  }
  const content = flatten(given);
  return content === undefined ? failed('the result of the tool cannot be written as JSON') : { id, name, content, error: null };
}

/** For a tool without arguments, models send an empty string. */
function parseArguments(text: string): JsonObject | undefined {
  if (text.trim() === '') return {};
  try {
    const value: JsonValue = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Text stays unchanged, undefined becomes '', everything else becomes JSON. Returns undefined if the value has no JSON form. */
function flatten(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (value === undefined) return '';
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Never returns '', because an empty error would count as no error. */
function errorText(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message || thrown.name : describe(thrown);
  return text === '' ? 'the tool failed' : text;
}

function describe(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  return flatten(thrown) ?? '';
}

const aborted = (signal: AbortSignal): A2AError =>
  new A2AError('ABORTED', 'the run was aborted while tools of the caller were running', { cause: signal.reason });
