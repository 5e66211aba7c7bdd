import { A2AError } from '../../protocol/errors.js';

/** What every store that lasts lets its user choose. */
export interface Gathering {
  readonly lingerMs: number;
  readonly replayHours: number;
}

/** Throws with words that name the value. */
export function checkGathering({ lingerMs, replayHours }: Gathering): void {
  if (!(lingerMs >= 0 && lingerMs <= 1_000)) throw new A2AError('INVALID_PARAMS', `lingerMs must be from 0 to 1000, got ${lingerMs}`);
  if (!(replayHours > 0 && replayHours < Number.POSITIVE_INFINITY)) {
    throw new A2AError('INVALID_PARAMS', `replayHours must be positive, got ${replayHours}`);
  }
}
