/** Reads a response, for both HTTP bindings. They differ only in how they wrap a body. */
import { isA2AError } from '../../protocol/errors.js';
import { isMethodName, isStreaming, METHODS } from '../../protocol/methods.js';
import { readHttpFailure } from '../../wire/read-error.js';
import type { SseEvent } from '../../wire/sse-parser.js';
import type { ClientCall, ClientReply } from '../call.js';
import { SingleEventStream, SseEventStream } from './event-stream.js';
import { toExchangeError } from './network-failure.js';
import {
  bodyLimit,
  errorOptions,
  extensionsOf,
  isOk,
  mediaTypeOf,
  parseAnswer,
  type ReceivedResponse,
  readResult,
  readStreamed,
  unreadable,
} from './read-response.js';

/** How a binding wraps its values. */
export interface Wrapping {
  /**
   * Returns the content of a parsed body or event. Throws the peer's error if it contains one. `isError`: the SSE event is named `error`.
   */
  unwrap(answer: ReceivedResponse, value: unknown, isError: boolean): unknown;
  /** Whether an unwrapped event is the last one of its stream. Default: the end of the task decides. */
  readonly isLastEvent?: ((value: unknown) => boolean) | undefined;
}

/** How a protocol version writes its values, in either binding. */
export interface ResultFormat {
  /** Reads the result of a call, or an event of its stream, before it is checked. Default: unchanged. */
  fromResult?(call: ClientCall, result: unknown): unknown;
  /** Whether an event is the last one of its stream. Default: the end of the task decides. */
  isLastEvent?(result: unknown): boolean;
}

/** The wrapping of a binding, with the values of a version in it. */
export function wrappingOf(unwrap: Wrapping['unwrap'], { fromResult, isLastEvent }: ResultFormat): Wrapping {
  if (fromResult === undefined) return { unwrap };
  return { unwrap: (answer, value, isError) => fromResult(answer.call, unwrap(answer, value, isError)), isLastEvent };
}

const EVENT_STREAM = 'text/event-stream';

export function readAnswer(answer: ReceivedResponse, wrapping: Wrapping): Promise<ClientReply> {
  const { call, response } = answer;
  const fail = (thrown: unknown): never => {
    throw toExchangeError(thrown, { signal: call.signal, answered: true });
  };
  if (!isOk(response)) return readFailure(answer).catch(fail);
  if (isStreaming(call.method)) return readStream(answer, wrapping).catch(fail);
  if (mediaTypeOf(response) === EVENT_STREAM) {
    return Promise.reject(discarded(answer, 'a stream of events, but a single response was requested'));
  }
  return response.text(bodyLimit(answer)).then((text) => readResult(answer, unwrapBody(answer, text, wrapping)), fail);
}

async function readFailure(answer: ReceivedResponse): Promise<never> {
  throw failureOf(answer, await failureText(answer));
}

// A larger error body is a page for people.
const MAX_FAILURE_BYTES = 1024 * 1024;

/** Returns the body of a failure, or '' if it cannot be read, because the status is enough. Only an abort by the caller is thrown. */
export async function failureText({ response, tools }: ReceivedResponse): Promise<string> {
  try {
    return await response.text(Math.min(tools.maxResponseBytes, MAX_FAILURE_BYTES));
  } catch (thrown) {
    if (isA2AError(thrown) && thrown.reason === 'ABORTED') throw thrown;
    return '';
  }
}

function unwrapBody(answer: ReceivedResponse, text: string, wrapping: Wrapping): unknown {
  const { method } = answer.call;
  const mayBeEmpty = isMethodName(method) && METHODS[method].response === 'Empty';
  if (text === '' && mayBeEmpty) return {};
  return wrapping.unwrap(answer, parseAnswer(text, method), false);
}

export function failureOf(answer: ReceivedResponse, bodyText: string): Error {
  const { response } = answer;
  return readHttpFailure({ status: response.status, header: (name) => response.header(name), bodyText }, errorOptions(answer));
}

/** Peers respond with JSON instead of a stream if there is only an error, a finished task or a message. */
async function readStream(answer: ReceivedResponse, wrapping: Wrapping): Promise<ClientReply> {
  const { call, response, tools } = answer;
  const extensions = extensionsOf(response);
  const type = mediaTypeOf(response);
  if (type === EVENT_STREAM) {
    let isOver = false;
    const readFrame = ({ data, event }: SseEvent) => {
      const value = wrapping.unwrap(answer, parseAnswer(data, call.method), event === 'error');
      isOver = wrapping.isLastEvent?.(value) === true;
      return readStreamed(value, call.method);
    };
    return { kind: 'stream', events: new SseEventStream(answer, readFrame, () => isOver), extensions };
  }
  if (type !== '' && !/^application\/(?:.*\+)?json$/.test(type)) throw discarded(answer, `${type}, not ${EVENT_STREAM}`);
  const value = unwrapBody(answer, await response.text(tools.maxResponseBytes), wrapping);
  return { kind: 'stream', events: new SingleEventStream(readStreamed(value, call.method)), extensions };
}

function discarded({ call, response }: ReceivedResponse, what: string): Error {
  response.discard();
  return unreadable(`The response to ${call.method} is ${what} (HTTP ${response.status})`);
}
