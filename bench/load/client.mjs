// The client of the workloads: unary calls and streams over keep-alive connections.
import { randomUUID } from 'node:crypto';
import { Connection } from './connection.mjs';
import { StreamReader } from './stream-reader.mjs';

/** @typedef {import('../server.mjs').Address} Address */

export class Client {
  #address;
  #headers;
  /** @type {Connection[]} */
  #idle = [];
  /** @type {Set<Connection>} */
  #all = new Set();
  #nextId = 0;

  /**
   * @param {Address} address
   * @param {Readonly<Record<string, string>>} [headers] extra headers of every request
   */
  constructor(address, headers = {}) {
    this.#address = address;
    this.#headers = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  }

  /**
   * Builds a JSON-RPC request as raw text.
   * @param {string} method
   * @param {object} params
   */
  rpc(method, params) {
    this.#nextId += 1;
    return this.#post(this.#address.jsonRpcPath, { jsonrpc: '2.0', id: this.#nextId, method, params });
  }

  /**
   * The same for HTTP+JSON.
   * @param {string} path
   * @param {object} body
   */
  rest(path, body) {
    return this.#post(`${this.#address.restPath}${path}`, body);
  }

  /**
   * @param {string} path
   * @param {object} body
   */
  #post(path, body) {
    const text = JSON.stringify(body);
    const host = `127.0.0.1:${this.#address.port}`;
    const own = this.#headers.join('');
    const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nA2A-Version: 1.0\r\n${own}`;
    return `${head}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
  }

  /**
   * Returns the body of the reply; rejects if the status is not 200.
   * @param {string} request
   * @returns {Promise<Buffer>}
   */
  send(request) {
    return new Promise((resolve, reject) => {
      const connection = this.#take();
      /** @type {Buffer | undefined} */
      let body;
      let status = 0;
      connection.send(request, {
        head: (code) => {
          status = code;
        },
        body: (bytes) => {
          body = body === undefined ? bytes : Buffer.concat([body, bytes]);
        },
        end: () => {
          this.#idle.push(connection);
          if (status === 200 && body !== undefined) resolve(body);
          else reject(new Error(`HTTP ${status}: ${body?.toString('utf8')}`));
        },
        fail: reject,
      });
    });
  }

  /**
   * Returns the parsed reply; for set-up and checks.
   * @param {string} request
   * @returns {Promise<any>}
   */
  async ask(request) {
    const reply = JSON.parse((await this.send(request)).toString('utf8'));
    if (reply.error !== undefined) throw new Error(`the reply is an error: ${JSON.stringify(reply.error)}`);
    return reply.result ?? reply;
  }

  /**
   * Opens a stream and counts its events; keeps their text if asked to.
   * @param {string} request
   * @param {{ keep?: boolean }} [options]
   */
  stream(request, { keep = false } = {}) {
    const connection = this.#take();
    const reader = new StreamReader({
      keep,
      onEnd: () => this.#idle.push(connection),
      close: () => connection.close(),
    });
    connection.send(request, reader.receiver);
    return reader;
  }

  /** Closes all connections, including those of open streams. */
  close() {
    for (const connection of this.#all) connection.close();
    this.#all.clear();
    this.#idle = [];
  }

  #take() {
    for (let connection = this.#idle.pop(); connection; connection = this.#idle.pop()) {
      if (connection.isOpen) return connection;
      this.#all.delete(connection);
    }
    const connection = new Connection(this.#address.port);
    this.#all.add(connection);
    return connection;
  }
}

/**
 * The parameters of a send, with a new message id each time.
 * @param {string} text
 * @param {object} [configuration]
 */
export function message(text, configuration) {
  return { message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }] }, ...(configuration && { configuration }) };
}
