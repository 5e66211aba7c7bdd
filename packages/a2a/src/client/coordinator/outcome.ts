/** What came of asking agents. */
import type { A2AError } from '../../protocol/errors.js';
import type { Reply } from '../run/update.js';

export interface DoneOutcome<N extends string = string> {
  readonly kind: 'done';
  readonly agent: N;
  readonly reply: Reply;
}

export interface FailedOutcome<N extends string = string> {
  readonly kind: 'failed';
  readonly agent: N;
  readonly error: A2AError;
}

export interface SkippedOutcome<N extends string = string> {
  readonly kind: 'skipped';
  readonly agent: N;
  /** `circuit-open`: it failed too often, and was not asked. `not-needed`: enough others had answered before it. */
  readonly reason: 'circuit-open' | 'not-needed';
  /** Until when it is not asked: milliseconds since the epoch, where that is known. */
  readonly until?: number | undefined;
}

/** One agent's part. */
export type Outcome<N extends string = string> = DoneOutcome<N> | FailedOutcome<N> | SkippedOutcome<N>;

/** What came of asking several: each outcome in the order of the targets, and the same sorted by kind. */
export interface FanOutResult<N extends string = string> {
  readonly outcomes: readonly Outcome<N>[];
  readonly done: readonly DoneOutcome<N>[];
  readonly failed: readonly FailedOutcome<N>[];
  readonly skipped: readonly SkippedOutcome<N>[];
}

export function sortOutcomes<N extends string>(outcomes: readonly Outcome<N>[]): FanOutResult<N> {
  return {
    outcomes,
    done: outcomes.filter((outcome) => outcome.kind === 'done'),
    failed: outcomes.filter((outcome) => outcome.kind === 'failed'),
    skipped: outcomes.filter((outcome) => outcome.kind === 'skipped'),
  };
}
