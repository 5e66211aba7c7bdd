/** Two bindings of one agent under one interface, so that one test checks both. */
import { fetchHandler, type HandlerOptions } from '../src/adapters/fetch.js';
import { METHODS, type MethodName, type MethodRow, type ResponseOf } from '../src/protocol/methods.js';
import type { Message, StreamResponse, Task } from '../src/protocol/types.js';
import type { Agent } from '../src/server/agent.js';
import { type SseEvent, SseReader } from './sse-reader.js';

/** Sends one HTTP request to a path of the server under test. */
export type FetchPath = (path: string, init?: RequestInit) => Promise<Response>;

interface Detail {
  readonly '@type': string;
  readonly reason?: string;
  readonly domain?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly retryDelay?: string;
  readonly fieldViolations?: readonly { readonly field: string; readonly description: string }[];
}

/** An error in the form of either binding. */
export interface WireError {
  /** The code of JSON-RPC, or the HTTP status in HTTP+JSON. */
  readonly code: number;
  /** HTTP+JSON only. */
  readonly status?: string;
  readonly message: string;
  readonly reason: string | undefined;
  readonly details: readonly Detail[];
}

export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly result: T | undefined;
  readonly error: WireError | undefined;
}

export interface Stream {
  readonly headers: Headers;
  /** The next event, without SSE comments; undefined at the end. */
  next(): Promise<StreamedEvent | undefined>;
  /** All remaining events. */
  rest(): Promise<readonly StreamedEvent[]>;
  /** Closes the stream. */
  cancel(): Promise<void>;
}

export interface StreamedEvent {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly result: StreamResponse | undefined;
  readonly error: WireError | undefined;
  readonly raw: string;
}

export type Headings = Readonly<Record<string, string>>;

export interface Endpoint {
  readonly name: 'JSON-RPC' | 'HTTP+JSON';
  call<M extends MethodName>(method: M, params?: object, headers?: Headings): Promise<Answer<ResponseOf<M>>>;
  /** Fails the test if the response is not a stream. */
  stream(method: 'SendStreamingMessage' | 'SubscribeToTask', params: object, headers?: Headings): Promise<Stream>;
}

export const V1: Headings = { 'a2a-version': '1.0' };

export function userMessage(text: string, more: Partial<Message> = {}): { readonly message: Message } {
  return { message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...more } };
}

export function fetchInProcess(agent: Agent, options?: HandlerOptions): FetchPath {
  const handle = fetchHandler(agent, { anonymousList: 'all', ...options });
  return (path, init) => handle(new Request(`http://agent.test${path}`, init));
}

export function fetchAt(url: string): FetchPath {
  return (path, init) => fetch(`${url}${path}`, init);
}

/** Both bindings of a server. */
export function endpointsOf(knock: FetchPath): readonly [Endpoint, Endpoint] {
  return [jsonRpcEndpoint(knock), restEndpoint(knock)];
}

function jsonRpcEndpoint(knock: FetchPath): Endpoint {
  const send = (method: string, params: object | undefined, headers: Headings): Promise<Response> =>
    knock('/', {
      method: 'POST',
      headers: { ...V1, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params && { params }) }),
    });
  return makeEndpoint('JSON-RPC', send, ({ result, error }) => ({ result, error: error && toRpcError(error) }));
}

export function restEndpoint(knock: FetchPath): Endpoint {
  const send = (method: MethodName, params: object | undefined, headers: Headings): Promise<Response> => {
    const { verb, path, body } = (METHODS[method] as MethodRow).routes[0];
    const { target, rest } = fillPath(path, { ...params });
    if (!body) return knock(`${target}${toQuery(rest)}`, { method: verb, headers: { ...V1, ...headers } });
    const typed = { ...V1, 'content-type': 'application/a2a+json', ...headers };
    return knock(target, { method: verb, headers: typed, body: JSON.stringify(rest) });
  };
  return makeEndpoint('HTTP+JSON', send, (value) => ('error' in value ? { error: toRestError(value.error) } : { result: value }));
}

interface Body {
  readonly result?: unknown;
  readonly error?: { code: number; message: string; status?: string; data?: Detail[]; details?: Detail[] };
}
type Unwrap = (value: Body) => { readonly result?: unknown; readonly error?: WireError | undefined };
type Send = (method: MethodName, params: object | undefined, headers: Headings) => Promise<Response>;

function makeEndpoint(name: Endpoint['name'], send: Send, unwrap: Unwrap): Endpoint {
  return {
    name,
    async call(method, params, headers = {}) {
      const response = await send(method, params, headers);
      const text = await response.text();
      // The output check has validated the body against the method's type.
      const { result, error } = unwrap(JSON.parse(text)) as { result?: ResponseOf<typeof method>; error?: WireError };
      return { status: response.status, headers: response.headers, text, result, error };
    },
    async stream(method, params, headers = {}) {
      const response = await send(method, params, headers);
      const type = response.headers.get('content-type');
      if (type !== 'text/event-stream' || response.body === null) throw new Error(`No stream: ${response.status} ${await response.text()}`);
      return toStream(response.headers, new SseReader(response.body), unwrap);
    },
  };
}

function toStream(headers: Headers, reader: SseReader, unwrap: Unwrap): Stream {
  const read = ({ id, event, data }: SseEvent): StreamedEvent => {
    const { result, error } = data === undefined ? {} : unwrap(JSON.parse(data));
    return { id, event, result: result as StreamResponse | undefined, error, raw: data ?? '' };
  };
  const next = async (): Promise<StreamedEvent | undefined> => {
    for (let event = await reader.next(); event !== undefined; event = await reader.next()) {
      if (event.data !== undefined) return read(event);
    }
    return undefined;
  };
  return {
    headers,
    next,
    async rest() {
      const all: StreamedEvent[] = [];
      for (let event = await next(); event !== undefined; event = await next()) all.push(event);
      return all;
    },
    cancel: () => reader.cancel(),
  };
}

function fillPath(path: string, params: Record<string, unknown>): { readonly target: string; readonly rest: Record<string, unknown> } {
  const { tenant, ...rest } = params;
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  return { target: tenant === undefined ? target : `/${encodeURIComponent(String(tenant))}${target}`, rest };
}

function toQuery(params: Record<string, unknown>): string {
  const query = new URLSearchParams(Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]));
  return query.size === 0 ? '' : `?${query}`;
}

function toRpcError({ code, message, data = [] }: NonNullable<Body['error']>): WireError {
  return { code, message, reason: data[0]?.reason, details: data };
}

function toRestError(error: Body['error']): WireError | undefined {
  if (error === undefined) return undefined;
  const { code, message, status = '', details = [] } = error;
  return { code, status, message, reason: details[0]?.reason, details };
}

/** The task of a send, for tests that expect one. */
export function taskOf({ result, text }: Answer<{ readonly task?: Task }>): Task {
  if (result?.task === undefined) throw new Error(`No task: ${text}`);
  return result.task;
}

/** A body whose type the test knows. */
export async function bodyOf<T>(response: Response): Promise<T> {
  return (await response.json()) as T;
}

/** The error body of HTTP+JSON. */
export async function restErrorOf(response: Response): Promise<WireError | undefined> {
  return toRestError((await bodyOf<Body>(response)).error);
}
