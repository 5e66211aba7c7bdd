/** When several agents have said enough. */
import { A2AError } from '../../protocol/errors.js';
import { type FanOutResult, type Outcome, sortOutcomes } from './outcome.js';

/** How many answers end the waiting: `waitForAll()`, `waitForFirst()` or `waitForQuorum(n)`. */
export type JoinPolicy = { readonly kind: 'all' } | { readonly kind: 'quorum'; readonly count: number };

/** Waits for every agent, whatever becomes of each. */
export const waitForAll = (): JoinPolicy => ({ kind: 'all' });

/** The first answer is enough. */
export const waitForFirst = (): JoinPolicy => ({ kind: 'quorum', count: 1 });

/** So many answers are enough. */
export function waitForQuorum(count: number): JoinPolicy {
  if (!Number.isSafeInteger(count) || count < 1)
    throw new A2AError('INVALID_PARAMS', `waitForQuorum takes a whole number from 1, not ${count}`);
  return { kind: 'quorum', count };
}

/** A policy with its numbers filled in. */
export interface JoinRule {
  /** So many answers end the waiting; undefined: nothing does. */
  readonly enough: number | undefined;
  /** With fewer answers than that the whole has failed. */
  readonly minResults: number;
}

export function joinRule(policy: JoinPolicy, minResults: number | undefined, targets: number): JoinRule {
  const enough = policy.kind === 'quorum' ? policy.count : undefined;
  if (enough !== undefined && enough > targets)
    throw new A2AError('INVALID_PARAMS', `a quorum of ${enough} can not come of ${targets} targets`);
  const least = minResults ?? enough ?? 1;
  if (!Number.isSafeInteger(least) || least < 0 || least > targets) {
    throw new A2AError('INVALID_PARAMS', `minResults must be a whole number from 0 to ${targets}, not ${minResults}`);
  }
  return { enough, minResults: least };
}

/** Enough have answered, or so few are left that it can not come to that any more. */
export function isEnough({ enough, minResults }: JoinRule, settled: readonly (Outcome | undefined)[]): boolean {
  const done = settled.filter((outcome) => outcome?.kind === 'done').length;
  const left = settled.filter((outcome) => outcome === undefined).length;
  if (left === 0) return true;
  return enough !== undefined && (done >= enough || done + left < minResults);
}

/** Throws when too few have answered; what the others said is the cause. */
export function checkEnough<N extends string>({ minResults }: JoinRule, outcomes: readonly Outcome<N>[]): FanOutResult<N> {
  const result = sortOutcomes(outcomes);
  const { done, failed, skipped } = result;
  if (done.length >= minResults) return result;
  const counts = `${done.length} of ${outcomes.length} agents answered, ${minResults} needed: ${failed.length} failed, ${skipped.length} skipped`;
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
