/** From the text of an answer to the value it holds. Everything that can not be read is an A2ATransportError that names the operation. */
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

/** An answer and what it answers. */
export interface Answer {
  readonly call: ClientCall;
  readonly tools: TransportTools;
  readonly response: HttpResponse;
  /** What the answer has to echo, in JSON-RPC. */
  readonly rpcId?: number;
}

/** The result of an operation; methods that extensions add give whatever they give. */
export function readResult({ call, response }: Answer, value: unknown): ClientReply {
  const method: string = call.method;
  // Nothing is in force that was not asked for.
  const extensions = call.extensions.length === 0 ? NONE : extensionsOf(response);
  // The method decides the type; the reader has just made sure of it.
  const result = (isMethodName(method) ? readAs(METHODS[method].response, value, method) : value) as never;
  return { kind: 'value', value: result, extensions };
}

export function readStreamed(value: unknown, method: string): StreamResponse {
  return readAs('StreamResponse', value, method);
}

/** Strict values are handed on as they are; others pay for being understood. */
export function readAs<K extends keyof MessageTypes>(type: K, value: unknown, method: string): MessageTypes[K] {
  // The validator has just shown that the value is one.
  if (isValid(type, value)) return value as MessageTypes[K];
  // What an empty answer holds besides does not matter; peers send null or nothing at all.
  if (type === 'Empty') return {} as MessageTypes[K];
  try {
    return readLeniently(type, value);
  } catch (fault) {
    if (!(fault instanceof Misfit)) throw fault;
    throw unreadable(`The answer to ${method} is no ${type}: ${fault.message}`, fault);
  }
}

export function parseAnswer(text: string, method: string): unknown {
  try {
    return decodeJson(text);
  } catch (cause) {
    if (isA2AError(cause) && cause.reason !== 'PARSE_ERROR') throw unreadable(`The answer to ${method} is nested too deep`, cause);
    if (text.trim() === '') throw unreadable(`The answer to ${method} is empty`);
    throw unreadable(`The answer to ${method} is no JSON: ${snippetOf(text)}`, cause);
  }
}

/** The beginning of a text on one line, to show in a message. */
export function snippetOf(text: string): string {
  const line = text
    .slice(0, MAX_SNIPPET * 2)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to go
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim();
  return line.length <= MAX_SNIPPET ? line : `${cutText(line, MAX_SNIPPET - 1)}…`;
}

export function unreadable(message: string, cause?: unknown): A2ATransportError {
  return new A2ATransportError('serialization', message, cause === undefined ? { sent: true } : { sent: true, cause });
}

/** What is known about an answer that holds an error. */
export function errorOptions({ call, tools, response }: Answer): ReadErrorOptions {
  return {
    legacyCodes: tools.legacyCodes,
    peer: call.peer.name,
    now: tools.now,
    httpStatus: response.status,
    header: (name) => response.header(name),
  };
}

export function extensionsOf(response: HttpResponse): readonly string[] {
  const header = response.header('a2a-extensions');
  return header === undefined ? NONE : parseExtensions(header);
}

/** The media type of an answer, without parameters, in lower case; '' when there is none. */
export function mediaTypeOf(response: HttpResponse): string {
  const header = response.header('content-type');
  if (header === undefined) return '';
  const end = header.indexOf(';');
  return (end < 0 ? header : header.slice(0, end)).trim().toLowerCase();
}

export function isOk({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300;
}
