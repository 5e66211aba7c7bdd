/** What a network does to a caller and a socket does not exist for: leaving, and connections that fail. */
import type { ReadableStreamDefaultReader, UnderlyingSource } from 'node:stream/web';

/** Rejects with the signal's reason as soon as the caller leaves, whatever is waited for. */
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

/** How a body can come to its end, or not. */
export type Finish = 'end' | 'drop' | 'stall';

/** What becomes of a piece of a body on its way: the bytes that arrive, and how the way ends behind them if it does. */
export interface Passed {
  readonly bytes: Uint8Array;
  readonly finish?: Finish | undefined;
}

/**
 * The same response as its caller gets it. When the caller leaves, the body breaks off at once, and whoever writes it is told, read or
 * not; `pass` may change what arrives.
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
    // What it rejects with has been told to whoever reads.
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
        if (finish === 'stall') await new Promise(() => {}); // as the caller sees it; the other side may go on writing until it notices
        if (finish !== undefined) letGo();
        if (finish === 'drop') throw bodyLost();
        if (finish === 'end') return controller.close();
        if (bytes.byteLength > 0) return; // a pull that gives nothing would not be asked again
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

/** `fetch` could not connect, as Node says it: nothing was sent. */
export function connectionRefused(url: string): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(`connect ECONNREFUSED ${url}`), { code: 'ECONNREFUSED' }) });
}

/** The other side closed before its answer began, as Node's `fetch` says it. */
export function connectionLost(): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }) });
}

/** The other side closed in the middle of a body, as Node's `fetch` says it. */
export function bodyLost(): TypeError {
  return new TypeError('terminated', { cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }) });
}
