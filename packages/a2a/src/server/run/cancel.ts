/** Ends a turn that its caller cancels: abort, wait for a grace period, then end it. The first final commit wins. */
import type { Clock } from '../../protocol/clock.js';
import { A2AError } from '../../protocol/errors.js';
import type { AgentExecutor, RequestContext } from '../executor/executor.js';
import type { Turn } from './turn.js';

export interface CancelParts {
  readonly executor: AgentExecutor;
  readonly clock: Clock;
  readonly graceMs: number;
  buildContext(): Promise<RequestContext>;
  /** Called with the error that `cancel` threw. The task is CANCELED anyway. */
  onThrown(thrown: unknown): void;
}

/** Resolves when the turn has unwound or the grace period is over. Without an active run, only `cancel` takes time. */
export async function cancelTurn(turn: Turn, parts: CancelParts): Promise<void> {
  turn.abort(new A2AError('UNSUPPORTED_OPERATION', 'the task was canceled'));
  let endGrace = (): void => {};
  const grace = new Promise<void>((resolve) => {
    endGrace = parts.clock.after(parts.graceMs, resolve);
  });
  const events = turn.createCancelEvents();
  try {
    await Promise.race([Promise.all([callCancel(parts, events), turn.executed]), grace]);
  } finally {
    events.close();
    endGrace();
  }
}

async function callCancel(parts: CancelParts, events: Turn['events']): Promise<void> {
  const { executor } = parts;
  if (executor.cancel === undefined) return;
  try {
    const context = await parts.buildContext();
    if (!events.isFinal) await executor.cancel(context, events); // otherwise the task ended by itself, and there is nothing to cancel
  } catch (thrown) {
    parts.onThrown(thrown);
  }
}
