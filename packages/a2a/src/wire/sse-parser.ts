/**
 * Parses server-sent events from byte chunks. A parser of our own, because task readers need two features that others lack: detecting that
 * a stream ended inside an event, and a limit on buffered data.
 */
import { A2ATransportError } from '../protocol/client-errors.js';
import { TextPieces } from './text-pieces.js';

export interface SseEvent {
  /** Data lines, joined by line feeds. */
  readonly data: string;
  /** '' if the event has no name. */
  readonly event: string;
  /**
   * The id of this event only: unlike in browsers, an event without an id does not inherit the last one, which would look like a duplicate.
   */
  readonly id: string | undefined;
}

/**
 * Push bytes, read events until there are none, push again. All work is linear in the number of bytes, even if they arrive one by one: no
 * text is searched twice.
 */
export class SseParser {
  readonly #maxEventBytes: number;
  readonly #decoder = new TextDecoder();
  #retryMs: number | undefined;
  /** The text being read; the position is #at. */
  #text = '';
  #at = 0;
  /** The next line feed and carriage return in #text at or after #at; -1 when there is none. Cached, so that each search is done once. */
  #feed = -1;
  #return = -1;
  /** The beginning of an unfinished line. */
  readonly #line = new TextPieces();
  /** A carriage return ended the last line: a line feed directly after it belongs to the same line end. */
  #afterReturn = false;
  readonly #data = new TextPieces('\n');
  #event = '';
  #id: string | undefined;

  /** The limit is compared with characters, of which a text never has more than bytes. */
  constructor(maxEventBytes: number) {
    this.#maxEventBytes = maxEventBytes;
  }

  /** The reconnect delay that the peer requested, if any. */
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

  /** The next complete event; undefined when more bytes are needed. Throws when an event exceeds the limit. */
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

  /** Call it after the last byte: whether the stream ended inside an event. That event is not returned. */
  isTruncated(): boolean {
    const rest = this.#line.take() + this.#decoder.decode();
    // A truncated comment contained no data.
    if (rest !== '' && !rest.startsWith(':')) return true;
    return !this.#data.isEmpty || this.#event !== '' || this.#id !== undefined;
  }

  #nextLine(): string | undefined {
    if (this.#afterReturn && this.#at < this.#text.length) {
      this.#afterReturn = false;
      if (this.#feed === this.#at) this.#moveTo(this.#at + 1);
    }
    const end = this.#lineEnd();
    const piece = this.#text.slice(this.#at, end < 0 ? undefined : end);
    const size = this.#line.length + piece.length + this.#data.length + this.#event.length;
    if (size > this.#maxEventBytes) throw tooLarge(this.#maxEventBytes);
    if (end < 0) {
      if (piece !== '') this.#line.add(piece);
      this.#at = this.#text.length;
      return undefined;
    }
    const line = this.#lineWith(piece);
    this.#afterReturn = end === this.#return;
    this.#moveTo(end + 1);
    return line;
  }

  #lineWith(end: string): string {
    if (this.#line.isEmpty) return end;
    this.#line.add(end);
    return this.#line.take();
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
    // A comment: only keeps the connection alive.
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const from = line.charCodeAt(colon + 1) === 0x20 ? colon + 2 : colon + 1;
    const value = colon < 0 ? '' : line.slice(from);
    switch (name) {
      case 'data':
        this.#data.add(value);
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
    const event = this.#data.isEmpty ? undefined : { data: this.#data.take(), event: this.#event, id: this.#id };
    this.#event = '';
    this.#id = undefined;
    return event;
  }
}

function tooLarge(maxEventBytes: number): A2ATransportError {
  return new A2ATransportError('serialization', `An event of the stream is larger than ${maxEventBytes} bytes`, { sent: true });
}
