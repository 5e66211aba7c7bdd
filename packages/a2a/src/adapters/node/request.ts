/** A Node request as the bindings read it. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { A2AError } from '../../protocol/errors.js';
import { refuseEncoding } from '../../wire/content-encoding.js';
import type { HostRequest, WireRequest } from '../../wire/http.js';

declare module '../../wire/http.js' {
  interface HostRequest {
    /** The message of `node:http`, for example to read the certificate of its socket; absent where the host is not Node's server. */
    readonly node?: IncomingMessage;
  }
}

export interface NodeRequestOptions {
  /** As the caller sees it; read from the request when absent. */
  readonly origin?: string;
  /** What another middleware has made of a body that it read before us. */
  readonly parsedBody?: unknown;
  /** Default: `{ node: message }`. */
  readonly host?: HostRequest;
  /** Tells a client that asked first that it may send its body. */
  readonly sendContinue?: () => void;
}

const NO_OPTIONS: NodeRequestOptions = {};

/** A class, because it is made for every request and its methods are shared that way. */
export class NodeRequest implements WireRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly #message: IncomingMessage;
  readonly #options: NodeRequestOptions;

  constructor(message: IncomingMessage, options: NodeRequestOptions = NO_OPTIONS) {
    const target = originForm(message.url ?? '/');
    const mark = target.indexOf('?');
    this.method = message.method ?? 'GET';
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.query = mark < 0 ? '' : target.slice(mark + 1);
    this.#message = message;
    this.#options = options;
  }

  get origin(): string {
    if (this.#options.origin !== undefined) return this.#options.origin;
    const { socket, headers } = this.#message;
    return `${'encrypted' in socket ? 'https' : 'http'}://${headers.host ?? localAddress(socket)}`;
  }

  get host(): HostRequest {
    return this.#options.host ?? { node: this.#message };
  }

  header(name: string): string | undefined {
    const value = this.#message.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  onLeave(callback: () => void): () => void {
    const { socket } = this.#message;
    if (socket.destroyed) queueMicrotask(callback); // gone before anybody asked
    socket.once('close', callback);
    return () => socket.off('close', callback);
  }

  body(maxBytes: number): Promise<string> {
    const { headers, readableDidRead } = this.#message;
    if (Number(headers['content-length']) > maxBytes) return Promise.reject(tooLarge(maxBytes));
    // A middleware that has read the body has decompressed it as well; the header still says what was sent.
    if (readableDidRead) return takeText(this.#options.parsedBody, maxBytes);
    const refusal = refuseEncoding(headers['content-encoding']);
    if (refusal !== undefined) return Promise.reject(refusal);
    this.#options.sendContinue?.();
    return readText(this.#message, maxBytes);
  }
}

/** A proxy may send the whole URL; `*` and other oddities have no path. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  if (!URL.canParse(target)) return '/';
  const { pathname, search } = new URL(target);
  return pathname + search;
}

function localAddress({ localAddress: address = 'localhost', localPort }: Socket): string {
  return `${address.includes(':') ? `[${address}]` : address}:${localPort ?? 80}`;
}

/** Somebody in front of us has taken the bytes: what they made of them is all there is. */
async function takeText(parsed: unknown, maxBytes: number): Promise<string> {
  const text = toText(parsed);
  if (Buffer.byteLength(text) > maxBytes) throw tooLarge(maxBytes);
  return text;
}

function toText(parsed: unknown): string {
  if (parsed === undefined) return '';
  if (typeof parsed === 'string') return parsed;
  if (parsed instanceof Uint8Array) return decode(Buffer.from(parsed));
  return JSON.stringify(parsed);
}

/** Who waits for a body, and what has come of it. */
interface Pending {
  readonly chunks: Buffer[];
  resolve(text: string): void;
  reject(error: unknown): void;
}

/**
 * Keeps no more than the limit. Listeners stay: they end with the request, and taking them off costs as much as the rest. But a request
 * whose reply is a stream may live for days, so they let go of the body and of its promise.
 */
function readText(message: IncomingMessage, maxBytes: number): Promise<string> {
  let pending: Pending | undefined;
  let size = 0;
  message.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxBytes) {
      pending?.chunks.push(chunk);
    } else if (pending !== undefined) {
      message.pause();
      pending.reject(tooLarge(maxBytes));
      pending = undefined;
    }
  });
  message.on('end', () => {
    if (pending !== undefined) settle(pending);
    pending = undefined;
  });
  message.on('close', () => {
    pending?.reject(new A2AError('INVALID_REQUEST', 'The body ended early'));
    pending = undefined;
  });
  return new Promise((resolve, reject) => {
    pending = { chunks: [], resolve, reject };
  });
}

function settle({ chunks, resolve, reject }: Pending): void {
  try {
    resolve(decode(joinChunks(chunks)));
  } catch (error) {
    reject(error);
  }
}

function joinChunks(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new A2AError('PARSE_ERROR', 'The body is not UTF-8');
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function tooLarge(maxBytes: number): A2AError {
  return new A2AError('CONTENT_TOO_LARGE', `The body is larger than ${maxBytes} bytes`);
}
