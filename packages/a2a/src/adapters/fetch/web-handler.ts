/** Adapts the universal handler to web platforms: a `Request` in, a `Response` out. */
import { joinBytes } from '../../platform/join-bytes.js';
import { A2AError } from '../../protocol/errors.js';
import { bodyTooLarge } from '../../wire/body-limits.js';
import { refuseEncoding } from '../../wire/content-encoding.js';
import type { HostRequest, WireHandler, WireOutput, WireReading, WireReply, WireRequest, WireStream } from '../../wire/http.js';

/** `host` is the framework's own data about the request. */
export type WebHandler = (request: Request, host?: HostRequest) => Promise<Response>;

const HIGH_WATER_BYTES = 64 * 1024;

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
    body: (maxBytes) => readText(request, maxBytes),
    onLeave(callback) {
      if (request.signal.aborted) queueMicrotask(callback); // disconnected before this call
      request.signal.addEventListener('abort', callback, { once: true });
      return () => request.signal.removeEventListener('abort', callback);
    },
  };
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  const refusal = refuseEncoding(request.headers.get('content-encoding') ?? undefined);
  if (refusal !== undefined) throw refusal;
  const announced = Number(request.headers.get('content-length'));
  if (announced > maxBytes) throw bodyTooLarge(maxBytes, announced);
  if (request.body === null) return '';
  const bytes = await readBytes(request.body, maxBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new A2AError('PARSE_ERROR', 'The body is not UTF-8');
  }
}

/** Stops reading at the limit. */
async function readBytes(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw bodyTooLarge(maxBytes);
    chunks.push(chunk);
  }
  return joinBytes(chunks);
}

function toResponse({ status, headers, body }: WireReply, method: string): Response {
  const init = { status, headers: { ...headers } };
  if (method === 'HEAD' || status === 204 || status === 304) return new Response(null, init);
  if (typeof body === 'string') return new Response(body, init);
  // The bytes of a route are never shared memory, which the type would also allow.
  return new Response(body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : toReadable(body), init);
}

/** Resumes the reader when the host has room, and closes it when the host cancels the body. */
function toReadable(stream: WireStream): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let reading: WireReading | undefined;
  let open = true;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const output: WireOutput = {
          write(text) {
            if (!open) return false;
            controller.enqueue(encoder.encode(text));
            return (controller.desiredSize ?? 0) > 0;
          },
          end() {
            if (open) controller.close();
            open = false;
          },
        };
        reading = stream.open(output);
      },
      pull: () => reading?.resume(),
      cancel() {
        open = false;
        reading?.close();
      },
    },
    { highWaterMark: HIGH_WATER_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}
