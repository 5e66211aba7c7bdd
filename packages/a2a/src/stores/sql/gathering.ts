import { A2AError } from '../../protocol/errors.js';

/** Options that all durable stores have. */
export interface Gathering {
  readonly lingerMs: number;
  readonly replayHours: number;
}

/** Throws an error that names the invalid value. */
export function checkGathering({ lingerMs, replayHours }: Gathering): void {
  if (!(lingerMs >= 0 && lingerMs <= 1_000)) throw new A2AError('INVALID_PARAMS', `lingerMs must be from 0 to 1000, got ${lingerMs}`);
  if (!(replayHours > 0 && replayHours < Number.POSITIVE_INFINITY)) {
    throw new A2AError('INVALID_PARAMS', `replayHours must be positive, got ${replayHours}`);
  }
}
