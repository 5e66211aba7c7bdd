/** Parses the text of a response. Everything that cannot be read is an A2ATransportError that names the operation. */
import { cutText } from '../../protocol/cut-text.js';
import { A2ATransportError, isA2AError } from '../../protocol/errors.js';
import { parseExtensions } from '../../protocol/extensions.js';
import { isMethodName, METHODS } from '../../protocol/methods.js';
import { isValid } from '../../protocol/parse.js';
import type { MessageTypes, StreamResponse } from '../../protocol/types.js';
import { decodeJson } from '../../wire/json.js';
import type { ReadErrorOptions } from '../../wire/read-error.js';
import type { ClientCall, ClientReply } from '../call.js';
import type { HttpResponse } from './exchange.js';
import { Misfit, readLeniently } from './lenient.js';
import type { TransportTools } from './transport.js';

const MAX_SNIPPET = 120;
const NONE: readonly string[] = [];

/** A response and the call that it belongs to. */
export interface ReceivedResponse {
  readonly call: ClientCall;
  readonly tools: TransportTools;
  readonly response: HttpResponse;
  /** The id that a JSON-RPC response must echo. */
  readonly rpcId?: number;
}

// Cards are read before any trust exists. Real cards have a few kilobytes.
const MAX_CARD_BYTES = 1024 * 1024;

/** The maximum size of the body of a response. */
export function bodyLimit({ call, tools }: ReceivedResponse): number {
  const isCard = call.method === 'GetAgentCard' || call.method === 'GetExtendedAgentCard';
  return isCard ? Math.min(tools.maxResponseBytes, MAX_CARD_BYTES) : tools.maxResponseBytes;
}

/** Returns the result of an operation. Results of extension methods are not checked. */
export function readResult({ call, response }: ReceivedResponse, value: unknown): ClientReply {
  const method: string = call.method;
  // An extension that was not requested is not active.
  const extensions = call.extensions.length === 0 ? NONE : extensionsOf(response);
  // The method determines the type, which has just been checked.
  const result = (isMethodName(method) ? readAs(METHODS[method].response, value, method) : value) as never;
  return { kind: 'value', value: result, extensions };
}

export function readStreamed(value: unknown, method: string): StreamResponse {
  return readAs('StreamResponse', value, method);
}

/** Valid values are returned unchanged. Only other values pay for the lenient reader. */
export function readAs<K extends keyof MessageTypes>(type: K, value: unknown, method: string): MessageTypes[K] {
  // The validator has just checked the value.
  if (isValid(type, value)) return value as MessageTypes[K];
  // Additional content of an empty response is ignored; peers also send null or nothing.
  if (type === 'Empty') return {} as MessageTypes[K];
  try {
    return readLeniently(type, value);
  } catch (fault) {
    if (!(fault instanceof Misfit)) throw fault;
    throw unreadable(`The response to ${method} is not a valid ${type}: ${fault.message}`, fault);
  }
}

export function parseAnswer(text: string, method: string): unknown {
  try {
    return decodeJson(text);
  } catch (cause) {
    if (isA2AError(cause) && cause.reason !== 'PARSE_ERROR') throw unreadable(`The response to ${method} is nested too deep`, cause);
    if (text.trim() === '') throw unreadable(`The response to ${method} is empty`);
    throw unreadable(`The response to ${method} is not JSON: ${snippetOf(text)}`, cause);
  }
}

/** Returns the beginning of a text on one line, for a message. */
export function snippetOf(text: string): string {
  const line = text
    .slice(0, MAX_SNIPPET * 2)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim();
  return line.length <= MAX_SNIPPET ? line : `${cutText(line, MAX_SNIPPET - 1)}…`;
}

export function unreadable(message: string, cause?: unknown): A2ATransportError {
  return new A2ATransportError('serialization', message, cause === undefined ? { sent: true } : { sent: true, cause });
}

/** The context for reading an error response. */
export function errorOptions({ call, tools, response }: ReceivedResponse): ReadErrorOptions {
  return {
    plainCodes: tools.plainCodes,
    peer: call.peer.name,
    now: tools.now,
    httpStatus: response.status,
    header: (name) => response.header(name),
  };
}

export function extensionsOf(response: HttpResponse): readonly string[] {
  const header = response.header('a2a-extensions') ?? response.header('x-a2a-extensions'); // the second is the name of 0.3
  return header === undefined ? NONE : parseExtensions(header);
}

/** Returns the media type of a response without parameters, in lower case, or '' if there is none. */
export function mediaTypeOf(response: HttpResponse): string {
  const header = response.header('content-type');
  if (header === undefined) return '';
  const end = header.indexOf(';');
  return (end < 0 ? header : header.slice(0, end)).trim().toLowerCase();
}

export function isOk({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300;
}
