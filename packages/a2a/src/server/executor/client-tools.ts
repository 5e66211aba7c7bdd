/** The agent's side of the client-tools extension: an executor calls the tools of its caller like functions. */

import { ignorable } from '../../platform/ignorable.js';
import {
  readContextUpdate,
  readToolSchemas,
  type ToolCall,
  type ToolResult,
  type ToolSchema,
  toCallArtifact,
  toolResults,
} from '../../protocol/client-tools.js';
import { type HistoryEvent, readHistory } from '../../protocol/client-tools-history.js';
import { A2AError } from '../../protocol/errors.js';
import type { JsonObject } from '../../protocol/types.js';
import type { RequestContext, TaskEvents } from './executor.js';
import { insideOf, type TurnInside } from './request-context.js';

/** A tool call: the arguments as an object, or as the JSON text that a model wrote. */
export interface ToolRequest {
  readonly name: string;
  readonly arguments?: JsonObject | string;
  /**
   * Names the call within its turn (1 to 256 characters). When the turn is run again, the result of a call with the same id is found at any
   * position in the turn. Without an id, the position of the call counts as well.
   */
  readonly id?: string | undefined;
}

/** The tools, history and variables that a caller sent with the client-tools extension. */
export interface ClientTools {
  /** The tools that the caller offers; may be empty. */
  readonly tools: readonly ToolSchema[];
  /** The earlier conversation, if the caller sent it. */
  readonly history: readonly HistoryEvent[];
  /** Variables that the caller shares. */
  readonly variables: JsonObject;
  /** Calls one tool and returns its output. Rejects with an A2AError when the tool failed or is not offered. */
  call(name: string, input?: JsonObject | string, options?: Pick<ToolRequest, 'id'>): Promise<string>;
  /** Calls several tools at once. The results are in the order of the calls; a failed call has an `error`. */
  callAll(requests: readonly ToolRequest[]): Promise<readonly ToolResult[]>;
  /**
   * For executors that keep no state between turns: publishes the calls and sets the task to INPUT_REQUIRED. Return after it. The results
   * arrive as the message of the next turn; read them with `toolResults(context.message)`.
   */
  callLater(requests: readonly ToolRequest[]): Promise<readonly ToolCall[]>;
}

/**
 * The tools of the caller that sent the message of this turn. Declare the extension in the card: `createAgent({ extensions: [CLIENT_TOOLS]
 * })`. A run that waits for results survives a restart as `requireInput` does: answered calls are not made again.
 */
export function clientTools(context: RequestContext, events: TaskEvents): ClientTools {
  const inside = insideOf(context);
  if (inside === undefined) throw new A2AError('INVALID_PARAMS', 'clientTools needs the context that was passed to `execute`');
  const run: CallingRun = { inside, events, tools: toolsOf(context) };
  return {
    tools: run.tools,
    history: readHistory(context.parts),
    variables: readContextUpdate(context.message),
    call: (name, input = {}, { id } = {}) => ignorable(callOne(run, { name, arguments: input, id })),
    callAll: (requests) => ignorable(callAll(run, requests)),
    callLater: (requests) => ignorable(callLater(run, requests)),
  };
}

interface CallingRun {
  readonly inside: TurnInside;
  readonly events: TaskEvents;
  readonly tools: readonly ToolSchema[];
}

/** Most callers send their tools with every message. For callers that send them once, the last tools that were sent count. */
function toolsOf({ parts, currentTask }: RequestContext): readonly ToolSchema[] {
  const sent = readToolSchemas(parts);
  if (sent.length > 0) return sent;
  const earlier = currentTask?.history?.findLast((message) => readToolSchemas(message.parts).length > 0);
  return earlier ? readToolSchemas(earlier.parts) : [];
}

async function callOne(run: CallingRun, request: ToolRequest): Promise<string> {
  const [result] = await callAll(run, [request]);
  if (result === undefined || result.error !== null) {
    throw new A2AError('INVALID_PARAMS', `the caller's tool ${request.name} failed: ${result?.error ?? NO_RESULT}`);
  }
  return result.content;
}

async function callAll(run: CallingRun, requests: readonly ToolRequest[]): Promise<readonly ToolResult[]> {
  const calls = requests.map((request) => toCall(run, request));
  const results = await resultsOf(
    run,
    calls.filter(({ name }) => isOffered(run, name)),
  );
  return calls.map(
    (call) => results.get(call.id) ?? failed(call, isOffered(run, call.name) ? NO_RESULT : 'the caller does not offer this tool'),
  );
}

async function callLater(run: CallingRun, requests: readonly ToolRequest[]): Promise<readonly ToolCall[]> {
  const unknown = requests.find(({ name }) => !isOffered(run, name));
  if (unknown) throw new A2AError('INVALID_PARAMS', `the caller does not offer the tool ${unknown.name}`);
  const calls = requests.map((request) => toCall(run, request));
  await publish(run, calls);
  await run.events.status('TASK_STATE_INPUT_REQUIRED');
  return calls;
}

/** A reply may lack results. The limit stops a loop with a caller that never sends them. */
const MAX_ASKS = 3;

async function resultsOf(run: CallingRun, calls: readonly ToolCall[]): Promise<ReadonlyMap<string, ToolResult>> {
  const results = new Map<string, ToolResult>();
  for (let asks = 0; asks < MAX_ASKS; asks += 1) {
    const missing = calls.filter(({ id }) => !results.has(id));
    if (missing.length === 0) break;
    const { message } = await run.inside.ask({ kind: 'tools', calls: missing.map(({ id }) => id), announce: () => publish(run, missing) });
    const given = toolResults(message);
    for (const call of missing) {
      const result = given.findLast(({ id }) => id === call.id);
      if (result) results.set(call.id, { ...result, name: call.name });
    }
  }
  return results;
}

async function publish({ events }: CallingRun, calls: readonly ToolCall[]): Promise<void> {
  for (const call of calls) await events.artifact(toCallArtifact(call), { last: true });
}

function toCall({ inside }: CallingRun, { name, arguments: input = {}, id }: ToolRequest): ToolCall {
  const text = typeof input === 'string' ? input : toText(name, input);
  // A model may decide differently when the turn is run again: the digest keeps this call from getting the result of another one.
  return { id: inside.newCallId(digest(`${name} ${text}`), id), name, arguments: text };
}

function toText(name: string, input: JsonObject): string {
  try {
    return JSON.stringify(input);
  } catch (cause) {
    throw new A2AError('INVALID_PARAMS', `the arguments of ${name} cannot be written as JSON`, { cause });
  }
}

const isOffered = ({ tools }: CallingRun, name: string): boolean => tools.some((tool) => tool.name === name);

const failed = ({ id, name }: ToolCall, error: string): ToolResult => ({ id, name, content: '', error });

const NO_RESULT = 'the caller sent no result';

/** FNV-1a: short, and the same on every runtime. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
