/** Enforces the timeouts that work on every platform: first byte, idle and total. */
import { type Alarm, Alarms, NOWHERE } from '../../platform/alarms.js';
import { promiseOf } from '../../platform/promise-of.js';
import { abortedBy } from '../../platform/until-aborted.js';
import type { Clock } from '../../protocol/clock.js';
import type { A2AError } from '../../protocol/errors.js';
import type { Exchange, HttpRequest, HttpResponse, SendProgress, Timeouts } from '../transports/exchange.js';
import { HeldSignal } from './held-signal.js';
import { timeoutError } from './timeout-error.js';

/** Wraps an exchange. A timeout aborts the request in flight and rejects with an A2ATransportError of kind 'timeout'. */
export function withTimeouts(exchange: Exchange, clock: Clock): Exchange {
  const tools: Tools = { clock, alarms: new Alarms(clock) };
  return (request) => {
    const { firstByteMs, idleMs } = request.timeouts;
    if (isNone(firstByteMs) && isNone(idleMs) && request.deadline === undefined) return exchange(request);
    return new TimedExchange(request, tools).send(exchange);
  };
}

interface Tools {
  readonly clock: Clock;
  readonly alarms: Alarms;
}

/** One per call, on the path of every call: its state is in fields, and no closure is created unless it is needed. */
class TimedExchange implements Alarm {
  /** The deadline of the current wait. */
  dueAt = Number.POSITIVE_INFINITY;
  place = NOWHERE;
  readonly #request: HttpRequest;
  readonly #tools: Tools;
  readonly #held: HeldSignal;
  /** Counts only while a reader waits: a slow reader is not the fault of the peer. */
  #firstByteLeftMs: number;
  #isFirst = true;
  #isTotal = false;
  /** Reported by the exchange. If the exchange reports nothing, assume that the request was sent. */
  #progress: SendProgress = 'sent';
  #waitsSince = 0;
  /** Rejects the current wait. */
  #reject: ((error: A2AError) => void) | undefined;
  /** Set once the response has arrived. Its rest is discarded after a timeout. */
  #answer: HttpResponse | undefined;

  constructor(request: HttpRequest, tools: Tools) {
    this.#request = request;
    this.#tools = tools;
    this.#held = new HeldSignal(request.signal);
    this.#held.onAbort(() => this.#fail(abortedBy(this.#held)));
    this.#firstByteLeftMs = request.timeouts.firstByteMs ?? Number.POSITIVE_INFINITY;
  }

  send(exchange: Exchange): Promise<HttpResponse> {
    const { deadline, timeouts } = this.#request;
    // After this rejection the call must not be executed, so it is not sent.
    if (deadline !== undefined && deadline <= this.#tools.clock.now()) {
      this.release();
      return Promise.reject(timeoutError('total', timeouts.totalMs ?? 0));
    }
    const take = (response: HttpResponse): HttpResponse => {
      this.#answer = response;
      return new TimedResponse(response, this);
    };
    return this.inTime(promiseOf(exchange, new HeldRequest(this.#request, this.#held, this.onProgress)), take, discard);
  }

  release(): void {
    this.#tools.alarms.remove(this);
    this.#held.release();
  }

  /** Discards the rest of the response. */
  letGo(): void {
    const answer = this.#answer;
    this.#answer = undefined;
    try {
      answer?.discard();
    } catch {
      // `discard` may be user code. The waiting caller has already been rejected, so its error is ignored.
    }
  }

  /** The first byte has arrived. */
  begun(): void {
    this.#isFirst = false;
  }

  readonly onProgress = (progress: SendProgress): void => {
    this.#progress = progress;
  };

  /** A piece of the body arrived while the whole text is awaited. */
  readonly onPiece = (): void => {
    if (this.#reject === undefined) return;
    this.#isFirst = false;
    this.#begin();
  };

  /**
   * Resolves with `take(value)` if the work finishes before the timeout and the abort. A later result is passed to `forget`. Only one wait
   * at a time.
   */
  inTime<T, R>(work: Promise<T>, take: (value: T) => R, forget?: (late: T) => void): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.#held.aborted) this.#fail(abortedBy(this.#held));
      else this.#begin();
      work.then(
        (value) => {
          if (this.#reject !== reject) return forget?.(value);
          this.#end();
          resolve(take(value));
        },
        (error) => {
          if (this.#reject === reject) this.#fail(error);
        },
      );
    });
  }

  /** Called when the current timeout expires. Rejects the wait too, because some exchanges ignore the abort. */
  ring(): void {
    const { firstByteMs, idleMs, totalMs } = this.#request.timeouts;
    if (this.#isTotal) this.#held.abort(timeoutError('total', totalMs ?? 0));
    // Without a connection nothing was sent, so this is not a first-byte timeout and every call may be retried.
    else if (this.#isFirst) this.#held.abort(timeoutError(this.#progress === 'sent' ? 'firstByte' : this.#progress, firstByteMs ?? 0));
    else this.#held.abort(timeoutError('idle', idleMs ?? 0));
  }

  /** Starts the timer of the current wait. */
  #begin(): void {
    const { timeouts, deadline = Number.POSITIVE_INFINITY } = this.#request;
    this.#waitsSince = this.#tools.clock.now();
    const limitAt = this.#waitsSince + (this.#isFirst ? this.#firstByteLeftMs : (timeouts.idleMs ?? Number.POSITIVE_INFINITY));
    this.#isTotal = deadline < limitAt;
    this.dueAt = Math.min(limitAt, deadline);
    if (this.dueAt !== Number.POSITIVE_INFINITY) this.#tools.alarms.set(this);
  }

  /** Keeps the alarm registered: usually the next wait starts immediately, otherwise `release` removes it. */
  #end(): void {
    this.#reject = undefined;
    this.dueAt = Number.POSITIVE_INFINITY;
    if (this.#isFirst) this.#firstByteLeftMs -= this.#tools.clock.now() - this.#waitsSince;
  }

  #fail(error: A2AError): void {
    const reject = this.#reject;
    if (reject === undefined) return;
    this.#end();
    this.release();
    reject(error);
    this.letGo();
  }
}

/** The request with a signal of our own, which is created only if the exchange reads it. */
class HeldRequest implements HttpRequest {
  readonly method: HttpRequest['method'];
  readonly url: string;
  readonly headers: HttpRequest['headers'];
  readonly body: string | undefined;
  readonly timeouts: Timeouts;
  readonly onProgress: (progress: SendProgress) => void;
  readonly #held: HeldSignal;

  constructor({ method, url, headers, body, timeouts }: HttpRequest, held: HeldSignal, onProgress: (progress: SendProgress) => void) {
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.body = body;
    this.timeouts = timeouts;
    this.onProgress = onProgress;
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

  text(maxBytes: number): Promise<string> {
    return this.#timed.inTime(this.#response.text(maxBytes, this.#timed.onPiece), (text) => {
      this.#timed.release();
      return text;
    });
  }

  async *chunks(): AsyncGenerator<Uint8Array, void> {
    const body = this.#response.chunks()[Symbol.asyncIterator]();
    let isOpen = true;
    try {
      for (;;) {
        const piece = await this.#timed.inTime(body.next(), asItIs);
        if (piece.done === true) {
          isOpen = false;
          return;
        }
        if (piece.value.length > 0) this.#timed.begun();
        yield piece.value;
      }
    } catch (error) {
      isOpen = false;
      this.#timed.letGo();
      throw error;
    } finally {
      this.#timed.release();
      // Not awaited: a body that hangs would block its reader.
      if (isOpen) body.return?.().catch(ignore);
    }
  }

  discard(): void {
    this.#timed.release();
    this.#timed.letGo();
  }
}

function discard(late: HttpResponse): void {
  late.discard();
}

function isNone(limitMs: number | null | undefined): limitMs is null | undefined {
  return limitMs === null || limitMs === undefined;
}

function asItIs<T>(value: T): T {
  return value;
}

function ignore(): void {}
