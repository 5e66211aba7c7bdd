/** The requests that a client sends before it has the answers to its earlier ones (HTTP pipelining). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Each waiting request costs about 2 kB, and one read from the socket may contain thousands of them. */
const MAX_WAITING = 64;

/**
 * Starts each request when the answer to the previous one on its connection has left. Otherwise a few bytes of requests could create any
 * number of answers, which wait in memory for a client that need not read them.
 */
export class Pipeline {
  readonly #waiting = new WeakMap<Socket, number>();

  /** Call it for a response without a socket: Node assigns the socket after the earlier responses were sent. */
  add({ socket }: IncomingMessage, response: ServerResponse, start: () => void): void {
    if (socket.destroyed) return;
    const waiting = this.#waiting.get(socket) ?? 0;
    if (waiting >= MAX_WAITING) {
      socket.destroy();
      return;
    }
    this.#waiting.set(socket, waiting + 1);
    response.once('socket', () => {
      this.#waiting.set(socket, (this.#waiting.get(socket) ?? 1) - 1);
      start();
    });
  }
}
