/** Several agents at once, one result. */
import { A2AError, A2ATransportError } from '../../protocol/errors.js';
import type { Input, RunOptions } from '../run/run-options.js';
import { type Attempt, attempt } from './attempt.js';
import { checkEnough, isEnough, type JoinPolicy, type JoinRule, joinRule, waitForAll } from './join.js';
import type { FanOutResult, Outcome } from './outcome.js';
import type { Team } from './team.js';

/** What can be said for one errand; the coordinator decides itself what is thrown. */
export interface DelegateOptions extends Omit<RunOptions, 'throwOn'> {
  /** How long it may take, whatever is tried; then its task is cancelled. Default: as long as the scope gives, or for ever. */
  readonly timeoutMs?: number;
}

export interface FanOutOptions extends DelegateOptions {
  /** When the waiting ends. Default `waitForAll()`. */
  readonly join?: JoinPolicy;
  /** Fewer answers than that are a failure of the whole. Default 1, with `waitForQuorum(n)` n. */
  readonly minResults?: number;
  /** Whether the tasks of those who are not needed any more are cancelled, or left to go on without us. Default true. */
  readonly cancelLosers?: boolean;
}

/** One agent and what is said to it. */
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
  for (const { agent } of targets) team.client(agent); // a name that nobody has is told before anybody is asked
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
    // A caller who leaves cancels nothing.
    for (const loser of attempts) loser.stop(notNeeded(), isDecided && cancelLosers);
  }
}

/** What each had said when it was decided; undefined for those who had not. Rejects when the caller has left. */
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

/** The time given here, or what is left of the scope's; Infinity without either. */
function limitOf<N extends string>({ clock }: Team<N>, { timeoutMs, scope }: DelegateOptions): number {
  const givenMs = timeoutMs ?? Number.POSITIVE_INFINITY;
  if (!(givenMs > 0)) throw new A2AError('INVALID_PARAMS', `timeoutMs must be positive, got ${timeoutMs}`);
  const leftMs = scope?.deadline === undefined ? Number.POSITIVE_INFINITY : scope.deadline - clock.now();
  return Math.max(0, Math.min(givenMs, leftMs));
}

/** One clock for all of them. Where no time is left nobody is asked. */
function stopAfter<N extends string>({ clock }: Team<N>, limitMs: number, attempts: readonly Attempt<N>[]): () => void {
  const stop = (): void => {
    const error = new A2ATransportError('timeout', `no answer within ${limitMs} ms`, { sent: limitMs > 0, phase: 'total' });
    for (const late of attempts) late.stop(error, true);
  };
  if (limitMs === 0) stop();
  return limitMs > 0 && Number.isFinite(limitMs) ? clock.after(limitMs, stop) : () => {};
}

const notNeeded = (): A2AError => new A2AError('ABORTED', 'enough other agents have answered');
