/** The caller's side of the client-tools extension, for one run. */
import {
  CLIENT_TOOLS_URI,
  offersClientTools,
  readToolCalls,
  TOOL_RESULT_TYPE,
  type ToolCall,
  type ToolResult,
  toolResults,
  toResultsPart,
  toSchemasPart,
} from '../../protocol/client-tools.js';
import { type HistoryEvent, toHistoryInput, toHistoryPart, toHistoryResult } from '../../protocol/client-tools-history.js';
import { A2AClientToolsNotSupportedError, A2AError } from '../../protocol/errors.js';
import type { AgentCard, Part, Task } from '../../protocol/types.js';
import type { ClientTool } from './client-tool.js';
import { runTools } from './run-tools.js';

export type { ToolCall } from '../../protocol/client-tools.js';

export interface ToolSession {
  /** Requested on every request of the run: in the message's `extensions` and in the header. */
  readonly extension: string;
  /**
   * Returns the parts that every message of the run carries in addition to its own: the tool schemas and the earlier messages, since the
   * agent may keep no history. Pass the message's own parts; they are part of the history in the next message.
   */
  schemaParts(own?: readonly Part[]): readonly Part[];
  /**
   * Returns the tool calls that an interrupted task waits for. Empty if it waits for a person. Calls that were already answered are
   * excluded.
   */
  pending(task: Task): readonly ToolCall[];
  /** Runs all calls concurrently. A failure becomes a result with an error. Send the returned parts in one message. */
  answer(calls: readonly ToolCall[], signal: AbortSignal): Promise<readonly Part[]>;
}

/** Throws, before anything is sent, if the agent does not support client tools or if two tools have the same name. */
export function createToolSession(tools: readonly ClientTool[], card: AgentCard): ToolSession {
  const byName = checkTools(tools);
  if (tools.length > 0 && !offersClientTools(card)) throw notSupported(card);
  return new Session(byName);
}

class Session implements ToolSession {
  readonly extension = CLIENT_TOOLS_URI;
  readonly #tools: ReadonlyMap<string, ClientTool>;
  readonly #answered = new Set<string>();
  /** The history before the next message. */
  readonly #before: HistoryEvent[] = [];
  /** The last message. It moves to `#before` when another message follows. */
  #last: HistoryEvent[] = [];
  #lastParts: readonly Part[] | undefined;
  #question = '';

  constructor(tools: ReadonlyMap<string, ClientTool>) {
    this.#tools = tools;
  }

  schemaParts(own?: readonly Part[]): readonly Part[] {
    if (own !== undefined) this.#noteInput(own);
    const parts = this.#tools.size > 0 ? [toSchemasPart([...this.#tools.values()])] : [];
    return this.#before.length > 0 ? [...parts, toHistoryPart([...this.#before])] : parts;
  }

  pending(task: Task): readonly ToolCall[] {
    this.#question = '';
    if (task.status.state !== 'TASK_STATE_INPUT_REQUIRED') return [];
    const answered = new Set(task.history?.flatMap(toolResults).map(({ id }) => id));
    const calls = (task.artifacts ?? []).flatMap(readToolCalls).filter(({ id }) => !this.#answered.has(id) && !answered.has(id));
    if (calls.length === 0) this.#question = (task.status.message?.parts ?? []).map(({ text = '' }) => text).join('');
    return calls;
  }

  async answer(calls: readonly ToolCall[], signal: AbortSignal): Promise<readonly Part[]> {
    const results = await runTools(this.#tools, calls, signal);
    for (const { id } of calls) this.#answered.add(id);
    this.#follow({ kind: 'model_response', content: '', tool_calls: calls }, resultsOf(results));
    return [toResultsPart(results)];
  }

  /** Parts with tool results were recorded by `answer`. The same array again is the same message. */
  #noteInput(own: readonly Part[]): void {
    if (own === this.#lastParts || own.some(({ mediaType }) => mediaType === TOOL_RESULT_TYPE)) return;
    this.#lastParts = own;
    const asked: HistoryEvent = { kind: 'model_response', content: this.#question, tool_calls: [] };
    this.#follow(this.#question === '' ? undefined : asked, { kind: 'user_input', parts: own.map(toHistoryInput) });
    this.#question = '';
  }

  #follow(said: HistoryEvent | undefined, next: HistoryEvent): void {
    this.#before.push(...this.#last, ...(said ? [said] : []));
    this.#last = [next];
  }
}

const resultsOf = (results: readonly ToolResult[]): HistoryEvent => ({ kind: 'tool_results', results: results.map(toHistoryResult) });

function checkTools(tools: readonly ClientTool[]): ReadonlyMap<string, ClientTool> {
  const byName = new Map<string, ClientTool>();
  for (const tool of tools) {
    const { name } = tool;
    if (typeof name !== 'string' || name === '') throw new A2AError('INVALID_PARAMS', 'a tool needs a name');
    if (typeof tool.execute !== 'function') throw new A2AError('INVALID_PARAMS', `the tool ${name} needs a function \`execute\``);
    if (byName.has(name)) throw new A2AError('INVALID_PARAMS', `two tools have the name ${name}`);
    byName.set(name, tool);
  }
  return byName;
}

function notSupported({ name }: AgentCard): A2AClientToolsNotSupportedError {
  const text = `${name} does not support client tools: its card does not declare ${CLIENT_TOOLS_URI}`;
  return new A2AClientToolsNotSupportedError([CLIENT_TOOLS_URI], text);
}
