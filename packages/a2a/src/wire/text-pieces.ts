/** How many pieces are joined at once. */
const GROUP = 256;

/**
 * Collects the pieces of one text. Adding to a string would create a tree with one node per piece, and a node needs more memory than a small
 * piece: 16 MiB of lines with one character each would need hundreds of megabytes.
 */
export class TextPieces {
  readonly #separator: string;
  /** Joined groups of pieces. */
  readonly #groups: string[] = [];
  readonly #pieces: string[] = [];
  #length = 0;

  constructor(separator = '') {
    this.#separator = separator;
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  /** The length of the joined text. */
  get length(): number {
    return this.#length;
  }

  add(piece: string): void {
    this.#length += this.isEmpty ? piece.length : piece.length + this.#separator.length;
    if (this.#pieces.length === GROUP) {
      this.#groups.push(this.#pieces.join(this.#separator));
      this.#pieces.length = 0;
    }
    this.#pieces.push(piece);
  }

  /** Returns the joined text and starts again. */
  take(): string {
    const last = this.#pieces.length === 1 ? (this.#pieces[0] ?? '') : this.#pieces.join(this.#separator);
    const text = this.#groups.length === 0 ? last : [...this.#groups, last].join(this.#separator);
    this.#groups.length = 0;
    this.#pieces.length = 0;
    this.#length = 0;
    return text;
  }
}
