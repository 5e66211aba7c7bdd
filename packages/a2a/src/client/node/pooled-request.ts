/** One request on a pooled connection, from waiting for the connection to receiving the response headers. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { originOf } from '../../platform/origin.js';
import type { Clock } from '../../protocol/clock.js';
import { type A2AError, A2ATransportError, type TimeoutPhase } from '../../protocol/errors.js';
import type { HttpRequest, HttpResponse, SendProgress } from '../transports/exchange.js';
import { wordsFor } from '../transports/network-failure.js';
import { type Aborting, abortingOf } from './aborting.js';
import { PooledResponse } from './pooled-response.js';

type HostPhase = Extract<TimeoutPhase, 'pool' | 'connect' | 'write'>;

const WORDS: Readonly<Record<HostPhase, (origin: string) => string>> = {
  pool: (origin) => `No connection to ${origin} became free`,
  connect: (origin) => `The connection to ${origin} was not established`,
  write: (origin) => `${origin} did not accept the request body`,
};

// Fits into the buffer of every socket, so the write needs no timeout.
const SMALL_BODY_CHARS = 4 * 1024;

export class PooledRequest {
  readonly #request: HttpRequest;
  readonly #clock: Clock;
  readonly #secure: boolean;
  #progress: SendProgress = 'pool';
  #stopTimer: (() => void) | undefined;
  #outgoing: ClientRequest | undefined;
  #fail: (error: A2AError) => void = () => {};

  constructor(request: HttpRequest, { clock, secure }: { readonly clock: Clock; readonly secure: boolean }) {
    this.#request = request;
    this.#clock = clock;
    this.#secure = secure;
  }

  /** `create` starts the request. It is not called if the caller has already aborted, since it would open a connection. */
  send(create: () => ClientRequest): Promise<HttpResponse> {
    const aborting = abortingOf(this.#request);
    return new Promise((resolve, reject) => {
      // Named first, because V8 allocates a function literal that is assigned to a property in old space (decision 11).
      const fail = (error: A2AError): void => {
        this.#stopTimer?.();
        aborting.end();
        aborting.leave = ignore;
        reject(error);
      };
      const leave = (): void => this.#giveUp(aborting.error());
      this.#fail = fail;
      aborting.leave = leave;
      if (aborting.begin()) return;
      this.#reach('pool');
      const outgoing = this.#begin(create, aborting);
      outgoing.on('socket', this.#onSocket);
      outgoing.on('finish', this.#onTaken);
      outgoing.on('error', (cause) => this.#fail(this.#broken(cause)));
      outgoing.on('response', (message: IncomingMessage) => {
        this.#stopTimer?.();
        this.#fail = ignore;
        resolve(new PooledResponse(message, aborting, this.#request.url));
      });
      outgoing.end(this.#request.body);
      // By then a free or new connection has been assigned; without a socket the request is waiting in the pool.
      process.nextTick(this.#waitForPool);
    });
  }

  #begin(create: () => ClientRequest, aborting: Aborting): ClientRequest {
    try {
      this.#outgoing = create();
      return this.#outgoing;
    } catch (thrown) {
      aborting.end();
      throw thrown;
    }
  }

  readonly #waitForPool = (): void => {
    if (this.#outgoing?.socket === null && !this.#outgoing.destroyed) this.#limit('pool', this.#request.timeouts.poolMs);
  };

  readonly #onTaken = (): void => this.#stopTimer?.();

  readonly #onSocket = (socket: Socket): void => {
    this.#stopTimer?.();
    // A pooled connection may still be connecting if the request that opened it was aborted.
    if (!isConnecting(socket)) {
      this.#onReady();
      return;
    }
    this.#reach('connect');
    this.#limit('connect', this.#request.timeouts.connectMs);
    socket.once(this.#secure ? 'secureConnect' : 'connect', this.#onReady);
  };

  readonly #onReady = (): void => {
    this.#stopTimer?.();
    this.#reach('sent');
    const { body = '', timeouts } = this.#request;
    if (body.length > SMALL_BODY_CHARS && this.#outgoing?.writableFinished !== true) this.#limit('write', timeouts.writeMs);
  };

  get #sent(): boolean {
    return this.#progress === 'sent';
  }

  #reach(progress: SendProgress): void {
    this.#progress = progress;
    this.#request.onProgress?.(progress);
  }

  #limit(phase: HostPhase, limitMs: number | null | undefined): void {
    if (limitMs === null || limitMs === undefined) return;
    this.#stopTimer = this.#clock.after(limitMs, () => {
      const words = `${WORDS[phase](originOf(this.#request.url))} within ${limitMs} ms`;
      const metadata = { phase, timeoutMs: String(limitMs) };
      this.#giveUp(new A2ATransportError('timeout', words, { sent: this.#sent, phase, metadata }));
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

/** `connecting` of a TLS socket is false as soon as TCP is connected, while the handshake is still running. */
function isConnecting(socket: Socket): boolean {
  return socket.connecting || ('secureConnecting' in socket && socket.secureConnecting === true);
}

function ignore(): void {}
