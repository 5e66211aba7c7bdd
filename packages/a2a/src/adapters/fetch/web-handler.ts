/** Adapts the universal handler to web platforms: a `Request` in, a `Response` out. */
import { joinBytes } from '../../platform/join-bytes.js';
import { A2AError } from '../../protocol/errors.js';
import type { HeldBytes, HostRequest, WireHandler, WireReply, WireRequest } from '../../wire/http.js';
import { bodyTooLarge, refuseEncoding } from '../../wire/request-body.js';
import { SLICE_BYTES } from '../../wire/slice-end.js';
import { toReadable, toSlices } from './reply-body.js';

/** `host` is the framework's own data about the request. */
export type WebHandler = (request: Request, host?: HostRequest) => Promise<Response>;

/** Does not check `auth`: the host adapter decides whether the agent may be served. */
export function toWebHandler(handler: WireHandler): WebHandler {
  return async (request, host) => toResponse(await handler(toWireRequest(request, { ...host, fetch: request })), request.method);
}

function toWireRequest(request: Request, host: HostRequest): WireRequest {
  const { pathname, search, origin } = new URL(request.url);
  return {
    method: request.method,
    path: pathname,
    query: search.slice(1),
    origin,
    host,
    header: (name) => request.headers.get(name) ?? undefined,
    body: (maxBytes, held) => readText(request, maxBytes, held),
    onLeave(callback) {
      if (request.signal.aborted) queueMicrotask(callback); // disconnected before this call
      request.signal.addEventListener('abort', callback, { once: true });
      return () => request.signal.removeEventListener('abort', callback);
    },
  };
}

async function readText(request: Request, maxBytes: number, held: HeldBytes | undefined): Promise<string> {
  const refusal = refuseEncoding(request.headers.get('content-encoding') ?? undefined);
  if (refusal !== undefined) throw refusal;
  const announced = Number(request.headers.get('content-length'));
  if (announced > maxBytes) throw bodyTooLarge(maxBytes, announced);
  if (request.body === null) return '';
  held?.reserve(announced);
  const bytes = await readBytes(request.body, maxBytes, held);
  if (bytes.byteLength > SLICE_BYTES) await held?.turn?.(bytes.byteLength);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new A2AError('PARSE_ERROR', 'The body is not UTF-8');
  }
}

/** Stops reading at the limit. A body without content-length counts as it arrives. */
async function readBytes(body: ReadableStream<Uint8Array>, maxBytes: number, held: HeldBytes | undefined): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw bodyTooLarge(maxBytes);
    if (held !== undefined && size > held.bytes) held.reserve(size);
    chunks.push(chunk);
  }
  return joinBytes(chunks);
}

function toResponse({ status, headers, body, held }: WireReply, method: string): Response {
  const init = { status, headers: { ...headers } };
  if (method === 'HEAD' || status === 204 || status === 304) {
    held?.set(0);
    return new Response(null, init);
  }
  if (typeof body === 'string') {
    if (body.length > SLICE_BYTES) return new Response(toSlices(body, held), init);
    held?.set(0);
    return new Response(body, init);
  }
  // The bytes of a route are never shared memory, which the type would also allow.
  return new Response(body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : toReadable(body, held), init);
}
