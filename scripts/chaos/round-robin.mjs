// A TCP load balancer for the nodes. Each connection goes to the next node, or to the one after it if the connection is refused. It knows
// no HTTP and has no health checks.
import { connect, createServer } from 'node:net';
import { ownPort } from '../own-port.mjs';

/** @typedef {import('node:net').Socket} Socket */

export class RoundRobin {
  #ports;
  #next = 0;
  /** Both sockets of each connection, and its target port. @type {Set<{ caller: Socket, node: Socket, port: number }>} */
  #pairs = new Set();
  // One direction of a connection may end before the other has sent everything.
  #server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (caller) => this.#lead(caller, this.#ports.length));

  /** @param {readonly number[]} ports of the nodes */
  constructor(ports) {
    this.#ports = ports;
  }

  /** Resolves with the URL. */
  async listen() {
    const port = await ownPort();
    await new Promise((resolve, reject) => {
      this.#server.once('error', reject).listen(port, '127.0.0.1', () => resolve(undefined));
    });
    return `http://127.0.0.1:${port}`;
  }

  /**
   * The number of open connections.
   * @param {number} [port] only those to this port
   */
  count(port) {
    return this.#to(port).length;
  }

  /**
   * Breaks connections immediately.
   * @param {number} [port] only those to this port
   */
  cut(port) {
    for (const { caller, node } of this.#to(port)) {
      caller.resetAndDestroy();
      node.resetAndDestroy();
    }
  }

  async close() {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    await closed;
  }

  /** @param {number} [port] */
  #to(port) {
    return [...this.#pairs].filter((pair) => port === undefined || pair.port === port);
  }

  /**
   * @param {Socket} caller
   * @param {number} tries
   */
  #lead(caller, tries) {
    if (tries === 0) return void caller.resetAndDestroy();
    const port = this.#ports[this.#next % this.#ports.length] ?? 0;
    this.#next += 1;
    const node = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const refused = () => this.#lead(caller, tries - 1);
    caller.removeAllListeners('error').on('error', () => node.destroy());
    node.once('error', refused).once('connect', () => {
      node.off('error', refused);
      this.#join({ caller, node, port });
    });
  }

  /** @param {{ caller: Socket, node: Socket, port: number }} pair */
  #join(pair) {
    const { caller, node } = pair;
    if (caller.destroyed) return void node.destroy();
    this.#pairs.add(pair);
    const end = () => {
      this.#pairs.delete(pair);
      caller.destroy();
      node.destroy();
    };
    for (const socket of [caller, node]) socket.on('error', end).on('close', end).setNoDelay(true);
    caller.pipe(node);
    node.pipe(caller);
    caller.resume();
  }
}
