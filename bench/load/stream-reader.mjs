// Counts the events of a server-sent event stream by its blank lines, which is cheap.

const NEWLINE = 10;
const BLANK = Buffer.from('\n\n');

/**
 * @typedef {object} ReaderParts
 * @property {boolean} keep whether to keep the text of the stream
 * @property {() => void} onEnd called when the server ended the stream and the connection is free
 * @property {() => void} close closes the connection
 */

export class StreamReader {
  events = 0;
  /** Time of the first body byte, by performance.now(). */
  firstAt = 0;
  hasEnded = false;
  #parts;
  #endedWithNewline = false;
  #text = '';
  /** @type {Error | undefined} */
  #error;
  /** @type {{ events: number, resolve(): void, reject(error: Error): void }[]} */
  #waiting = [];

  /** @param {ReaderParts} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /** @returns {import('./connection.mjs').Receiver} */
  get receiver() {
    return {
      head: (status) => {
        if (status !== 200) this.#fail(new Error(`a stream started with HTTP ${status}`));
      },
      body: (bytes) => this.#take(bytes),
      end: () => {
        this.hasEnded = true;
        this.#parts.onEnd();
        this.#settle();
      },
      fail: (error) => this.#fail(error),
    };
  }

  /**
   * Resolves when this many events have arrived in total.
   * @param {number} events
   * @returns {Promise<void>}
   */
  reach(events) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ events, resolve, reject });
      this.#settle();
    });
  }

  /** Resolves when the server has ended the stream. */
  async ended() {
    await this.reach(Number.POSITIVE_INFINITY);
    return this;
  }

  /**
   * The results inside the events, if the text was kept.
   * @returns {any[]}
   */
  results() {
    const lines = this.#text.split('\n').filter((line) => line.startsWith('data:'));
    return lines.map((line) => {
      const { result, error } = JSON.parse(line.slice(5));
      if (error !== undefined) throw new Error(`an error in a stream: ${JSON.stringify(error)}`);
      return result;
    });
  }

  close() {
    this.#parts.close();
  }

  /** @param {Buffer} bytes */
  #take(bytes) {
    if (this.events === 0 && this.firstAt === 0) this.firstAt = performance.now();
    if (this.#parts.keep) this.#text += bytes.toString('utf8');
    if (this.#endedWithNewline && bytes[0] === NEWLINE) this.events += 1;
    for (let at = bytes.indexOf(BLANK); at >= 0; at = bytes.indexOf(BLANK, at + 2)) this.events += 1;
    this.#endedWithNewline = bytes[bytes.length - 1] === NEWLINE && bytes[bytes.length - 2] !== NEWLINE;
    if (this.#waiting.length > 0) this.#settle();
  }

  /** @param {Error} error */
  #fail(error) {
    this.#error = error;
    this.#settle();
  }

  #settle() {
    if (this.#waiting.length === 0) return;
    this.#waiting = this.#waiting.filter(({ events, resolve, reject }) => {
      const isOver = this.hasEnded || this.#error !== undefined;
      if (this.events < events && !isOver) return true;
      if (this.#error !== undefined) reject(this.#error);
      else if (this.events < events && events !== Number.POSITIVE_INFINITY) reject(new Error(`a stream ended after ${this.events} events`));
      else resolve();
      return false;
    });
  }
}
