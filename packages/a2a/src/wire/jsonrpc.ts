/** The JSON-RPC 2.0 envelope. Results travel as text that is already serialised: the envelope is joined around it. */
import { A2AError, type ErrorDetail, toA2AError } from '../protocol/errors.js';
import { detailsOf, type ObjectData, toObjectData } from './error-details.js';
import { decodeJson } from './json.js';
import type { FrameWrap } from './sse.js';

export type RpcId = string | number | null;

export interface RpcRequest {
  readonly kind: 'request';
  readonly id: RpcId;
  readonly method: string;
  readonly params: unknown;
}

/** `id` is what the answer has to echo; null when the envelope does not say (`readable` is then false). */
export interface RpcRefusal {
  readonly kind: 'refused';
  readonly id: RpcId;
  readonly readable: boolean;
  readonly error: A2AError;
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data: readonly ErrorDetail[];
}

/** What peers read that were made before details became a list: one object, and among it the chain's outermost hop if there is one. */
export interface ObjectRpcError {
  readonly code: number;
  readonly message: string;
  readonly data: ObjectData;
}

export interface RpcErrorOptions {
  /** 'list' (default): typed details as A2A 1.0 has them. 'object': for older peers. */
  readonly data?: 'list' | 'object' | undefined;
  /** Under which the server's log knows the request; not for older peers. */
  readonly requestId?: string | undefined;
}

// Every event of a stream repeats the id, so a long one would be an amplifier.
const MAX_ID_LENGTH = 256;

/** Reads a request. Whatever is wrong comes back as a refusal, never as an exception. */
export function decodeRequest(text: string): RpcRequest | RpcRefusal {
  let value: unknown;
  try {
    value = decodeJson(text);
  } catch (thrown) {
    return unreadable(toA2AError(thrown));
  }
  if (Array.isArray(value)) return unreadable(invalid('Batches are not supported: send one request at a time'));
  if (typeof value !== 'object' || value === null) return unreadable(invalid('The request must be a JSON object'));
  return readEnvelope(value);
}

function readEnvelope(value: object): RpcRequest | RpcRefusal {
  const { id, jsonrpc, method, params }: Partial<Record<'id' | 'jsonrpc' | 'method' | 'params', unknown>> = value;
  if (id === undefined) return unreadable(invalid('Notifications are not supported: give the request an id'));
  if (!isId(id)) return unreadable(invalid('id must be a number that JSON keeps exactly, a string of at most 256 characters, or null'));
  if (jsonrpc !== '2.0') return { kind: 'refused', id, readable: true, error: invalid('jsonrpc must be "2.0"') };
  if (typeof method !== 'string') return { kind: 'refused', id, readable: true, error: invalid('method must be a string') };
  return { kind: 'request', id, method, params: params ?? {} };
}

function isId(id: unknown): id is RpcId {
  if (typeof id === 'string') return id.length <= MAX_ID_LENGTH;
  // An integer beyond 2^53 would be echoed as another one, and its sender would wait for ever.
  if (typeof id === 'number') return Number.isInteger(id) ? Number.isSafeInteger(id) : Number.isFinite(id);
  return id === null;
}

function unreadable(error: A2AError): RpcRefusal {
  return { kind: 'refused', id: null, readable: false, error };
}

function invalid(message: string): A2AError {
  return new A2AError('INVALID_REQUEST', message);
}

export function encodeResult(id: RpcId, resultJson: string): string {
  return `${resultHead(id)}${resultJson}}`;
}

export function encodeError(id: RpcId, error: A2AError, requestId?: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${JSON.stringify(toJsonRpcError(error, { requestId }))}}`;
}

/** What goes around each event of a stream that answers the request `id`. */
export function resultFrame(id: RpcId): FrameWrap {
  // Joined and not a template: a flat text, since it is written again with each event.
  return { head: ['data: ', resultHead(id)].join(''), tail: '}' };
}

/** The error as JSON-RPC sends it. */
export function toJsonRpcError(error: A2AError, options?: RpcErrorOptions & { readonly data?: 'list' }): RpcError;
export function toJsonRpcError(error: A2AError, options: RpcErrorOptions): RpcError | ObjectRpcError;
export function toJsonRpcError(error: A2AError, { data = 'list', requestId }: RpcErrorOptions = {}): RpcError | ObjectRpcError {
  const { code, message } = error;
  if (data === 'object') return { code, message, data: toObjectData(error) };
  return { code, message, data: detailsOf(error, requestId) };
}

function resultHead(id: RpcId): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
}
