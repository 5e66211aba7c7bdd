/**
 * Server-sent events, from bytes cut anywhere to events. Written here because a reader of tasks needs two things that readers of news do
 * not: to know that a stream broke off inside an event, and a bound on what a peer can make it hold.
 */
import { A2ATransportError } from '../protocol/client-errors.js';

export interface SseEvent {
  /** Lines joined by line feeds. */
  readonly data: string;
  /** '' when it has no name. */
  readonly event: string;
  /** Of this event only: unlike in browsers, an event without an id does not inherit the last one, which would look like a repetition. */
  readonly id: string | undefined;
}

/**
 * Push bytes, take events until there are none, push again. All the work is linear in the bytes, also when they come one by one: text that
 * was searched is never searched again.
 */
export class SseParser {
  readonly #maxEventBytes: number;
  readonly #decoder = new TextDecoder();
  #retryMs: number | undefined;
  /** What is being read, from #at on. */
  #text = '';
  #at = 0;
  /** The next line feed and carriage return in #text at or behind #at; -1 when there is none. Kept, so that a search is done once. */
  #feed = -1;
  #return = -1;
  /** The beginning of a line whose end has not come. */
  #line = '';
  /** A carriage return ended the last line: a line feed right behind it belongs to it. */
  #afterReturn = false;
  #data: string | undefined;
  #event = '';
  #id: string | undefined;

  /** Counted in characters, of which text never has more than bytes. */
  constructor(maxEventBytes: number) {
    this.#maxEventBytes = maxEventBytes;
  }

  /** How long the peer asks to wait before one comes back, once it did. */
  get retryMs(): number | undefined {
    return this.#retryMs;
  }

  push(bytes: Uint8Array): void {
    const text = this.#decoder.decode(bytes, { stream: true });
    this.#text = this.#at < this.#text.length ? this.#text.slice(this.#at) + text : text;
    this.#at = 0;
    this.#feed = this.#text.indexOf('\n');
    this.#return = this.#text.indexOf('\r');
  }

  /** The next whole event; undefined when it needs more bytes. Throws when an event is larger than the limit. */
  next(): SseEvent | undefined {
    for (let line = this.#nextLine(); line !== undefined; line = this.#nextLine()) {
      if (line !== '') {
        this.#readField(line);
        continue;
      }
      const event = this.#takeEvent();
      if (event !== undefined) return event;
    }
    return undefined;
  }

  /** To be asked when there are no more bytes: whether the stream broke off inside an event. That event is not dispatched. */
  isTruncated(): boolean {
    const rest = this.#line + this.#decoder.decode();
    // A comment that was cut in two held nothing.
    if (rest !== '' && !rest.startsWith(':')) return true;
    return this.#data !== undefined || this.#event !== '' || this.#id !== undefined;
  }

  #nextLine(): string | undefined {
    if (this.#afterReturn && this.#at < this.#text.length) {
      this.#afterReturn = false;
      if (this.#feed === this.#at) this.#moveTo(this.#at + 1);
    }
    const end = this.#lineEnd();
    const piece = this.#text.slice(this.#at, end < 0 ? undefined : end);
    const size = this.#line.length + piece.length + (this.#data?.length ?? 0) + this.#event.length;
    if (size > this.#maxEventBytes) throw tooLarge(this.#maxEventBytes);
    if (end < 0) {
      this.#line += piece;
      this.#at = this.#text.length;
      return undefined;
    }
    const line = this.#line + piece;
    this.#line = '';
    this.#afterReturn = end === this.#return;
    this.#moveTo(end + 1);
    return line;
  }

  #lineEnd(): number {
    if (this.#feed < 0) return this.#return;
    return this.#return < 0 ? this.#feed : Math.min(this.#feed, this.#return);
  }

  #moveTo(at: number): void {
    this.#at = at;
    if (this.#feed >= 0 && this.#feed < at) this.#feed = this.#text.indexOf('\n', at);
    if (this.#return >= 0 && this.#return < at) this.#return = this.#text.indexOf('\r', at);
  }

  #readField(line: string): void {
    const colon = line.indexOf(':');
    // A comment: it was life on the line, and that is all.
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const from = line.charCodeAt(colon + 1) === 0x20 ? colon + 2 : colon + 1;
    const value = colon < 0 ? '' : line.slice(from);
    switch (name) {
      case 'data':
        this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
        break;
      case 'event':
        this.#event = value;
        break;
      case 'id':
        if (!value.includes('\0')) this.#id = value;
        break;
      case 'retry':
        if (/^\d{1,10}$/.test(value)) this.#retryMs = Number(value);
        break;
    }
  }

  #takeEvent(): SseEvent | undefined {
    const data = this.#data;
    const event = data === undefined ? undefined : { data, event: this.#event, id: this.#id };
    this.#data = undefined;
    this.#event = '';
    this.#id = undefined;
    return event;
  }
}

function tooLarge(maxEventBytes: number): A2ATransportError {
  return new A2ATransportError('serialization', `An event of the stream is larger than ${maxEventBytes} bytes`, { sent: true });
}
