/**
 * The client-tools extension (`urn:ag2:client-tools:v1`): functions that run at the caller and that the agent calls. All data is in data
 * parts, distinguished by media type. The data comes from peers, so invalid entries are left out.
 */

import { A2AError } from './errors.js';
import { isObject } from './is-object.js';
import type { AgentCard, AgentExtension, Artifact, JsonObject, JsonValue, Message, Part } from './types.js';

export const CLIENT_TOOLS_URI = 'urn:ag2:client-tools:v1';

/** For the card of an agent that calls tools of its callers: `createAgent({ extensions: [CLIENT_TOOLS] })`. */
export const CLIENT_TOOLS: AgentExtension = { uri: CLIENT_TOOLS_URI, description: 'AG2 client-side tool execution', required: false };

const TOOL_SCHEMAS_TYPE = 'application/vnd.ag2.tool-schemas+json';
const TOOL_CALL_TYPE = 'application/vnd.ag2.tool-call+json';
export const TOOL_RESULT_TYPE = 'application/vnd.ag2.tool-result+json';
export const TOOL_HISTORY_TYPE = 'application/vnd.ag2.history+json';

/** Media types that agents with the extension accept, independent of the input modes in their card. */
export const CLIENT_TOOLS_TYPES: readonly string[] = [TOOL_SCHEMAS_TYPE, TOOL_CALL_TYPE, TOOL_RESULT_TYPE, TOOL_HISTORY_TYPE];

/** A tool that a caller offers. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject;
}

/** One call that the agent requests. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text, as on the wire. */
  readonly arguments: string;
}

/** The result of a call. If `error` is set, `content` is not a result. */
export interface ToolResult {
  /** The id of the call. */
  readonly id: string;
  readonly name: string;
  readonly content: string;
  readonly error: string | null;
}

export function offersClientTools({ capabilities }: Pick<AgentCard, 'capabilities'>): boolean {
  return capabilities.extensions?.some(({ uri }) => uri === CLIENT_TOOLS_URI) ?? false;
}

export function toSchemasPart(tools: readonly ToolSchema[]): Part {
  const listed = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  return { data: { tools: listed }, mediaType: TOOL_SCHEMAS_TYPE };
}

/** The tools that a caller offers; the first of several with the same name. */
export function readToolSchemas(parts: readonly Part[]): readonly ToolSchema[] {
  const tools = new Map<string, ToolSchema>();
  for (const tool of listsIn(parts, TOOL_SCHEMAS_TYPE, 'tools')) {
    const { name, description, parameters } = tool;
    if (!isName(name) || tools.has(name)) continue;
    tools.set(name, { name, description: textOr(description, ''), parameters: isJsonObject(parameters) ? parameters : {} });
  }
  return [...tools.values()];
}

export function toCallArtifact(call: ToolCall): Artifact {
  const { id, name, arguments: text } = call;
  return { artifactId: id, name, parts: [{ data: { id, name, arguments: text }, mediaType: TOOL_CALL_TYPE }] };
}

/** The tool calls in an artifact; most have none. Members that the payload lacks are taken from the artifact. */
export function readToolCalls({ artifactId, name: called, parts }: Artifact): readonly ToolCall[] {
  const calls: ToolCall[] = [];
  for (const data of dataOf(parts, TOOL_CALL_TYPE)) {
    const id = isName(data.id) ? data.id : artifactId;
    const name = isName(data.name) ? data.name : called;
    if (isName(name)) calls.push({ id, name, arguments: argumentsText(data.arguments) });
  }
  return calls;
}

/** Some peers send the arguments as JSON instead of as a text. */
function argumentsText(given: JsonValue | undefined): string {
  if (given === undefined || given === null) return '{}';
  return typeof given === 'string' ? given : JSON.stringify(given);
}

export function toResultsPart(results: readonly ToolResult[]): Part {
  const listed = results.map(({ id, name, content, error }) => ({ id, name, content, error }));
  return { data: { results: listed }, mediaType: TOOL_RESULT_TYPE };
}

/** The tool results in a message; empty for a message that a person wrote. */
export function toolResults(message: Pick<Message, 'parts'> | undefined): readonly ToolResult[] {
  return listsIn(message?.parts ?? [], TOOL_RESULT_TYPE, 'results').flatMap((data) => readToolResult(data) ?? []);
}

/** `parent_id` is the name of the id in the history. */
export function readToolResult(data: JsonObject): ToolResult | undefined {
  const id = isName(data.id) ? data.id : data.parent_id;
  if (!isName(id)) return undefined;
  const { content, error } = data;
  return { id, name: textOr(data.name, ''), content: toText(content), error: isFailure(error) ? toText(error) : null };
}

const isFailure = (error: JsonValue | undefined): boolean => error !== undefined && error !== null && error !== '' && error !== false;

const toText = (value: JsonValue | undefined): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const CONTEXT_KEY = 'ag2.context_update';

/**
 * Metadata for a message that sends shared variables to the other side: put it into `metadata`. Throws for values that JSON cannot
 * represent.
 */
export function contextUpdate(variables: Readonly<Record<string, unknown>>): JsonObject {
  const written: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(variables)) written[name] = writable(name, value);
  return { [CONTEXT_KEY]: written };
}

/** The shared variables in a message; may be empty. */
export function readContextUpdate(message: Pick<Message, 'metadata'> | undefined): JsonObject {
  const variables = message?.metadata?.[CONTEXT_KEY];
  return isJsonObject(variables) ? variables : {};
}

function writable(name: string, value: unknown): JsonValue {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new A2AError('INVALID_PARAMS', `the variable ${name} cannot be written as JSON`, { cause });
  }
  if (text === undefined) throw new A2AError('INVALID_PARAMS', `the variable ${name} cannot be written as JSON`);
  return JSON.parse(text);
}

/** The objects of a list inside data parts of this type. */
function listsIn(parts: readonly Part[], type: string, member: string): readonly JsonObject[] {
  return dataOf(parts, type).flatMap((data) => objectsIn(data[member]));
}

/** The payloads of this type. */
export function dataOf(parts: readonly Part[], type: string): readonly JsonObject[] {
  return objectsIn(parts.filter(({ mediaType }) => essence(mediaType) === type).map(({ data = null }) => data));
}

export function objectsIn(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** For values that came from JSON: checks only the outermost level. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}

const isName = (value: JsonValue | undefined): value is string => typeof value === 'string' && value !== '';

const textOr = (value: JsonValue | undefined, other: string): string => (typeof value === 'string' ? value : other);

const essence = (mediaType = ''): string => (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
