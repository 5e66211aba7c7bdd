/** The outcomes of calling agents. */
import type { A2AError } from '../../protocol/errors.js';
import type { Reply } from '../run/update.js';

/** The outcome of an agent that replied. */
export interface DoneOutcome<N extends string = string> {
  readonly kind: 'done';
  readonly agent: N;
  readonly reply: Reply;
}

/** The outcome of an agent whose call failed. */
export interface FailedOutcome<N extends string = string> {
  readonly kind: 'failed';
  readonly agent: N;
  readonly error: A2AError;
}

/** The outcome of an agent that was not called, or whose reply was no longer needed. */
export interface SkippedOutcome<N extends string = string> {
  readonly kind: 'skipped';
  readonly agent: N;
  /** `circuit-open`: the agent failed too often and was not called. `not-needed`: enough other agents replied first. */
  readonly reason: 'circuit-open' | 'not-needed';
  /** Until when the agent is skipped, in milliseconds since the epoch, if known. */
  readonly until?: number | undefined;
}

/** The outcome of one agent. */
export type Outcome<N extends string = string> = DoneOutcome<N> | FailedOutcome<N> | SkippedOutcome<N>;

/** The outcomes of several agents in the order of the targets, and the same outcomes grouped by kind. */
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
