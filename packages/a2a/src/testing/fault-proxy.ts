/** A network that fails as planned, in front of a real server. */
import { type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http';
import { systemClock } from '../platform/system-clock.js';
import { A2AError } from '../protocol/errors.js';
import type { AgentCard } from '../protocol/types.js';
import { headersOf, type LoopbackServer, readBody, startLoopbackServer } from './faults/loopback-server.js';
import { createCut, type NetworkFault, type NetworkPlan } from './faults/network-fault.js';
import type { Passed } from './in-process.js';
import { type RecordedRequest, recordRequest } from './recorded-request.js';

/** Options of `faultProxy`: the server behind it, and the faults. */
export interface FaultProxyOptions {
  /** The URL of the server, such as http://127.0.0.1:4000; a function if it may change. */
  readonly target: string | (() => string | Promise<string>);
  /** Decides which request fails, and how. */
  readonly plan: NetworkPlan;
}

/** A running proxy between clients and a server; it records the requests. */
export interface FaultProxy extends LoopbackServer {
  /** All requests so far, oldest first, including those that were not forwarded. */
  readonly requests: readonly RecordedRequest[];
}

/**
 * Listens on a free port of 127.0.0.1 and forwards everything to the target, except for the planned faults. The agent card gets the address
 * of the proxy, so that clients keep using the proxy.
 */
export async function faultProxy({ target, plan }: FaultProxyOptions): Promise<FaultProxy> {
  const requests: RecordedRequest[] = [];
  const fixed = typeof target === 'function' ? undefined : checkTarget(target);
  const targetOf = async (): Promise<URL> => fixed ?? checkTarget(await (typeof target === 'function' ? target() : target));
  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url: path = '/' } = message;
    const record = recordRequest({ method, path, headers: headersOf(message), body: await readBody(message) });
    const fault = plan(record, requests.push(record) - 1);
    if (fault?.do === 'refuse') return void response.destroy();
    if (fault?.do === 'answer') return void response.writeHead(fault.status, { ...fault.headers }).end(fault.body ?? '');
    const answer = await forward(await targetOf(), record, response);
    if (fault?.do === 'lose') return void drop(answer, response);
    if (record.operation === 'GetAgentCard') return passCard(answer, response, server.url);
    await pass(answer, response, fault);
  };
  const server = await startLoopbackServer(
    (message, response) => {
      // An unreachable target looks to the caller like a dropped connection.
      serve(message, response).catch(() => response.destroy());
    },
    { clock: systemClock, acceptMs: 0 },
  );
  return { ...server, requests };
}

function checkTarget(target: string): URL {
  const url = URL.canParse(target) ? new URL(target) : undefined;
  if (url?.protocol === 'http:') return url;
  throw new A2AError('INVALID_PARAMS', `target must be an http URL, got ${JSON.stringify(target)}`);
}

/** Forwards the request. If the caller disconnects, the forwarded request is destroyed. */
function forward(target: URL, { method, path, headers, body }: RecordedRequest, response: ServerResponse): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { connection: _connection, ...others } = headers;
    const options = { method, path, headers: { ...others, host: target.host }, agent: false };
    const request = openRequest(target.origin, options, resolve).on('error', reject);
    response.on('close', () => request.destroy());
    request.end(body);
  });
}

function drop(answer: IncomingMessage, response: ServerResponse): void {
  answer.destroy();
  response.destroy();
}

async function passCard(answer: IncomingMessage, response: ServerResponse, ownUrl: string): Promise<void> {
  const text = await readBody(answer);
  const { 'content-length': _length, 'transfer-encoding': _encoding, connection: _connection, ...headers } = answer.headers;
  response.writeHead(answer.statusCode ?? 502, headers).end(answer.statusCode === 200 ? moveCard(text, ownUrl) : text);
}

/** The addresses on a card of A2A 0.3. */
interface OldAddresses {
  readonly url?: string;
  readonly additionalInterfaces?: readonly { readonly url: string }[];
}

/** Each interface keeps its path. */
function moveCard(text: string, ownUrl: string): string {
  const card: Partial<AgentCard> & OldAddresses = JSON.parse(text);
  const move = (url: string): string => `${ownUrl}${new URL(url).pathname.replace(/\/$/, '')}`;
  // The members of A2A 0.3 beside those of 1.0.
  const { url, additionalInterfaces = [], supportedInterfaces = [] } = card;
  return JSON.stringify({
    ...card,
    supportedInterfaces: supportedInterfaces.map((one) => ({ ...one, url: move(one.url) })),
    ...(url !== undefined && { url: move(url), additionalInterfaces: additionalInterfaces.map((one) => ({ ...one, url: move(one.url) })) }),
  });
}

type BodyFault = Extract<NetworkFault, { readonly do: 'end' | 'drop' | 'stall' | 'garbage' }>;

async function pass(answer: IncomingMessage, response: ServerResponse, fault: BodyFault | undefined): Promise<void> {
  const cut = fault === undefined ? (bytes: Uint8Array): Passed => ({ bytes }) : createCut(fault);
  const { connection: _connection, 'content-length': length, ...headers } = answer.headers;
  // With a content-length, a body that ends early would look like a drop.
  response.writeHead(answer.statusCode ?? 502, {
    ...headers,
    ...(fault === undefined && length !== undefined && { 'content-length': length }),
  });
  response.flushHeaders();
  for await (const chunk of answer) {
    const { bytes, finish } = cut(chunk);
    if (bytes.byteLength > 0) await write(response, bytes);
    if (finish === 'stall') return; // stalls until the caller times out
    if (finish === 'drop') return drop(answer, response);
    if (finish === 'end') answer.destroy();
    if (finish === 'end') break;
  }
  response.end();
}

/** Resolves when the bytes are flushed, so that bytes written before a drop arrive. */
function write(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    response.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
