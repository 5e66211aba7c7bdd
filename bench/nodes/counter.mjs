// Reads the server-sent events of one task and counts them by their ids. This is cheap and ignores comments.
import { Connection } from '../load/connection.mjs';

const ID = Buffer.from('\nid: ');

export class Counter {
  events = 0;
  /** @type {Buffer} */
  #rest = Buffer.alloc(0);
  #connection;
  /** @type {Error | undefined} */
  #error;
  #wake = () => {};

  /**
   * @param {number} port
   * @param {string} request
   */
  constructor(port, request) {
    this.#connection = new Connection(port);
    this.#connection.send(request, {
      head: (status) => (status === 200 ? undefined : this.#fail(new Error(`a stream started with HTTP ${status}`))),
      body: (bytes) => this.#take(bytes),
      end: () => this.#fail(new Error(`a stream ended after ${this.events} events`)),
      fail: (error) => this.#fail(error),
    });
  }

  /**
   * Resolves when this many events have arrived in total.
   * @param {number} events
   * @returns {Promise<void>}
   */
  reach(events) {
    return new Promise((resolve, reject) => {
      this.#wake = () => {
        if (this.#error !== undefined) reject(this.#error);
        else if (this.events >= events) resolve();
      };
      this.#wake();
    });
  }

  close() {
    this.#connection.close();
  }

  /** @param {Error} error */
  #fail(error) {
    this.#error = error;
    this.#wake();
  }

  /** @param {Buffer} bytes */
  #take(bytes) {
    const data = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    for (let at = data.indexOf(ID); at >= 0; at = data.indexOf(ID, at + ID.length)) this.events += 1;
    this.#rest = data.subarray(-(ID.length - 1)); // too short to be counted twice
    this.#wake();
  }
}
