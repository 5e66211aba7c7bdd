// Reads the server-sent events of one task, and records when each chunk arrived.
import { Connection } from '../load/connection.mjs';
import { chunkText } from '../servers/script.mjs';

export class Watcher {
  /** The arrival time of the n-th chunk, by performance.now(). @type {number[]} */
  at = [];
  /** Violations: a chunk that is duplicated, out of order, or missing. @type {string[]} */
  wrong = [];
  taskId = '';
  #text = '';
  #lastId = -1;
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
      body: (bytes) => this.#take(bytes.toString('utf8'), performance.now()),
      end: () => this.#fail(new Error('a stream ended')),
      fail: (error) => this.#fail(error),
    });
  }

  /**
   * Resolves when `isEnough` is true; rejects if the stream broke, or after `patienceMs`.
   * @param {() => boolean} isEnough
   * @param {number} patienceMs
   * @returns {Promise<void>}
   */
  until(isEnough, patienceMs) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`only ${this.at.length} chunks arrived`)), patienceMs);
      this.#wake = () => {
        if (this.#error === undefined && !isEnough()) return;
        clearTimeout(timer);
        this.#wake = () => {};
        if (this.#error === undefined) resolve();
        else reject(this.#error);
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

  /**
   * @param {string} text
   * @param {number} now
   */
  #take(text, now) {
    this.#text += text;
    for (let end = this.#text.indexOf('\n\n'); end >= 0; end = this.#text.indexOf('\n\n')) {
      this.#event(this.#text.slice(0, end), now);
      this.#text = this.#text.slice(end + 2);
    }
    this.#wake();
  }

  /**
   * @param {string} event
   * @param {number} now
   */
  #event(event, now) {
    const data = /^data: ?(.*)$/m.exec(event)?.[1];
    if (data === undefined) return; // a heartbeat
    const id = Number(/^id: ?(\d+)$/m.exec(event)?.[1] ?? Number.NaN);
    if (!(id > this.#lastId)) this.wrong.push(`received id ${id} after ${this.#lastId}`);
    this.#lastId = id;
    const { result, error } = JSON.parse(data);
    if (error !== undefined) this.#fail(new Error(`an error in a stream: ${JSON.stringify(error)}`));
    this.taskId = result?.task?.id ?? this.taskId;
    const text = result?.artifactUpdate?.artifact?.parts?.[0]?.text;
    if (text === undefined) return;
    if (text !== chunkText(this.at.length)) this.wrong.push(`expected chunk ${this.at.length}, got: ${text}`);
    this.at.push(now);
  }
}
