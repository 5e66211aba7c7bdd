// One keep-alive connection with a minimal HTTP/1.1 parser. A complete client would cost more than the servers that it measures.
import { connect } from 'node:net';

/**
 * Receives the reply to a request.
 * @typedef {object} Receiver
 * @property {(status: number) => void} head
 * @property {(bytes: Buffer) => void} body a piece of the body, without chunk framing
 * @property {() => void} end
 * @property {(error: Error) => void} fail called if the connection broke before the end
 */

/** @typedef {'head' | 'fixed' | 'size' | 'chunk' | 'after-chunk' | 'trailer'} State the part of the reply that the next byte belongs to */

/** @type {Buffer} */
const EMPTY = Buffer.alloc(0);

export class Connection {
  /** @type {State} */
  #state = 'head';
  /** Remaining bytes of the body or of the chunk. */
  #left = 0;
  #rest = EMPTY;
  /** @type {Receiver | undefined} */
  #receiver;
  #socket;

  /** @param {number} port */
  constructor(port) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (bytes) => this.#take(bytes));
    this.#socket.on('error', (error) => this.#break(error));
    this.#socket.on('close', () => this.#break(new Error('the server closed the connection')));
  }

  get isOpen() {
    return !this.#socket.destroyed && this.#socket.writable;
  }

  /**
   * Sends one request; the previous one must have ended.
   * @param {string} text
   * @param {Receiver} receiver
   */
  send(text, receiver) {
    this.#receiver = receiver;
    this.#socket.write(text);
  }

  close() {
    this.#receiver = undefined;
    this.#socket.destroy();
  }

  /** @param {Error} error */
  #break(error) {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    receiver?.fail(error);
  }

  /** @param {Buffer} bytes */
  #take(bytes) {
    let data = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const used = this.#step(data);
      if (used < 0) break;
      data = data.subarray(used);
    }
    this.#rest = data;
  }

  /**
   * Reads one element: a head, a piece of the body, or the size of a chunk.
   * @param {Buffer} data
   * @returns {number} number of bytes consumed; −1 if it needs more
   */
  #step(data) {
    switch (this.#state) {
      case 'head':
        return this.#readHead(data);
      case 'fixed':
        return this.#readBody(data, undefined);
      case 'size':
        return this.#readSize(data);
      case 'chunk':
        return this.#readBody(data, 'after-chunk');
      case 'after-chunk':
        return this.#skipLine(data, 'size');
      case 'trailer':
        return this.#skipLine(data, undefined);
    }
  }

  /** @param {Buffer} data */
  #readHead(data) {
    const end = data.indexOf('\r\n\r\n');
    if (end < 0) return -1;
    const head = data.toString('latin1', 0, end);
    const [, length] = /content-length: *(\d+)/i.exec(head) ?? [];
    this.#receiver?.head(Number(head.slice(9, 12)));
    this.#left = Number(length ?? 0);
    if (length === undefined) this.#state = 'size';
    else if (this.#left === 0) this.#finish();
    else this.#state = 'fixed';
    return end + 4;
  }

  /**
   * @param {Buffer} data
   * @param {State | undefined} next the next state; undefined if the reply ends here
   */
  #readBody(data, next) {
    if (data.length === 0) return -1;
    const size = Math.min(data.length, this.#left);
    this.#receiver?.body(data.subarray(0, size));
    this.#left -= size;
    if (this.#left > 0) return size;
    if (next === undefined) this.#finish();
    else this.#state = next;
    return size;
  }

  /** @param {Buffer} data */
  #readSize(data) {
    const end = data.indexOf('\r\n');
    if (end < 0) return -1;
    this.#left = Number.parseInt(data.toString('latin1', 0, end), 16);
    this.#state = this.#left === 0 ? 'trailer' : 'chunk';
    return end + 2;
  }

  /**
   * @param {Buffer} data
   * @param {State | undefined} next
   */
  #skipLine(data, next) {
    if (data.length < 2) return -1;
    if (next === undefined) this.#finish();
    else this.#state = next;
    return 2;
  }

  #finish() {
    this.#state = 'head';
    const receiver = this.#receiver;
    this.#receiver = undefined;
    receiver?.end();
  }
}
