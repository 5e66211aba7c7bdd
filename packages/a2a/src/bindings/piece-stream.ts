/** A long reply that is written from its pieces: neither the whole text nor its bytes are created. */
import { utf8Length } from '../protocol/utf8-length.js';
import type { HeldBytes, WireOutput, WireReading, WireReply, WireStream } from '../wire/http.js';
import { SLICE_BYTES, sliceEnd } from '../wire/slice-end.js';

/** A surrogate pair must fit. */
const MIN_CHARS = 2;

/** The body, its length, and what counts for it. */
export function pieceBody(pieces: readonly string[], held: HeldBytes): Pick<WireReply, 'body' | 'held'> & { readonly length: number } {
  const waiting = new WaitingPieces(pieces, held);
  return { body: waiting, held: waiting, length: pieces.reduce((sum, piece) => sum + utf8Length(piece), 0) };
}

/** The host counts what it has taken and not sent yet; the pieces that it has not taken are added. */
class WaitingPieces implements WireStream, HeldBytes {
  #pieces: readonly string[];
  readonly #held: HeldBytes;
  /** The characters that the host has not taken; 0 before it opens the stream, because it may never do so. */
  #left = 0;
  /** The next piece, and the next character of it. */
  #piece = 0;
  #at = 0;

  constructor(pieces: readonly string[], held: HeldBytes) {
    this.#pieces = pieces;
    this.#held = held;
  }

  get bytes(): number {
    return this.#held.bytes;
  }

  reserve(bytes: number): void {
    this.#held.reserve(bytes + this.#left);
  }

  set(bytes: number): void {
    this.#held.set(bytes + this.#left);
  }

  open(output: WireOutput): WireReading {
    this.#left = this.#pieces.reduce((sum, { length }) => sum + length, 0);
    const resume = (): void => {
      while (this.#left > 0) {
        const slice = this.#nextSlice();
        this.#left -= slice.length;
        if (!output.write(slice)) return;
      }
      output.end();
    };
    const close = (): void => {
      this.#pieces = [];
      this.#left = 0;
      this.#held.set(0);
    };
    resume();
    return { resume, close };
  }

  /** Short pieces are joined: each write costs more than the copy. */
  #nextSlice(): string {
    let slice = '';
    for (let text = this.#pieces[this.#piece]; text !== undefined; text = this.#pieces[this.#piece]) {
      const end = sliceEnd(text, this.#at, SLICE_BYTES - slice.length);
      slice += text.slice(this.#at, end);
      this.#at = end;
      if (end < text.length) return slice;
      this.#piece += 1;
      this.#at = 0;
      if (slice.length > SLICE_BYTES - MIN_CHARS) return slice;
    }
    return slice;
  }
}
