/** Ends connections whose client does not read: bytes wait for it, and none leaves for `timeoutMs`. */
import type { Socket } from 'node:net';
import type { Agent } from '../../server/agent.js';

/** A connection is looked at this many times per timeout. */
const LOOKS = 6;
/** The open connections keep the process alive, not this timer. */
const BACKGROUND = { background: true };

export interface WriteDeadlineOptions {
  readonly clock: Agent['settings']['clock'];
  readonly timeoutMs: number;
  /** Called for each connection that is ended. */
  onEnd(socket: Socket): void;
}

interface Progress {
  /** The bytes that had left at the last look. */
  sent: number;
  /** How many looks in a row found no more. */
  idle: number;
}

/** One timer for all connections of a server. It runs only while bytes wait on a watched connection. */
export class WriteDeadline {
  readonly #options: WriteDeadlineOptions;
  readonly #waiting = new Map<Socket, Progress>();
  #hasTimer = false;

  constructor(options: WriteDeadlineOptions) {
    this.#options = options;
  }

  /** Call it when bytes wait after a write. The connection is watched until they have left. */
  watch(socket: Socket): void {
    if (this.#waiting.has(socket)) return;
    this.#waiting.set(socket, { sent: sentBytes(socket), idle: 0 });
    this.#schedule();
  }

  #schedule(): void {
    if (this.#hasTimer) return;
    this.#hasTimer = true;
    this.#options.clock.after(this.#options.timeoutMs / LOOKS, this.#look, BACKGROUND);
  }

  readonly #look = (): void => {
    this.#hasTimer = false;
    for (const [socket, progress] of this.#waiting) this.#check(socket, progress);
    if (this.#waiting.size > 0) this.#schedule();
  };

  #check(socket: Socket, progress: Progress): void {
    if (socket.destroyed || !(socket.writableLength > 0)) {
      this.#waiting.delete(socket);
      return;
    }
    const sent = sentBytes(socket);
    progress.idle = sent === progress.sent ? progress.idle + 1 : 0;
    progress.sent = sent;
    if (progress.idle < LOOKS) return;
    this.#waiting.delete(socket);
    socket.destroy();
    this.#options.onEnd(socket);
  }
}

/** Members of Node's sockets that its types do not declare. Node's own socket timeout reads `writeQueueSize` for the same purpose. */
interface Internals {
  readonly _bytesDispatched?: number;
  readonly _handle?: { readonly writeQueueSize?: number } | null;
}

/**
 * The bytes that the operating system has accepted. `bytesWritten` also contains what Node still holds: a client that takes a few bytes of a
 * slice at a time would seem to take none until the whole slice has left.
 */
function sentBytes(socket: Socket): number {
  const { _bytesDispatched, _handle }: Internals = socket as Internals; // every net.Socket has them; the fallback is coarser
  return (_bytesDispatched ?? socket.bytesWritten - socket.writableLength) - (_handle?.writeQueueSize ?? 0);
}
