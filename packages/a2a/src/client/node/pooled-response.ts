/** The response on a pooled connection. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { type A2AError, A2ATransportError, isA2AError } from '../../protocol/errors.js';
import type { HttpResponse } from '../transports/exchange.js';
import { wordsFor } from '../transports/network-failure.js';
import type { Aborting } from './aborting.js';
import { decodeBody } from './decode-body.js';

// Above this size, reading the rest costs more than a new connection.
const MAX_DRAINED = 64 * 1024;

export class PooledResponse implements HttpResponse {
  readonly #message: IncomingMessage;
  /** The message itself, or its decompressed content. */
  readonly #body: Readable;
  /** The reason if the body cannot be read. */
  readonly #unreadable: A2AError | undefined;
  readonly #url: string;

  constructor(message: IncomingMessage, aborting: Aborting, url: string) {
    this.#message = message;
    this.#url = url;
    // The reader of the body receives the error. Between two reads there is no listener, and a broken connection must not crash the
    // process.
    message.on('error', ignore);
    const { body, error } = decodeBody(message);
    this.#body = body;
    this.#unreadable = error;
    if (this.#body !== message) this.#body.on('error', ignore);
    const leave = (): void => void this.#body.destroy(aborting.error()); // named first (decision 11)
    aborting.leave = leave;
    message.once('close', () => aborting.end());
  }

  get status(): number {
    return this.#message.statusCode ?? 0;
  }

  header(name: string): string | undefined {
    const value = this.#message.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /** Uses events instead of the iterator below, because every unary call takes this path. */
  text(maxBytes: number, onPiece?: () => void): Promise<string> {
    const body = this.#body;
    return new Promise((resolve, reject) => {
      if (this.#unreadable !== undefined) {
        this.discard();
        reject(this.#unreadable);
        return;
      }
      const chunks: Buffer[] = [];
      let size = 0;
      body.on('data', (chunk: Buffer) => {
        size += chunk.length;
        onPiece?.();
        if (size > maxBytes) body.destroy(tooLarge(maxBytes));
        else chunks.push(chunk);
      });
      body.on('end', () => resolve(toText(chunks)));
      body.on('error', (cause) => reject(this.#failure(cause)));
      // Destroyed before it was read: neither 'end' nor 'error' will follow.
      if (body.destroyed && !body.readableEnded) reject(this.#failure(body.errored));
    });
  }

  async *chunks(): AsyncGenerator<Buffer, void> {
    if (this.#unreadable !== undefined) {
      this.discard();
      throw this.#unreadable;
    }
    try {
      for await (const chunk of this.#body) yield chunk;
    } catch (cause) {
      throw this.#failure(cause);
    }
  }

  discard(): void {
    const message = this.#message;
    if (this.#body !== message || !message.complete || message.readableLength > MAX_DRAINED) {
      this.#body.destroy();
      return;
    }
    // The whole body has arrived but is unread. Reading it to the end returns the connection to the pool.
    let piece: unknown;
    do piece = message.read();
    while (piece !== null);
  }

  #failure(cause: unknown): A2AError {
    if (isA2AError(cause)) return cause;
    return new A2ATransportError('network', wordsFor('answered', { url: this.#url }), { sent: true, cause });
  }
}

function toText(chunks: readonly Buffer[]): string {
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only.toString('utf8') : Buffer.concat(chunks).toString('utf8');
}

function tooLarge(maxBytes: number): A2AError {
  return new A2ATransportError('serialization', `The response is larger than ${maxBytes} bytes`, { sent: true });
}

function ignore(): void {}
