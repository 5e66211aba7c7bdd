/** Bounds how much work of one kind runs at once. The rest waits in the order of its arrival, for a limited time. */

import { patientTimer } from '../../platform/patient-timer.js';
import { A2AError } from '../../protocol/errors.js';

export interface ConcurrencyLimitOptions {
  readonly width: number;
  /** Work that has waited longer is refused. */
  readonly maxWaitMs: number;
}

export class ConcurrencyLimit {
  readonly #options: ConcurrencyLimitOptions;
  #running = 0;
  readonly #waiting = new Set<() => void>();

  constructor(options: ConcurrencyLimitOptions) {
    this.#options = options;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#options.width) this.#running += 1;
    else await this.#turn();
    try {
      return await work();
    } finally {
      this.#passOn();
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        stopTimer();
        resolve();
      };
      const stopTimer = patientTimer(this.#options.maxWaitMs, () => {
        this.#waiting.delete(begin);
        reject(tooBusy(this.#options.maxWaitMs));
      });
      this.#waiting.add(begin);
    });
  }

  /** The next work takes the place over, so that no later arrival overtakes it. */
  #passOn(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#running -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}

function tooBusy(waitedMs: number): A2AError {
  return new A2AError('AGENT_UNAVAILABLE', `the database is busy with other lists; this one has waited ${waitedMs} ms`, {
    retryAfterMs: 1_000,
  });
}
