/** How many pieces are joined at once. */
const GROUP = 256;

/**
 * Collects the pieces of one text. Adding to a string would create a tree with one node per piece, and a node needs more memory than a small
 * piece: 16 MiB of lines with one character each would need hundreds of megabytes.
 */
export class TextPieces {
  readonly #separator: string;
  /** Most texts have one piece. */
  #first: string | undefined;
  /** Joined groups of further pieces. */
  readonly #groups: string[] = [];
  readonly #pieces: string[] = [];
  #length = 0;

  constructor(separator = '') {
    this.#separator = separator;
  }

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  /** The length of the joined text. */
  get length(): number {
    return this.#length;
  }

  add(piece: string): void {
    if (this.#first === undefined) {
      this.#first = piece;
      this.#length = piece.length;
      return;
    }
    this.#length += piece.length + this.#separator.length;
    if (this.#pieces.length === GROUP) {
      this.#groups.push(this.#pieces.join(this.#separator));
      this.#pieces.length = 0;
    }
    this.#pieces.push(piece);
  }

  /** Returns the joined text and starts again. */
  take(): string {
    const first = this.#first ?? '';
    this.#first = undefined;
    this.#length = 0;
    if (this.#pieces.length === 0) return first;
    const text = [first, ...this.#groups, this.#pieces.join(this.#separator)].join(this.#separator);
    this.#groups.length = 0;
    this.#pieces.length = 0;
    return text;
  }
}
