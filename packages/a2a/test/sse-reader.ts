/** Reads server-sent events in tests, strictly by the HTML standard, including comments. */
import type { ReadableStreamDefaultReader } from 'node:stream/web';

export interface SseEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  readonly retry?: string;
  readonly comment?: string;
}

export class SseReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = '';
  #done = false;

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
  }

  /** The next block; undefined at the end of the stream. */
  async next(): Promise<SseEvent | undefined> {
    for (let at = this.#text.indexOf('\n\n'); ; at = this.#text.indexOf('\n\n')) {
      if (at >= 0) {
        const block = this.#text.slice(0, at);
        this.#text = this.#text.slice(at + 2);
        return toEvent(block);
      }
      if (this.#done) {
        if (this.#text !== '') throw new Error(`The stream ends inside an event: ${this.#text}`);
        return undefined;
      }
      const { done, value } = await this.#reader.read();
      this.#done = done;
      if (value !== undefined) this.#text += this.#decoder.decode(value, { stream: true });
    }
  }

  cancel(): Promise<void> {
    return this.#reader.cancel();
  }
}

function toEvent(block: string): SseEvent {
  const event: Record<string, string> = {};
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, '');
    if (!['', 'id', 'event', 'data', 'retry'].includes(name)) throw new Error(`Not a field of an event: ${line}`);
    event[name === '' ? 'comment' : name] = value;
  }
  return event;
}
