/** One request on a pooled connection, from waiting for the connection to the headers of the answer. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../protocol/clock.js';
import { type A2AError, A2ATransportError, type TimeoutPhase } from '../../protocol/errors.js';
import type { HttpRequest, HttpResponse } from '../transports/exchange.js';
import { wordsFor } from '../transports/network-failure.js';
import { abortingOf } from './aborting.js';
import { PooledResponse } from './pooled-response.js';

type HostPhase = Extract<TimeoutPhase, 'pool' | 'connect' | 'write'>;

const WORDS: Readonly<Record<HostPhase, string>> = {
  pool: 'No connection became free',
  connect: 'The connection was not made',
  write: 'The request was not taken',
};

// Fits into the buffer of every socket: what is taken at once needs no limit.
const SMALL_BODY_CHARS = 4 * 1024;

export class PooledRequest {
  readonly #request: HttpRequest;
  readonly #clock: Clock;
  readonly #secure: boolean;
  /** Bytes may have left. */
  #sent = false;
  #stopTimer: (() => void) | undefined;
  #outgoing: ClientRequest | undefined;
  #fail: (error: A2AError) => void = () => {};

  constructor(request: HttpRequest, { clock, secure }: { readonly clock: Clock; readonly secure: boolean }) {
    this.#request = request;
    this.#clock = clock;
    this.#secure = secure;
  }

  send(outgoing: ClientRequest): Promise<HttpResponse> {
    this.#outgoing = outgoing;
    const aborting = abortingOf(this.#request);
    return new Promise((resolve, reject) => {
      this.#fail = (error) => {
        this.#stopTimer?.();
        aborting.leave = ignore;
        reject(error);
      };
      aborting.leave = () => this.#giveUp(aborting.error());
      outgoing.on('socket', this.#onSocket);
      outgoing.on('finish', this.#onTaken);
      outgoing.on('error', (cause) => this.#fail(this.#broken(cause)));
      outgoing.on('response', (message: IncomingMessage) => {
        this.#stopTimer?.();
        resolve(new PooledResponse(message, aborting, this.#request.url));
      });
      if (aborting.begin()) return;
      outgoing.end(this.#request.body);
      // A connection that is free, and one that has only to be made, is given before that.
      process.nextTick(this.#waitForPool);
    });
  }

  readonly #waitForPool = (): void => {
    if (this.#outgoing?.socket === null && !this.#outgoing.destroyed) this.#limit('pool', this.#request.timeouts.poolMs);
  };

  readonly #onTaken = (): void => this.#stopTimer?.();

  readonly #onSocket = (socket: Socket): void => {
    this.#stopTimer?.();
    if (this.#outgoing?.reusedSocket === true || !socket.connecting) {
      this.#onReady();
      return;
    }
    this.#limit('connect', this.#request.timeouts.connectMs);
    socket.once(this.#secure ? 'secureConnect' : 'connect', this.#onReady);
  };

  readonly #onReady = (): void => {
    this.#stopTimer?.();
    this.#sent = true;
    const { body = '', timeouts } = this.#request;
    if (body.length > SMALL_BODY_CHARS && this.#outgoing?.writableFinished !== true) this.#limit('write', timeouts.writeMs);
  };

  #limit(phase: HostPhase, limitMs: number | null | undefined): void {
    if (limitMs === null || limitMs === undefined) return;
    this.#stopTimer = this.#clock.after(limitMs, () => {
      const words = `${WORDS[phase]} within ${limitMs} ms`;
      this.#giveUp(new A2ATransportError('timeout', words, { sent: this.#sent, phase }));
    });
  }

  #giveUp(error: A2AError): void {
    this.#fail(error);
    this.#outgoing?.destroy();
  }

  #broken(cause: Error): A2AError {
    const { code } = cause as NodeJS.ErrnoException;
    const message = wordsFor(this.#sent ? 'sent' : 'unsent', { url: this.#request.url, code });
    return new A2ATransportError('network', message, { sent: this.#sent, cause });
  }
}

function ignore(): void {}
