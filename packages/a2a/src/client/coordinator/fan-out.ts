/** Calls several agents concurrently and joins their outcomes. */
import { A2AError, A2ATransportError } from '../../protocol/errors.js';
import type { Input, RunOptions } from '../run/run-options.js';
import { type Attempt, attempt } from './attempt.js';
import { checkEnough, isEnough, type JoinPolicy, type JoinRule, joinRule, waitForAll } from './join.js';
import type { FanOutResult, Outcome } from './outcome.js';
import type { Team } from './team.js';

/** Options of one delegated call. `throwOn` is missing because failures become outcomes. */
export interface DelegateOptions extends Omit<RunOptions, 'throwOn'> {
  /** Maximum total time including retries. After it the task is canceled. Default: the deadline of the scope, or no limit. */
  readonly timeoutMs?: number;
}

/** Options of `fanOut`: when to stop waiting, and how many replies are needed. */
export interface FanOutOptions extends DelegateOptions {
  /** When to stop waiting. Default `waitForAll()`. */
  readonly join?: JoinPolicy;
  /** With fewer replies, the whole call fails. Default 1; with `waitForQuorum(n)`, n. */
  readonly minResults?: number;
  /** Whether to cancel the tasks that are no longer needed. false: they continue unattended. Default true. */
  readonly cancelLosers?: boolean;
}

/** An agent and the message for it. */
export interface Target<N extends string = string> {
  readonly agent: N;
  readonly message: Input;
}

export async function delegate<N extends string>(team: Team<N>, target: Target<N>, options: DelegateOptions): Promise<Outcome<N>> {
  const { timeoutMs, ...run } = options;
  const limitMs = limitOf(team, options);
  const asked = attempt(team, { ...target, options: run });
  const stopClock = stopAfter(team, limitMs, [asked]);
  try {
    return await asked.outcome;
  } finally {
    stopClock();
  }
}

export async function fanOut<N extends string>(
  team: Team<N>,
  targets: readonly Target<N>[],
  options: FanOutOptions,
): Promise<FanOutResult<N>> {
  const { join = waitForAll(), minResults, cancelLosers = true, timeoutMs, ...run } = options;
  if (targets.length === 0) throw new A2AError('INVALID_PARAMS', 'fanOut needs at least one target');
  const rule = joinRule(join, minResults, targets.length);
  const limitMs = limitOf(team, options);
  for (const { agent } of targets) team.client(agent); // reports an unknown name before any agent is called
  const attempts = targets.map((target) => attempt(team, { ...target, options: run }));
  const stopClock = stopAfter(team, limitMs, attempts);
  let isDecided = false;
  try {
    const settled = await untilDecided(attempts, rule);
    isDecided = true;
    return checkEnough(
      rule,
      attempts.map(({ agent }, index) => settled[index] ?? { kind: 'skipped', agent, reason: 'not-needed' }),
    );
  } finally {
    stopClock();
    // A caller that aborts does not cancel the tasks.
    for (const loser of attempts) loser.stop(notNeeded(), isDecided && cancelLosers);
  }
}

/** Resolves with the outcomes at the moment of the decision; undefined for agents without one. Rejects if the caller aborted. */
function untilDecided<N extends string>(attempts: readonly Attempt<N>[], rule: JoinRule): Promise<readonly (Outcome<N> | undefined)[]> {
  const settled: (Outcome<N> | undefined)[] = attempts.map(() => undefined);
  return new Promise((resolve, reject) => {
    for (const [index, { outcome }] of attempts.entries()) {
      outcome.then((said) => {
        settled[index] = said;
        if (isEnough(rule, settled)) resolve([...settled]);
      }, reject);
    }
  });
}

/** Returns the given timeout or the rest of the scope's deadline, whichever is shorter. Infinity without either. */
function limitOf<N extends string>({ clock }: Team<N>, { timeoutMs, scope }: DelegateOptions): number {
  const givenMs = timeoutMs ?? Number.POSITIVE_INFINITY;
  if (!(givenMs > 0)) throw new A2AError('INVALID_PARAMS', `timeoutMs must be positive, got ${timeoutMs}`);
  const leftMs = scope?.deadline === undefined ? Number.POSITIVE_INFINITY : scope.deadline - clock.now();
  return Math.max(0, Math.min(givenMs, leftMs));
}

/** One timer for all attempts. If no time is left, no agent is called. */
function stopAfter<N extends string>({ clock }: Team<N>, limitMs: number, attempts: readonly Attempt<N>[]): () => void {
  const stop = (): void => {
    const error = new A2ATransportError('timeout', `no reply within ${limitMs} ms`, { sent: limitMs > 0, phase: 'total' });
    for (const late of attempts) late.stop(error, true);
  };
  if (limitMs === 0) stop();
  return limitMs > 0 && Number.isFinite(limitMs) ? clock.after(limitMs, stop) : () => {};
}

const notNeeded = (): A2AError => new A2AError('ABORTED', 'enough other agents have replied');
