/** Keeps the limits of an answer that every platform can keep: until its first byte, between two pieces of it, and for the whole call. */
import { abortedBy } from '../../platform/until-aborted.js';
import type { Clock } from '../../protocol/clock.js';
import type { A2AError, TimeoutPhase } from '../../protocol/errors.js';
import type { Exchange, HttpRequest, HttpResponse, Timeouts } from '../transports/exchange.js';
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

/** One per call, on the way of every call: state in members, and no function made that is not called. */
class TimedExchange {
  readonly #request: HttpRequest;
  readonly #clock: Clock;
  readonly #held: HeldSignal;
  /** Counts only while somebody waits: a reader who takes his time is no fault of the peer. */
  #firstByteLeftMs: number;
  #isFirst = true;
  /** Ends the wait that is under way. */
  #fail: ((error: A2AError) => void) | undefined;
  #limit: Limit | undefined;
  #stopTimer: (() => void) | undefined;
  #armedAt = 0;

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
    try {
      return new TimedResponse(await this.inTime(exchange(new HeldRequest(this.#request, this.#held)), discard), this);
    } catch (error) {
      this.release();
      throw error;
    }
  }

  release(): void {
    this.#held.release();
  }

  /** The first byte is there. */
  begun(): void {
    this.#isFirst = false;
  }

  /** Something of the answer came, while it is waited for as a whole. */
  readonly onPiece = (): void => {
    if (this.#fail === undefined) return;
    this.#disarm();
    this.#isFirst = false;
    this.#arm();
  };

  /** The outcome, if it comes in time and before the caller leaves. What comes later is let go of. One wait at a time. */
  inTime<T>(work: Promise<T>, forget?: (late: T) => void): Promise<T> {
    if (this.#held.aborted) {
      work.then(forget, ignore);
      return Promise.reject(abortedBy(this.#held));
    }
    return new Promise((resolve, reject) => {
      const fail = (error: A2AError): void => {
        this.#end();
        reject(error);
      };
      this.#fail = fail;
      this.#arm();
      work.then(
        (value) => {
          if (this.#fail !== fail) return forget?.(value);
          this.#end();
          resolve(value);
        },
        (error) => {
          if (this.#fail === fail) fail(error);
        },
      );
    });
  }

  #end(): void {
    this.#fail = undefined;
    this.#disarm();
  }

  /** Starts the clock of what is waited for now. */
  #arm(): void {
    this.#limit = this.#nextLimit();
    if (this.#limit === undefined) return;
    this.#armedAt = this.#clock.now();
    this.#stopTimer = this.#clock.after(Math.max(0, this.#limit.leftMs), this.#expire);
  }

  #disarm(): void {
    if (this.#stopTimer === undefined) return;
    this.#stopTimer();
    this.#stopTimer = undefined;
    if (this.#isFirst) this.#firstByteLeftMs -= this.#clock.now() - this.#armedAt;
  }

  /** Hosts end what is aborted by themselves, all but those who do not. */
  readonly #expire = (): void => {
    const { phase, limitMs } = this.#limit ?? NO_LIMIT;
    this.#held.abort(timeoutError(phase, limitMs));
  };

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

const NO_LIMIT: Limit = { phase: 'total', limitMs: 0, leftMs: 0 };

/** The request with a signal of our own, which is made only for hosts that read it. */
class HeldRequest implements HttpRequest {
  readonly method: HttpRequest['method'];
  readonly url: string;
  readonly headers: HttpRequest['headers'];
  readonly body: string | undefined;
  readonly timeouts: Timeouts;
  readonly #held: HeldSignal;

  constructor({ method, url, headers, body, timeouts }: HttpRequest, held: HeldSignal) {
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.body = body;
    this.timeouts = timeouts;
    this.#held = held;
  }

  get signal(): AbortSignal {
    return this.#held.signal;
  }

  onAbort(callback: (reason: unknown) => void): void {
    this.#held.onAbort(callback);
  }
}

class TimedResponse implements HttpResponse {
  readonly #response: HttpResponse;
  readonly #timed: TimedExchange;

  constructor(response: HttpResponse, timed: TimedExchange) {
    this.#response = response;
    this.#timed = timed;
  }

  get status(): number {
    return this.#response.status;
  }

  header(name: string): string | undefined {
    return this.#response.header(name);
  }

  async text(maxBytes: number): Promise<string> {
    try {
      return await this.#timed.inTime(this.#response.text(maxBytes, this.#timed.onPiece));
    } catch (error) {
      this.#response.discard();
      throw error;
    } finally {
      this.#timed.release();
    }
  }

  async *chunks(): AsyncGenerator<Uint8Array, void> {
    const body = this.#response.chunks()[Symbol.asyncIterator]();
    let isOpen = true;
    try {
      for (;;) {
        const piece = await this.#timed.inTime(body.next());
        if (piece.done === true) {
          isOpen = false;
          return;
        }
        if (piece.value.length > 0) this.#timed.begun();
        yield piece.value;
      }
    } catch (error) {
      isOpen = false;
      this.#response.discard();
      throw error;
    } finally {
      this.#timed.release();
      // Not waited for: a body that hangs would keep its reader from leaving.
      if (isOpen) body.return?.().catch(ignore);
    }
  }

  discard(): void {
    this.#timed.release();
    this.#response.discard();
  }
}

function discard(late: HttpResponse): void {
  late.discard();
}

function isNone(limitMs: number | null | undefined): limitMs is null | undefined {
  return limitMs === null || limitMs === undefined;
}

function ignore(): void {}
