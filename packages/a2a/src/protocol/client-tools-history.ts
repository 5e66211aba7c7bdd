/** The history part of the client-tools extension: the earlier conversation, for agents that keep no state. */
import { dataOf, objectsIn, readToolResult, TOOL_HISTORY_TYPE, type ToolCall, type ToolResult } from './client-tools.js';
import type { JsonObject, Part } from './types.js';

/** One piece of a user's input in the history: text, binary data, a URL, a file id or JSON. */
export type HistoryInput =
  | { readonly type: 'text'; readonly text: string }
  /** `data` is base64. */
  | {
      readonly type: 'binary';
      readonly media_type: string;
      readonly data: string;
      readonly kind: string;
      readonly vendor_metadata: JsonObject;
    }
  | { readonly type: 'url'; readonly url: string; readonly kind: string }
  | { readonly type: 'file_id'; readonly file_id: string; readonly filename: string | null }
  | { readonly type: 'data'; readonly data: Part['data'] };

/** One event of the conversation, with the names of the wire format. */
export type HistoryEvent =
  | { readonly kind: 'user_input'; readonly parts: readonly HistoryInput[] }
  | ({ readonly kind: 'tool_call' } & ToolCall)
  | { readonly kind: 'tool_calls'; readonly calls: readonly ToolCall[] }
  | HistoryResult
  | { readonly kind: 'tool_results'; readonly results: readonly HistoryResult[] }
  | { readonly kind: 'agent_message'; readonly content: string }
  | { readonly kind: 'model_response'; readonly content: string; readonly tool_calls: readonly ToolCall[] };

/** The result of an earlier tool call in the history. */
export interface HistoryResult {
  readonly kind: 'tool_result';
  /** The id of the call. */
  readonly parent_id: string;
  readonly name: string;
  readonly content: string;
  readonly error: string | null;
}

/** Contains everything before the message that carries it; it must not contain that message. */
export function toHistoryPart(events: readonly HistoryEvent[]): Part {
  // The list contains only JSON members; interfaces just have no index signature.
  return { data: { events: events as unknown as readonly JsonObject[] }, mediaType: TOOL_HISTORY_TYPE };
}

/** Reads the history that a caller sent; events of an unknown kind are left out. */
export function readHistory(parts: readonly Part[]): readonly HistoryEvent[] {
  return dataOf(parts, TOOL_HISTORY_TYPE).flatMap(({ events }) => objectsIn(events).flatMap((event) => readEvent(event) ?? []));
}

function readEvent(event: JsonObject): HistoryEvent | undefined {
  switch (event.kind) {
    case 'user_input':
      return { kind: 'user_input', parts: objectsIn(event.parts).flatMap((part) => readInput(part) ?? []) };
    case 'tool_call':
      return { kind: 'tool_call', ...readCall(event) };
    case 'tool_calls':
      return { kind: 'tool_calls', calls: objectsIn(event.calls).map(readCall) };
    case 'tool_result':
      return readResult(event);
    case 'tool_results':
      return { kind: 'tool_results', results: objectsIn(event.results).flatMap((result) => readResult(result) ?? []) };
    case 'agent_message':
      return { kind: 'agent_message', content: text(event.content) };
    case 'model_response':
      return { kind: 'model_response', content: text(event.content), tool_calls: objectsIn(event.tool_calls).map(readCall) };
    default:
      return undefined;
  }
}

const readCall = (call: JsonObject): ToolCall => ({ id: text(call.id), name: text(call.name), arguments: text(call.arguments, '{}') });

function readResult(data: JsonObject): HistoryResult | undefined {
  const result = readToolResult(data);
  return result && toHistoryResult(result);
}

export function toHistoryResult({ id, name, content, error }: ToolResult): HistoryResult {
  return { kind: 'tool_result', parent_id: id, name, content, error };
}

function readInput(input: JsonObject): HistoryInput | undefined {
  switch (input.type) {
    case 'text':
      return { type: 'text', text: text(input.text) };
    case 'binary':
      return {
        type: 'binary',
        media_type: text(input.media_type, OCTETS),
        data: text(input.data),
        kind: text(input.kind, 'binary'),
        vendor_metadata: objectsIn([input.vendor_metadata ?? null])[0] ?? {},
      };
    case 'url':
      return { type: 'url', url: text(input.url), kind: text(input.kind, 'binary') };
    case 'file_id':
      return { type: 'file_id', file_id: text(input.file_id), filename: text(input.filename) || null };
    case 'data':
      return { type: 'data', data: input.data ?? null };
    default:
      return undefined;
  }
}

/** Converts a part of a message to the format of the history. */
export function toHistoryInput(part: Part): HistoryInput {
  const { text: words, raw, url, data, mediaType = OCTETS, metadata = {}, filename = null } = part;
  const kind = text(metadata['ag2.binary_kind'], 'binary');
  if (words !== undefined) return { type: 'text', text: words };
  if (raw !== undefined) return { type: 'binary', media_type: mediaType, data: raw, kind, vendor_metadata: {} };
  if (url !== undefined) return { type: 'url', url, kind };
  const fileId = metadata['ag2.file_id'];
  if (data === undefined && typeof fileId === 'string') return { type: 'file_id', file_id: fileId, filename };
  return { type: 'data', data: data ?? null };
}

const OCTETS = 'application/octet-stream';

const text = (value: unknown, other = ''): string => (typeof value === 'string' ? value : other);
