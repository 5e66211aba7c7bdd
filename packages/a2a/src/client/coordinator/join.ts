/** Decides when enough agents have replied. */
import { A2AError } from '../../protocol/errors.js';
import { type FanOutResult, type Outcome, sortOutcomes } from './outcome.js';

/** How many replies end the wait: `waitForAll()`, `waitForFirst()` or `waitForQuorum(n)`. */
export type JoinPolicy = { readonly kind: 'all' } | { readonly kind: 'quorum'; readonly count: number };

/** Waits for every agent, including those that fail. */
export const waitForAll = (): JoinPolicy => ({ kind: 'all' });

/** Waits for the first reply. */
export const waitForFirst = (): JoinPolicy => ({ kind: 'quorum', count: 1 });

/** Waits for `count` replies. */
export function waitForQuorum(count: number): JoinPolicy {
  if (!Number.isSafeInteger(count) || count < 1)
    throw new A2AError('INVALID_PARAMS', `waitForQuorum needs a whole number of at least 1, got ${count}`);
  return { kind: 'quorum', count };
}

/** A policy with its defaults filled in. */
export interface JoinRule {
  /** This many replies end the wait. undefined: wait for all. */
  readonly enough: number | undefined;
  /** With fewer replies the whole call fails. */
  readonly minResults: number;
}

export function joinRule(policy: JoinPolicy, minResults: number | undefined, targets: number): JoinRule {
  const enough = policy.kind === 'quorum' ? policy.count : undefined;
  if (enough !== undefined && enough > targets)
    throw new A2AError('INVALID_PARAMS', `a quorum of ${enough} cannot be reached with ${targets} targets`);
  const least = minResults ?? enough ?? 1;
  if (!Number.isSafeInteger(least) || least < 0 || least > targets) {
    throw new A2AError('INVALID_PARAMS', `minResults must be a whole number from 0 to ${targets}, got ${minResults}`);
  }
  return { enough, minResults: least };
}

/** True if enough agents replied, or if too few are left to reach `minResults`. */
export function isEnough({ enough, minResults }: JoinRule, settled: readonly (Outcome | undefined)[]): boolean {
  const done = settled.filter((outcome) => outcome?.kind === 'done').length;
  const left = settled.filter((outcome) => outcome === undefined).length;
  if (left === 0) return true;
  return enough !== undefined && (done >= enough || done + left < minResults);
}

/** Throws if too few agents replied. The errors of the others are the cause. */
export function checkEnough<N extends string>({ minResults }: JoinRule, outcomes: readonly Outcome<N>[]): FanOutResult<N> {
  const result = sortOutcomes(outcomes);
  const { done, failed, skipped } = result;
  if (done.length >= minResults) return result;
  const counts = `${done.length} of ${outcomes.length} agents replied, ${minResults} needed: ${failed.length} failed, ${skipped.length} skipped`;
  const errors = failed.map(({ error }) => error);
  throw new A2AError('AGENT_UNAVAILABLE', counts, {
    cause: new AggregateError(errors, failed.map(({ agent }) => agent).join(', ')),
    retryable: skipped.length > 0 || errors.some(({ retryable }) => retryable),
    metadata: {
      agents: String(outcomes.length),
      done: String(done.length),
      failed: String(failed.length),
      skipped: String(skipped.length),
      needed: String(minResults),
    },
  });
}
