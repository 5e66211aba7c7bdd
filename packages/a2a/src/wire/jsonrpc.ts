/** The JSON-RPC 2.0 envelope. Results are already serialized text: the envelope is concatenated around it. */
import { A2AError, type ErrorDetail, toA2AError } from '../protocol/errors.js';
import { detailsOf, type ObjectData, toObjectData } from './error-details.js';
import { decodeBody } from './request-body.js';
import type { FrameWrap } from './sse.js';

export type RpcId = string | number | null;

export interface RpcRequest {
  readonly kind: 'request';
  readonly id: RpcId;
  readonly method: string;
  readonly params: unknown;
}

/** `id` is the id to echo; null when the envelope has no usable one (`readable` is then false). */
export interface RpcRefusal {
  readonly kind: 'refused';
  readonly id: RpcId;
  readonly readable: boolean;
  readonly error: A2AError;
}

/** An error in the format of JSON-RPC, with the details of A2A 1.0. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data: readonly ErrorDetail[];
}

/** The error format of peers older than the details list: one object, with the outermost hop of the chain if there is one. */
export interface ObjectRpcError {
  readonly code: number;
  readonly message: string;
  readonly data: ObjectData;
}

/** Options of `toJsonRpcError`: the format of the details, and the request id. */
export interface RpcErrorOptions {
  /** 'list' (default): typed details as in A2A 1.0. 'object': for older peers. */
  readonly data?: 'list' | 'object' | undefined;
  /** The request id in the server's log; not sent to older peers. Default: not sent. */
  readonly requestId?: string | undefined;
}

// Every event of a stream repeats the id, so a long id would amplify the traffic.
const MAX_ID_LENGTH = 256;

/** Decodes a request. An invalid one is returned as a refusal, never thrown. `maxValues`: as in `decodeBody`. Default: no limit. */
export function decodeRequest(text: string, maxValues = Number.POSITIVE_INFINITY): RpcRequest | RpcRefusal {
  let value: unknown;
  try {
    value = decodeBody(text, maxValues);
  } catch (thrown) {
    return unreadable(toA2AError(thrown));
  }
  if (Array.isArray(value)) return unreadable(invalid('Batches are not supported: send one request at a time'));
  if (typeof value !== 'object' || value === null) return unreadable(invalid('The request must be a JSON object'));
  return readEnvelope(value);
}

function readEnvelope(value: object): RpcRequest | RpcRefusal {
  const { id, jsonrpc, method, params }: Partial<Record<'id' | 'jsonrpc' | 'method' | 'params', unknown>> = value;
  if (id === undefined) return unreadable(invalid('Notifications are not supported: add an id to the request'));
  if (!isId(id)) return unreadable(invalid('id must be a number that JSON keeps exactly, a string of at most 256 characters, or null'));
  if (jsonrpc !== '2.0') return { kind: 'refused', id, readable: true, error: invalid('jsonrpc must be "2.0"') };
  if (typeof method !== 'string') return { kind: 'refused', id, readable: true, error: invalid('method must be a string') };
  return { kind: 'request', id, method, params: params ?? {} };
}

function isId(id: unknown): id is RpcId {
  if (typeof id === 'string') return id.length <= MAX_ID_LENGTH;
  // An integer beyond 2^53 would be echoed as another number, and its sender would wait forever.
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

/** The same for a result in pieces. */
export function resultPieces(id: RpcId, pieces: readonly string[]): readonly string[] {
  return [resultHead(id), ...pieces, '}'];
}

export function encodeError(id: RpcId, error: A2AError, requestId?: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${JSON.stringify(toJsonRpcError(error, { requestId }))}}`;
}

/** The same for peers that are older than the list of details. */
export function encodeObjectError(id: RpcId, error: A2AError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: toJsonRpcError(error, { data: 'object' }) });
}

/** The text around each event of a stream that answers the request `id`. */
export function resultFrame(id: RpcId): FrameWrap {
  // `join` instead of a template creates a flat string, which is faster because it is written with each event.
  return { head: ['data: ', resultHead(id)].join(''), tail: '}' };
}

/** The error in the format of JSON-RPC. */
export function toJsonRpcError(error: A2AError, options?: RpcErrorOptions & { readonly data?: 'list' }): RpcError;
export function toJsonRpcError(error: A2AError, options: RpcErrorOptions & { readonly data: 'object' }): ObjectRpcError;
export function toJsonRpcError(error: A2AError, options: RpcErrorOptions): RpcError | ObjectRpcError;
export function toJsonRpcError(error: A2AError, { data = 'list', requestId }: RpcErrorOptions = {}): RpcError | ObjectRpcError {
  const { code, message } = error;
  if (data === 'object') return { code, message, data: toObjectData(error) };
  return { code, message, data: detailsOf(error, requestId) };
}

function resultHead(id: RpcId): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
}
