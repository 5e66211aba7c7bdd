/** The answer on a pooled connection. */
import type { IncomingMessage } from 'node:http';
import { type A2AError, A2ATransportError, isA2AError } from '../../protocol/errors.js';
import type { HttpResponse } from '../transports/exchange.js';
import { wordsFor } from '../transports/network-failure.js';
import type { Aborting } from './aborting.js';

// More than this is not worth reading for the sake of a connection.
const MAX_DRAINED = 64 * 1024;

export class PooledResponse implements HttpResponse {
  readonly #message: IncomingMessage;
  readonly #url: string;

  constructor(message: IncomingMessage, aborting: Aborting, url: string) {
    this.#message = message;
    this.#url = url;
    // Whoever reads the body is told; between two reads nobody listens, and a broken connection must not end the process.
    message.on('error', ignore);
    aborting.leave = () => message.destroy(aborting.error());
    message.once('close', () => aborting.end());
  }

  get status(): number {
    return this.#message.statusCode ?? 0;
  }

  header(name: string): string | undefined {
    const value = this.#message.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /** By events, not by the iterator below: this is the way of every unary call. */
  text(maxBytes: number, onPiece?: () => void): Promise<string> {
    const message = this.#message;
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      message.on('data', (chunk: Buffer) => {
        size += chunk.length;
        onPiece?.();
        if (size > maxBytes) message.destroy(tooLarge(maxBytes));
        else chunks.push(chunk);
      });
      message.on('end', () => resolve(toText(chunks)));
      message.on('error', (cause) => reject(this.#failure(cause)));
      // Destroyed before anybody read it: neither of the two will come.
      if (message.destroyed && !message.readableEnded) reject(this.#failure(message.errored));
    });
  }

  async *chunks(): AsyncGenerator<Buffer, void> {
    try {
      for await (const chunk of this.#message) yield chunk;
    } catch (cause) {
      throw this.#failure(cause);
    }
  }

  discard(): void {
    const message = this.#message;
    if (!message.complete || message.readableLength > MAX_DRAINED) {
      message.destroy();
      return;
    }
    // All of it is here and only not read. Reading to its end lets the connection serve again.
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
  return new A2ATransportError('serialization', `The answer is larger than ${maxBytes} bytes`, { sent: true });
}

function ignore(): void {}
