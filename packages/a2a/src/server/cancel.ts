/** Ends a turn because its caller wants it: it is told first, given a grace, then ended. The first final commit wins. */
import type { Clock } from '../protocol/clock.js';
import { A2AError } from '../protocol/errors.js';
import type { AgentExecutor, RequestContext } from './executor.js';
import type { Turn } from './turn.js';

export interface CancelParts {
  readonly executor: AgentExecutor;
  readonly clock: Clock;
  readonly graceMs: number;
  buildContext(): Promise<RequestContext>;
  /** Told of what `cancel` threw: the task is CANCELED all the same. */
  onThrown(thrown: unknown): void;
}

/** Resolves when the turn has unwound or its grace is over. A turn that does not run has unwound already: only `cancel` takes time. */
export async function cancelTurn(turn: Turn, parts: CancelParts): Promise<void> {
  turn.abort(new A2AError('UNSUPPORTED_OPERATION', 'the task was cancelled'));
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
    if (!events.isFinal) await executor.cancel(context, events); // else the task ended by itself, and there is nothing to stop
  } catch (thrown) {
    parts.onThrown(thrown);
  }
}
