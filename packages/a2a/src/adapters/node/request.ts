/** A Node request in the form that the bindings read. */
import { isAscii, isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { A2AError } from '../../protocol/errors.js';
import type { HeldBytes, HostRequest, WireRequest } from '../../wire/http.js';
import { bodyTooLarge, refuseEncoding } from '../../wire/request-body.js';
import type { BodyPace } from './body-pace.js';

declare module '../../wire/http.js' {
  interface HostRequest {
    /** The `node:http` message, for example to read the certificate of its socket; absent on hosts other than the Node server. */
    readonly node?: IncomingMessage;
  }
}

export interface NodeRequestOptions {
  /** The origin as the caller sees it; taken from the request if absent. */
  readonly origin?: string;
  /** The parsed body, if a middleware has read it before. */
  readonly parsedBody?: unknown;
  /** Default: `{ node: message }`. */
  readonly host?: HostRequest;
  /** Sends `100 Continue` to a client that waits for it before it sends the body. */
  readonly sendContinue?: () => void;
}

const NO_OPTIONS: NodeRequestOptions = {};

/** A class, because it is created for every request and its methods are then shared. */
export class NodeRequest implements WireRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly #message: IncomingMessage;
  readonly #options: NodeRequestOptions;
  readonly #pace: BodyPace | undefined;

  constructor(message: IncomingMessage, options: NodeRequestOptions = NO_OPTIONS, pace?: BodyPace) {
    const target = originForm(message.url ?? '/');
    const mark = target.indexOf('?');
    this.method = message.method ?? 'GET';
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.query = mark < 0 ? '' : target.slice(mark + 1);
    this.#message = message;
    this.#options = options;
    this.#pace = pace;
  }

  get origin(): string {
    if (this.#options.origin !== undefined) return this.#options.origin;
    const { socket, headers } = this.#message;
    return `${'encrypted' in socket ? 'https' : 'http'}://${headers.host ?? localAddress(socket)}`;
  }

  get address(): string | undefined {
    return this.#message.socket.remoteAddress;
  }

  get host(): HostRequest {
    return this.#options.host ?? { node: this.#message };
  }

  header(name: string): string | undefined {
    if (name === 'host') return hostOf(this.#message);
    const value = this.#message.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  onLeave(callback: () => void): () => void {
    const { socket } = this.#message;
    if (socket.destroyed) queueMicrotask(callback); // disconnected before this call
    socket.once?.('close', callback); // the socket of some serverless hosts is a plain object
    return () => socket.off?.('close', callback);
  }

  body(maxBytes: number, held?: HeldBytes): Promise<string> {
    const { headers, readableDidRead, readableEnded, destroyed, complete } = this.#message;
    const announced = Number(headers['content-length']);
    if (announced > maxBytes) return Promise.reject(bodyTooLarge(maxBytes, announced));
    // A middleware that has read the body has also decompressed it, but the header still contains the encoding.
    if (readableDidRead || readableEnded) return takeText(this.#options.parsedBody, maxBytes);
    // The client left before this call: no event follows, and Node has dropped the bytes that it had.
    if (destroyed) return Promise.reject(endedEarly());
    const refusal = refuseEncoding(headers['content-encoding']);
    if (refusal !== undefined) return Promise.reject(refusal);
    // A body that came with the headers is read at once: it need not count.
    const counted = complete ? undefined : held;
    try {
      counted?.reserve(announced || 0);
    } catch (noRoom) {
      return Promise.reject(noRoom);
    }
    this.#options.sendContinue?.();
    return readText(this.#message, maxBytes, { held: counted, pace: this.#pace, turn: held });
  }
}

/** A proxy may send an absolute URL; `*` and other special forms have no path. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  if (!URL.canParse(target)) return '/';
  const { pathname, search } = new URL(target);
  return pathname + search;
}

/** Of several Host fields, Node keeps the first; a proxy may have routed by another one. */
function hostOf({ rawHeaders, headers }: IncomingMessage): string | undefined {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') count += 1;
  }
  if (count < 2) return headers.host;
  return rawHeaders.filter((_value, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host').join(', ');
}

function localAddress({ localAddress: address = 'localhost', localPort }: Socket): string {
  return `${address.includes(':') ? `[${address}]` : address}:${localPort ?? 80}`;
}

/** A middleware has consumed the body: only its parsed value is available. */
async function takeText(parsed: unknown, maxBytes: number): Promise<string> {
  const text = toText(parsed);
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) throw bodyTooLarge(maxBytes, bytes);
  return text;
}

function toText(parsed: unknown): string {
  if (parsed === undefined) return '';
  if (typeof parsed === 'string') return parsed;
  if (parsed instanceof Uint8Array) return decode(Buffer.from(parsed));
  return JSON.stringify(parsed);
}

/** A pending read of the body and the chunks received so far. */
interface Pending {
  readonly chunks: Buffer[];
  resolve(text: string): void;
  reject(error: unknown): void;
}

/** What a body counts for while it arrives: its bytes, and its speed. */
interface BodyWatch {
  readonly held: HeldBytes | undefined;
  readonly pace: BodyPace | undefined;
  /** Gives a large body its turn, also if its bytes do not count. */
  readonly turn: HeldBytes | undefined;
}

/** A shorter body does not wait for its turn. */
const LARGE_BYTES = 64 * 1024;

/**
 * Keeps no more than the limit. The listeners are not removed, because they end with the request and removing them costs as much as the
 * rest. A request whose reply is a stream may stay open for days, so the listeners drop their references to the body and its promise.
 */
function readText(message: IncomingMessage, maxBytes: number, { held, pace, turn }: BodyWatch): Promise<string> {
  let pending: Pending | undefined;
  let size = 0;
  const refuse = (error: unknown): void => {
    if (pending === undefined) return;
    message.pause();
    pending.reject(error);
    pending = undefined;
  };
  // A small body arrives together with the headers.
  const paced = pace === undefined || message.complete ? undefined : pace.add(refuse);
  message.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (paced !== undefined) paced.size = size;
    if (size > maxBytes) return refuse(bodyTooLarge(maxBytes));
    if (held !== undefined && size > held.bytes && pending !== undefined) {
      // A body without content-length counts as it arrives.
      try {
        held.reserve(size);
      } catch (noRoom) {
        return refuse(noRoom);
      }
    }
    pending?.chunks.push(chunk);
  });
  message.on('end', () => {
    if (paced !== undefined) pace?.remove(paced);
    if (pending !== undefined) {
      if (size > LARGE_BYTES && turn?.turn !== undefined) settleInTurn(pending, turn.turn(size));
      else settle(pending);
    }
    pending = undefined;
  });
  message.on('close', () => {
    if (paced !== undefined) pace?.remove(paced);
    pending?.reject(endedEarly());
    pending = undefined;
  });
  return new Promise((resolve, reject) => {
    pending = { chunks: [], resolve, reject };
  });
}

function endedEarly(): A2AError {
  return new A2AError('INVALID_REQUEST', 'The body ended early');
}

function settleInTurn(pending: Pending, turn: Promise<void>): void {
  turn.then(() => settle(pending), pending.reject);
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
  // Most bodies: a plain copy, and one above 1 MB is kept outside of the heap, where the collector frees it sooner.
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (!isUtf8(bytes)) throw new A2AError('PARSE_ERROR', 'The body is not UTF-8');
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
