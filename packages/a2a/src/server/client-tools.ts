/** The agent's side of the client-tools extension: its callers' tools, called like functions. */
import {
  readContextUpdate,
  readToolSchemas,
  type ToolCall,
  type ToolResult,
  type ToolSchema,
  toCallArtifact,
  toolResults,
} from '../protocol/client-tools.js';
import { type HistoryEvent, readHistory } from '../protocol/client-tools-history.js';
import { A2AError } from '../protocol/errors.js';
import type { JsonObject } from '../protocol/types.js';
import type { RequestContext, TaskEvents } from './executor.js';
import { ignorable } from './ignorable.js';
import { insideOf, type TurnInside } from './turn-inside.js';

/** A call to make: the arguments as an object, or as the JSON text that a model wrote. */
export interface ToolRequest {
  readonly name: string;
  readonly arguments?: JsonObject | string;
  /**
   * Names the call within its turn (1 to 256 characters). When the turn is entered again, the result of the same call is found wherever it
   * is made. Without an id, the position of the call counts as well.
   */
  readonly id?: string | undefined;
}

export interface ClientTools {
  /** What the caller offers; empty when it offers nothing. */
  readonly tools: readonly ToolSchema[];
  /** What was said before, as far as the caller tells it. */
  readonly history: readonly HistoryEvent[];
  /** Variables that the caller shares. */
  readonly variables: JsonObject;
  /** Calls one tool and gives what it said. Rejects with an A2AError when the tool failed, or is not there. */
  call(name: string, input?: JsonObject | string, options?: Pick<ToolRequest, 'id'>): Promise<string>;
  /** Calls several at once, the results in the order of the calls; what failed has an `error`. */
  callAll(requests: readonly ToolRequest[]): Promise<readonly ToolResult[]>;
  /**
   * For executors that keep nothing between turns: publishes the calls and leaves the task INPUT_REQUIRED. Return after it; the results
   * come as the message of the next turn, where `toolResults(context.message)` reads them.
   */
  callLater(requests: readonly ToolRequest[]): Promise<readonly ToolCall[]>;
}

/**
 * The tools of whoever sent the message of this turn. Declare the extension in the card: `createAgent({ extensions: [CLIENT_TOOLS] })`.
 * A run that waits for results survives a restart as `requireInput` does: what was answered is not asked again.
 */
export function clientTools(context: RequestContext, events: TaskEvents): ClientTools {
  const inside = insideOf(context);
  if (inside === undefined) throw new A2AError('INVALID_PARAMS', 'clientTools takes the context that `execute` was given');
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

/** Callers send them with every message; of those who send them once, the last that were sent count. */
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
  return calls.map((call) => results.get(call.id) ?? failed(call, isOffered(run, call.name) ? NO_RESULT : 'the caller has no such tool'));
}

async function callLater(run: CallingRun, requests: readonly ToolRequest[]): Promise<readonly ToolCall[]> {
  const unknown = requests.find(({ name }) => !isOffered(run, name));
  if (unknown) throw new A2AError('INVALID_PARAMS', `the caller has no tool ${unknown.name}`);
  const calls = requests.map((request) => toCall(run, request));
  await publish(run, calls);
  await run.events.status('TASK_STATE_INPUT_REQUIRED');
  return calls;
}

/** A reply may lack results. A caller that never sends them must not be asked for ever. */
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
  // A model may decide otherwise when the turn is entered again: the digest keeps the result of another call from being used for this one.
  return { id: inside.newCallId(digest(`${name} ${text}`), id), name, arguments: text };
}

function toText(name: string, input: JsonObject): string {
  try {
    return JSON.stringify(input);
  } catch (cause) {
    throw new A2AError('INVALID_PARAMS', `the arguments of ${name} can not be written as JSON`, { cause });
  }
}

const isOffered = ({ tools }: CallingRun, name: string): boolean => tools.some((tool) => tool.name === name);

const failed = ({ id, name }: ToolCall, error: string): ToolResult => ({ id, name, content: '', error });

const NO_RESULT = 'the caller gave no result';

/** FNV-1a: short, and the same everywhere. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
