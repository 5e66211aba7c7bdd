/** Raw requests of A2A 0.3 to an agent in this process, over both bindings. */
import type { HandlerOptions } from '../src/adapters/fetch.js';
import type { Agent } from '../src/server/agent.js';
import { type FetchPath, fetchInProcess, type Headings } from './endpoints.js';
import { SseReader } from './sse-reader.js';

/** Any JSON object of the wire: its members are checked by the tests. */
// biome-ignore lint/suspicious/noExplicitAny: the shapes are what the tests are about
export type Json = any;

interface V03Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

interface V03Stream {
  readonly headers: Headers;
  /** All events: the data, and the id if there is one. */
  readonly events: readonly { readonly id: string | undefined; readonly name: string | undefined; readonly data: Json }[];
}

export interface V03Caller {
  readonly knock: FetchPath;
  rpc(method: string, params?: unknown, headers?: Headings): Promise<V03Answer>;
  rpcStream(method: string, params: unknown, headers?: Headings): Promise<V03Stream>;
  rest(verb: string, path: string, body?: unknown, headers?: Headings): Promise<V03Answer>;
  restStream(path: string, body: unknown, headers?: Headings): Promise<V03Stream>;
}

const JSON_TYPE = { 'content-type': 'application/json' };

export function v03CallerOf(agent: Agent, options?: HandlerOptions): V03Caller {
  const knock = fetchInProcess(agent, options);
  const postRpc = (method: string, params: unknown, headers: Headings): Promise<Response> =>
    knock('/', { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }) });
  const request = (verb: string, path: string, body: unknown, headers: Headings): Promise<Response> =>
    knock(path, { method: verb, headers: { ...JSON_TYPE, ...headers }, ...(body !== undefined && { body: JSON.stringify(body) }) });
  return {
    knock,
    rpc: async (method, params, headers = {}) => answerOf(await postRpc(method, params, headers)),
    rpcStream: async (method, params, headers = {}) => readAll(await postRpc(method, params, headers)),
    rest: async (verb, path, body, headers = {}) => answerOf(await request(verb, path, body, headers)),
    restStream: async (path, body, headers = {}) => readAll(await request('POST', path, body, headers)),
  };
}

async function answerOf(response: Response): Promise<V03Answer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}

async function readAll(response: Response): Promise<V03Stream> {
  const type = response.headers.get('content-type');
  if (response.body === null || type !== 'text/event-stream') throw new Error(`expected a stream, got ${type}: ${await response.text()}`);
  const reader = new SseReader(response.body as ConstructorParameters<typeof SseReader>[0]);
  const events: V03Stream['events'][number][] = [];
  for (let event = await reader.next(); event !== undefined; event = await reader.next()) {
    if (event.data !== undefined) events.push({ id: event.id, name: event.event, data: JSON.parse(event.data) });
  }
  return { headers: response.headers, events };
}

/** A message of the JSON schema. */
export function saying(text: string, more: object = {}): { readonly message: Json } {
  return { message: { kind: 'message', messageId: crypto.randomUUID(), role: 'user', parts: [{ kind: 'text', text }], ...more } };
}

/** The same in ProtoJSON. */
export function sayingProto(text: string, more: object = {}): { readonly message: Json } {
  return { message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', content: [{ text }], ...more } };
}
