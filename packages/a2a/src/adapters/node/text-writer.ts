/** Writes a long reply in slices: the next one when the socket has accepted the last, so that only a slice is encoded and buffered. */
import type { ServerResponse } from 'node:http';
import type { HeldBytes } from '../../wire/http.js';
import { SLICE_BYTES, sliceEnd } from '../../wire/slice-end.js';
import type { WriteDeadline } from './write-deadline.js';

/** A fast client accepts slices without end: after this many, other requests get their turn. */
const SLICES_PER_TURN = 4;

export interface LongText {
  readonly text: string;
  /** The length of the text in UTF-8. */
  readonly bytes: number;
  readonly held: HeldBytes | undefined;
}

export class TextWriter {
  readonly #response: ServerResponse;
  readonly #deadline: WriteDeadline;
  readonly #long: LongText;
  readonly #sliceChars: number;
  #at = 0;
  #slices = 0;

  constructor(response: ServerResponse, deadline: WriteDeadline, long: LongText) {
    this.#response = response;
    this.#deadline = deadline;
    this.#long = long;
    this.#sliceChars = Math.max(2, Math.floor((SLICE_BYTES * long.text.length) / long.bytes));
  }

  /** The headers are already written. */
  start(): void {
    // Not chained: with the middleware `compression`, `on('drain')` returns its own stream.
    this.#response.once('close', () => this.#long.held?.set(0));
    this.#response.on('drain', this.#next);
    this.#response.on('error', ignore);
    this.#write();
  }

  readonly #next = (): void => {
    this.#slices += 1;
    if (this.#slices % SLICES_PER_TURN === 0) setImmediate(this.#write);
    else this.#write();
  };

  readonly #write = (): void => {
    const { text, bytes, held } = this.#long;
    const response = this.#response;
    const { socket } = response;
    if (socket === null || response.destroyed) return;
    const end = sliceEnd(text, this.#at, this.#sliceChars);
    // If every character is one byte, both encodings are equal, but Node copies latin1 and has to convert utf8.
    const encoding = bytes === text.length ? 'latin1' : 'utf8';
    const goesOn = response.write(text.slice(this.#at, end), encoding);
    this.#at = end;
    const rest = Math.ceil(bytes * (1 - end / text.length));
    held?.set(rest + (socket.writableLength ?? 0)); // the sockets of some serverless hosts have no length
    if (socket.writableLength > 0) this.#deadline.watch(socket);
    if (end === text.length) response.end();
    else if (goesOn !== false) this.#next();
  };
}

/** For a write that fails because the peer reset the connection: the `close` event handles it. */
function ignore(): void {}
