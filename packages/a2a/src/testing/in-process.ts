/** Simulates network effects without a socket: callers that disconnect, and connections that fail. */
import type { ReadableStreamDefaultReader, UnderlyingSource } from 'node:stream/web';

/** Rejects with the signal's reason as soon as the caller aborts, without waiting for `wait`. */
export async function unlessAborted<T>(signal: AbortSignal, wait: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let leave = (): void => {};
  const left = new Promise<never>((_resolve, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([wait, left]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/** How a body ends, or does not end. */
export type Finish = 'end' | 'drop' | 'stall';

/** The part of a chunk that arrives, and how the body ends after it, if it does. */
export interface Passed {
  readonly bytes: Uint8Array;
  readonly finish?: Finish | undefined;
}

/**
 * The response as its caller receives it. When the caller aborts, the body fails at once and its producer is canceled, whether it is read
 * or not. `pass` may change the bytes.
 */
export function untilAborted(response: Response, signal: AbortSignal, pass: Pass = asItIs): Response {
  return response.body === null ? response : withBody(response, carry(response.body.getReader(), signal, pass));
}

type Pass = (chunk: Uint8Array) => Passed;

const asItIs: Pass = (bytes) => ({ bytes });

function carry(reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal, pass: Pass): ReadableStream<Uint8Array> {
  let leave = (): void => {};
  const letGo = (reason?: unknown): void => {
    signal.removeEventListener('abort', leave);
    // The reader already got this error.
    reader.cancel(reason).catch(() => {});
  };
  const source: UnderlyingSource<Uint8Array> = {
    start(controller) {
      leave = () => {
        controller.error(signal.reason);
        letGo(signal.reason);
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
    },
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read();
        if (signal.aborted) return;
        const { bytes, finish }: Passed = done ? { bytes: NOTHING, finish: 'end' } : pass(value);
        if (bytes.byteLength > 0) controller.enqueue(bytes);
        if (finish === 'stall') await new Promise(() => {}); // stalled for the caller; the other side may continue to write until it notices
        if (finish !== undefined) letGo();
        if (finish === 'drop') throw bodyLost();
        if (finish === 'end') return controller.close();
        if (bytes.byteLength > 0) return; // a pull that enqueues nothing is not called again
      }
    },
    cancel: letGo,
  };
  return new ReadableStream<Uint8Array>(source, { highWaterMark: 0 });
}

const NOTHING = new Uint8Array();

export function withBody({ status, headers }: Response, body: ReadableStream<Uint8Array> | string): Response {
  return new Response(body, { status, headers });
}

/** The error of Node's `fetch` when it cannot connect: nothing was sent. */
export function connectionRefused(url: string): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(`connect ECONNREFUSED ${url}`), { code: 'ECONNREFUSED' }) });
}

/** The error of Node's `fetch` when the peer closes before its answer begins. */
export function connectionLost(): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }) });
}

/** The error of Node's `fetch` when the peer closes in the middle of a body. */
export function bodyLost(): TypeError {
  return new TypeError('terminated', { cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }) });
}
