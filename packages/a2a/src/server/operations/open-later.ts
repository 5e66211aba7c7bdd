/** A stream that may open before its content is known. */

import type { LateTimers } from '../../platform/late-timers.js';
import { toA2AError } from '../../protocol/errors.js';
import type { Reading, Sink } from '../call.js';
import type { Result } from './runtime.js';

interface Patience {
  readonly timers: LateTimers;
  readonly maxMs: number;
}

/** Rejects if `coming` rejects within `maxMs`; after that, the error is sent in the stream. */
export async function openLater<T>(coming: Promise<T>, { timers, maxMs }: Patience, open: (it: T, sink: Sink) => Reading): Promise<Result> {
  await new Promise<void>((resolve, reject) => {
    const patience = timers.after(maxMs, resolve);
    const settle = (): void => patience.stop();
    coming.finally(settle).then(() => resolve(), reject);
  });
  return { kind: 'stream', open: (sink) => new LateReading(coming, open, sink) };
}

class LateReading<T> implements Reading {
  #inner: Reading | undefined;
  #closed = false;

  constructor(coming: Promise<T>, open: (it: T, sink: Sink) => Reading, sink: Sink) {
    coming
      .then((it) => {
        if (!this.#closed) this.#inner = open(it, sink);
      })
      .catch((cause) => {
        if (!this.#closed) sink.end({ kind: 'error', error: toA2AError(cause) });
      })
      .catch(() => {}); // the reader failed and is gone
  }

  resume(): void {
    this.#inner?.resume();
  }

  close(): void {
    this.#closed = true;
    this.#inner?.close();
  }
}
