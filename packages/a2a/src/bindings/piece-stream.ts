/** A long reply that is written from its pieces: neither the whole text nor its bytes are created. */
import { utf8Length } from '../protocol/utf8-length.js';
import type { HeldBytes, WireReply, WireStream } from '../wire/http.js';
import { SLICE_BYTES, sliceEnd } from '../wire/slice-end.js';

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

  open: WireStream['open'] = (output) => {
    let [piece, at] = [0, 0];
    this.#left = this.#pieces.reduce((sum, { length }) => sum + length, 0);
    const resume = (): void => {
      for (let text = this.#pieces[piece]; text !== undefined; text = this.#pieces[piece]) {
        const end = sliceEnd(text, at, SLICE_BYTES);
        const goesOn = output.write(text.slice(at, end));
        this.#left -= end - at;
        at = end;
        if (at === text.length) [piece, at] = [piece + 1, 0];
        if (!goesOn) return;
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
  };
}
