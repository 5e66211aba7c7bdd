/** The response of a `fetch`, with a size limit. */
import { joinBytes } from '../../platform/join-bytes.js';
import { type A2AError, A2ATransportError } from '../../protocol/errors.js';
import type { HttpResponse } from './exchange.js';
import { toExchangeError } from './network-failure.js';

type Reader = ReadableStreamDefaultReader<Uint8Array>;

interface ReadLimits {
  readonly maxBytes: number;
  readonly onPiece: (() => void) | undefined;
}

const decoder = new TextDecoder();
// Arrives almost at once, so its pieces need not be reported.
const SHORT_BYTES = 64 * 1024;

export class FetchResponse implements HttpResponse, AsyncIterableIterator<Uint8Array> {
  /** Read once, because each access is slow on Node. */
  readonly status: number;
  readonly #response: Response;
  readonly #signal: AbortSignal | undefined;
  #reader: Reader | undefined;
  #over = false;

  constructor(response: Response, signal: AbortSignal | undefined) {
    this.status = response.status;
    this.#response = response;
    this.#signal = signal;
  }

  header(name: string): string | undefined {
    return this.#response.headers.get(name) ?? undefined;
  }

  text(maxBytes: number, onPiece?: () => void): Promise<string> {
    const text = this.#isShort(maxBytes) ? this.#response.text() : this.#readAll({ maxBytes, onPiece });
    return text.catch((thrown: unknown) => {
      throw this.#failure(thrown);
    });
  }

  chunks(): AsyncIterable<Uint8Array> {
    return this;
  }

  discard(): void {
    this.#over = true;
    // A body that is broken or locked by another reader cannot be canceled. Ignore that.
    const ignore = (): void => {};
    if (this.#reader !== undefined) this.#reader.cancel().catch(ignore);
    else this.#response.body?.cancel().catch(ignore);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#over) return { done: true, value: undefined };
    try {
      const reader = this.#open();
      if (reader === undefined) return await this.#wholeAsChunk();
      const { done, value } = await reader.read();
      if (!done) return { done, value };
      this.#over = true;
      return { done, value: undefined };
    } catch (thrown) {
      this.#over = true;
      throw this.#failure(thrown);
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    if (!this.#over) this.discard();
    return { done: true, value: undefined };
  }

  /** Platforms read a whole body faster than piece by piece. A compressed body is excluded, because it may grow beyond its length. */
  #isShort(maxBytes: number): boolean {
    const { headers } = this.#response;
    const length = headers.get('content-length');
    return length !== null && Number(length) <= Math.min(maxBytes, SHORT_BYTES) && headers.get('content-encoding') === null;
  }

  #open(): Reader | undefined {
    this.#reader ??= this.#response.body?.getReader();
    return this.#reader;
  }

  async #readAll({ maxBytes, onPiece }: ReadLimits): Promise<string> {
    const reader = this.#open();
    if (reader === undefined) return this.#whole(maxBytes);
    const { done, value: first } = await reader.read();
    if (done) return '';
    onPiece?.();
    const chunks = [first];
    let size = first.byteLength;
    for (;;) {
      if (size > maxBytes) {
        this.discard();
        throw tooLarge(maxBytes);
      }
      const { done: ended, value } = await reader.read();
      if (ended) break;
      onPiece?.();
      size += value.byteLength;
      chunks.push(value);
    }
    return decoder.decode(joinBytes(chunks));
  }

  /** Some platforms have no body stream, either for an empty body or always. */
  async #whole(maxBytes: number): Promise<string> {
    const text = await this.#response.text();
    if (text.length > maxBytes) throw tooLarge(maxBytes);
    return text;
  }

  async #wholeAsChunk(): Promise<IteratorResult<Uint8Array>> {
    this.#over = true;
    return { done: false, value: new Uint8Array(await this.#response.arrayBuffer()) };
  }

  #failure(thrown: unknown): A2AError {
    return toExchangeError(thrown, { signal: this.#signal, answered: true, url: this.#response.url });
  }
}

function tooLarge(maxBytes: number): A2AError {
  return new A2ATransportError('serialization', `The response is larger than ${maxBytes} bytes`, { sent: true });
}
