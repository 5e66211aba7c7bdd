/** Ends a turn that its caller cancels: abort, wait for a grace period, then end it. The first final commit wins. */
import { A2AError } from '../../protocol/errors.js';
import type { JsonObject } from '../../protocol/types.js';
import type { InboxRow } from '../../stores/store.js';
import { readThrown } from '../failure.js';
import { readLastTurn } from './open-turn.js';
import { Turn, type TurnParts } from './turn.js';
import { buildTurnContext } from './turn-context.js';

/** Resolves when the turn has unwound or the grace period is over. Without an active run, only `cancel` takes time. */
export async function cancelTurn(turn: Turn, row: InboxRow): Promise<void> {
  const { clock, cancelGraceMs } = turn.parts.settings;
  turn.abort(new A2AError('UNSUPPORTED_OPERATION', 'the task was canceled'));
  let endGrace = (): void => {};
  const grace = new Promise<void>((resolve) => {
    endGrace = clock.after(cancelGraceMs, resolve);
  });
  const events = turn.createCancelEvents();
  try {
    await Promise.race([Promise.all([callCancel(turn, row, events), turn.executed]), grace]);
  } finally {
    events.close();
    endGrace();
  }
}

/** The task is CANCELED even if `cancel` throws. */
async function callCancel(turn: Turn, row: InboxRow, events: Turn['events']): Promise<void> {
  const { settings, writer } = turn.parts;
  const { executor } = settings;
  if (executor.cancel === undefined) return;
  const { metadata = {} }: { metadata?: JsonObject } = JSON.parse(row.json);
  try {
    const context = await buildTurnContext(turn, { metadata });
    if (!events.isFinal) await executor.cancel(context, events); // otherwise the task ended by itself, and there is nothing to cancel
  } catch (thrown) {
    const { error, crashed } = readThrown(thrown, settings.card.name);
    if (crashed || !writer.isFinal) turn.report(error); // a task that ended before the cancel took effect is not a failure
  }
}

/**
 * The turn to pass to `cancel()` when no run is active, because the work may continue elsewhere. Not needed when the executor has no
 * `cancel()`.
 */
export async function lastTurn(parts: TurnParts): Promise<Turn | undefined> {
  const { settings, log, writer } = parts;
  if (settings.executor.cancel === undefined) return undefined;
  try {
    const open = await readLastTurn(log.store, writer.ref);
    return open && new Turn(parts, open);
  } catch {
    return undefined; // the store reported it, and the task can end without this turn
  }
}
