/** Keeps the limits of an answer that every platform can keep: until its first byte, and between two pieces of it. */
import type { Clock } from '../../protocol/clock.js';
import { A2ATransportError, type TimeoutPhase } from '../../protocol/errors.js';
import type { Exchange, HttpRequest, HttpResponse } from '../transports/exchange.js';
import { type HeldSignal, holdSignal } from './held-signal.js';
import { timeoutError } from './timeout-error.js';

/** Wraps an exchange. A limit that is reached aborts what is in flight and rejects with an A2ATransportError of kind 'timeout'. */
export function withTimeouts(exchange: Exchange, clock: Clock): Exchange {
  return (request) => {
    const { firstByteMs, idleMs } = request.timeouts;
    if (isNone(firstByteMs) && isNone(idleMs)) return exchange(request);
    return new TimedExchange(request, clock).send(exchange);
  };
}

interface Limit {
  readonly phase: TimeoutPhase;
  /** As stated, for the words of the error. */
  readonly limitMs: number;
  /** What is left of it. */
  readonly leftMs: number;
}

class TimedExchange {
  readonly #request: HttpRequest;
  readonly #clock: Clock;
  readonly #held: HeldSignal;
  /** Counts only while somebody waits: a reader who takes his time is no fault of the peer. */
  #firstByteLeftMs: number;
  #isFirst = true;

  constructor(request: HttpRequest, clock: Clock) {
    this.#request = request;
    this.#clock = clock;
    this.#held = holdSignal(request.signal);
    this.#firstByteLeftMs = request.timeouts.firstByteMs ?? Number.POSITIVE_INFINITY;
  }

  async send(exchange: Exchange): Promise<HttpResponse> {
    const sent = exchange({ ...this.#request, signal: this.#held.signal });
    try {
      return this.#watch(await this.#inTime(sent, (late) => late.discard()));
    } catch (error) {
      this.#held.release();
      throw error;
    }
  }

  #watch(response: HttpResponse): HttpResponse {
    return {
      status: response.status,
      header: (name) => response.header(name),
      text: (maxBytes) => readText(this.#chunks(response), maxBytes),
      chunks: () => this.#chunks(response),
      discard: () => {
        this.#held.release();
        response.discard();
      },
    };
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

  /** The outcome, if it comes in time. What comes later is let go of. */
  async #inTime<T>(work: Promise<T>, forget?: (late: T) => void): Promise<T> {
    const limit = this.#limit();
    if (limit.leftMs === Number.POSITIVE_INFINITY) return work;
    const begunAt = this.#clock.now();
    let stop = (): void => {};
    const timeout = new Promise<never>((_, reject) => {
      stop = this.#clock.after(limit.leftMs, () => {
        const error = timeoutError(limit.phase, limit.limitMs);
        reject(error);
        if (forget !== undefined) work.then(forget, () => {});
        this.#held.abort(error);
      });
    });
    try {
      return await Promise.race([work, timeout]);
    } finally {
      stop();
      if (this.#isFirst) this.#firstByteLeftMs -= this.#clock.now() - begunAt;
    }
  }

  #limit(): Limit {
    const { firstByteMs, idleMs } = this.#request.timeouts;
    if (this.#isFirst) return { phase: 'firstByte', limitMs: firstByteMs ?? 0, leftMs: this.#firstByteLeftMs };
    return { phase: 'idle', limitMs: idleMs ?? 0, leftMs: idleMs ?? Number.POSITIVE_INFINITY };
  }
}

async function readText(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw new A2ATransportError('serialization', `The answer is larger than ${maxBytes} bytes`, { sent: true });
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function isNone(limitMs: number | null | undefined): limitMs is null | undefined {
  return limitMs === null || limitMs === undefined;
}
