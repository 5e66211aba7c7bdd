// A proxy between browser and agent. It can cut all connections, and it counts the open streams.
import { createServer, request } from 'node:http';
import { pipeline } from 'node:stream';
import { ownPort } from '../own-port.mjs';

/** @typedef {{ method: string, path: string, isStream: boolean, isOpen: boolean }} Passed */

export class Network {
  /** Every request so far. @type {Passed[]} */
  passed = [];
  #target;
  #port;
  #isCut = false;
  /** @type {Set<import('node:net').Socket>} */
  #sockets = new Set();
  #server = createServer((incoming, outgoing) => this.#pass(incoming, outgoing));

  /**
   * @param {string} target
   * @param {number} port
   */
  constructor(target, port) {
    this.#target = target;
    this.#port = port;
    this.#server.on('connection', (socket) => {
      if (this.#isCut) return void socket.destroy();
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** @param {string} target such as http://127.0.0.1:4000 */
  static async start(target) {
    const network = new Network(target, await ownPort());
    await new Promise((resolve) => network.#server.listen(network.#port, '127.0.0.1', () => resolve(undefined)));
    return network;
  }

  get url() {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The number of event streams open now. */
  get openStreams() {
    return this.passed.filter(({ isStream, isOpen }) => isStream && isOpen).length;
  }

  /** Breaks every connection immediately and refuses new ones. */
  cut() {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  restore() {
    this.#isCut = false;
  }

  async close() {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /**
   * @param {import('node:http').IncomingMessage} incoming
   * @param {import('node:http').ServerResponse} outgoing
   */
  #pass(incoming, outgoing) {
    const { method = 'GET', url: path = '/' } = incoming;
    const passed = { method, path, isStream: false, isOpen: true };
    this.passed.push(passed);
    const isCard = path.endsWith('agent-card.json');
    // The proxy edits the card, so it asks for it uncompressed. Each request gets its own connection, so that a cut also reaches the agent.
    const headers = { ...incoming.headers, ...(isCard && { 'accept-encoding': 'identity' }) };
    const onward = request(new URL(path, this.#target), { method, headers, agent: false }, (answer) => {
      passed.isStream = String(answer.headers['content-type']).startsWith('text/event-stream');
      if (isCard) return void this.#passCard(answer, outgoing);
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      pipeline(answer, outgoing, () => {});
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => {
      passed.isOpen = false;
      onward.destroy();
    });
    pipeline(incoming, onward, () => {});
  }

  /**
   * Replaces the agent's address in the card with the address of this proxy.
   * @param {import('node:http').IncomingMessage} answer
   * @param {import('node:http').ServerResponse} outgoing
   */
  async #passCard(answer, outgoing) {
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) text += chunk;
    const { 'content-length': _length, etag: _etag, ...headers } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, headers).end(text.replaceAll(this.#target, this.url));
  }
}
