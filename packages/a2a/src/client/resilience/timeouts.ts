/** Keeps the limits of an answer that every platform can keep: until its first byte, between two pieces of it, and for the whole call. */

import { abortedBy } from '../../platform/until-aborted.js';
import type { Clock } from '../../protocol/clock.js';
import type { A2AError, TimeoutPhase } from '../../protocol/errors.js';
import type { Exchange, HttpRequest, HttpResponse } from '../transports/exchange.js';
import { HeldSignal } from './held-signal.js';
import { timeoutError } from './timeout-error.js';

/** Wraps an exchange. A limit that is reached aborts what is in flight and rejects with an A2ATransportError of kind 'timeout'. */
export function withTimeouts(exchange: Exchange, clock: Clock): Exchange {
  return (request) => {
    const { firstByteMs, idleMs } = request.timeouts;
    if (isNone(firstByteMs) && isNone(idleMs) && request.deadline === undefined) return exchange(request);
    return new TimedExchange(request, clock).send(exchange);
  };
}

class TimedExchange {
  readonly #request: HttpRequest;
  readonly #clock: Clock;
  readonly #held: HeldSignal;
  /** Counts only while somebody waits: a reader who takes his time is no fault of the peer. */
  #firstByteLeftMs: number;
  #isFirst = true;
  /** Ends the wait that is under way. */
  #fail: ((error: A2AError) => void) | undefined;
  /** Tells the wait that is under way that something came. */
  #onPiece: (() => void) | undefined;

  constructor(request: HttpRequest, clock: Clock) {
    this.#request = request;
    this.#clock = clock;
    this.#held = new HeldSignal(request.signal);
    this.#held.onAbort(() => this.#fail?.(abortedBy(this.#held)));
    this.#firstByteLeftMs = request.timeouts.firstByteMs ?? Number.POSITIVE_INFINITY;
  }

  async send(exchange: Exchange): Promise<HttpResponse> {
    const { deadline, timeouts } = this.#request;
    // Whoever is told that it is over must not find out that it was done all the same.
    if (deadline !== undefined && deadline <= this.#clock.now()) throw timeoutError('total', timeouts.totalMs ?? 0);
    const sent = exchange(this.#heldRequest());
    try {
      return this.#watch(await this.#inTime(sent, (late) => late.discard()));
    } catch (error) {
      this.#held.release();
      throw error;
    }
  }

  /** The signal is made only for hosts that read it. */
  #heldRequest(): HttpRequest {
    const { method, url, headers, body, timeouts } = this.#request;
    const held = this.#held;
    return {
      method,
      url,
      headers,
      body,
      timeouts,
      get signal() {
        return held.signal;
      },
      onAbort: (callback) => held.onAbort(callback),
    };
  }

  #watch(response: HttpResponse): HttpResponse {
    return {
      status: response.status,
      header: (name) => response.header(name),
      text: (maxBytes) => this.#text(response, maxBytes),
      chunks: () => this.#chunks(response),
      discard: () => {
        this.#held.release();
        response.discard();
      },
    };
  }

  async #text(response: HttpResponse, maxBytes: number): Promise<string> {
    try {
      return await this.#inTime(response.text(maxBytes, () => this.#onPiece?.()));
    } catch (error) {
      response.discard();
      throw error;
    } finally {
      this.#held.release();
    }
  }

  async *#chunks(response: HttpResponse): AsyncGenerator<Uint8Array, void> {
    const body = response.chunks()[Symbol.asyncIterator]();
    let isOpen = true;
    try {
      for (;;) {
        const piece = await this.#inTime(body.next());
        if (piece.done === true) {
          isOpen = false;
          return;
        }
        if (piece.value.length > 0) this.#isFirst = false;
        yield piece.value;
      }
    } catch (error) {
      isOpen = false;
      response.discard();
      throw error;
    } finally {
      this.#held.release();
      // Not waited for: a body that hangs would keep its reader from leaving.
      if (isOpen) body.return?.().catch(() => {});
    }
  }

  /** The outcome, if it comes in time and before the caller leaves. What comes later is let go of. */
  #inTime<T>(work: Promise<T>, forget?: (late: T) => void): Promise<T> {
    if (this.#held.aborted) {
      work.then(forget, () => {});
      return Promise.reject(abortedBy(this.#held));
    }
    return new Promise((resolve, reject) => {
      let isOver = false;
      let stop = this.#arm();
      const end = (): void => {
        isOver = true;
        this.#fail = undefined;
        this.#onPiece = undefined;
        stop();
      };
      this.#fail = (error) => {
        end();
        reject(error);
      };
      this.#onPiece = () => {
        stop();
        this.#isFirst = false;
        stop = this.#arm();
      };
      work.then(
        (value) => {
          if (isOver) return forget?.(value);
          end();
          resolve(value);
        },
        (error) => {
          if (isOver) return;
          end();
          reject(error);
        },
      );
    });
  }

  /** Starts the clock of what is waited for now; the function stops it. */
  #arm(): () => void {
    const limit = this.#nextLimit();
    if (limit === undefined) return ignore;
    const begunAt = this.#clock.now();
    // Hosts end what is aborted by themselves, all but those who do not.
    const stop = this.#clock.after(Math.max(0, limit.leftMs), () => this.#held.abort(timeoutError(limit.phase, limit.limitMs)));
    return () => {
      stop();
      if (this.#isFirst) this.#firstByteLeftMs -= this.#clock.now() - begunAt;
    };
  }

  /** The limit that is reached first from now on. */
  #nextLimit(): Limit | undefined {
    const { timeouts, deadline } = this.#request;
    const limitMs = this.#isFirst ? timeouts.firstByteMs : timeouts.idleMs;
    const leftMs = this.#isFirst ? this.#firstByteLeftMs : (limitMs ?? Number.POSITIVE_INFINITY);
    const totalLeftMs = deadline === undefined ? Number.POSITIVE_INFINITY : deadline - this.#clock.now();
    if (totalLeftMs < leftMs) return { phase: 'total', limitMs: timeouts.totalMs ?? 0, leftMs: totalLeftMs };
    return isNone(limitMs) ? undefined : { phase: this.#isFirst ? 'firstByte' : 'idle', limitMs, leftMs };
  }
}

interface Limit {
  readonly phase: TimeoutPhase;
  /** As it was stated, for the words of the error. */
  readonly limitMs: number;
  readonly leftMs: number;
}

function isNone(limitMs: number | null | undefined): limitMs is null | undefined {
  return limitMs === null || limitMs === undefined;
}

function ignore(): void {}
