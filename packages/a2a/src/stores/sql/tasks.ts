/** Rows of `tasks` and their meaning. */
import { isInterrupted, TASK_STATES } from '../../protocol/task-state.js';
import type { TaskState } from '../../protocol/types.js';
import type { Scope, StoredEntry, StoredTask, TaskRef } from '../store.js';
import { fromColumn, toColumn } from './name.js';

export const RUNNING = 0;
export const ENDED = 1;
export const COMPACTED = 2;

export type RefColumns = readonly [agent: string, tenant: string, owner: string, id: string];

export function refValues({ agent, tenant, owner, id }: TaskRef): RefColumns {
  return [toColumn(agent), toColumn(tenant), toColumn(owner), toColumn(id)];
}

export function toRef([agent, tenant, owner, id]: RefColumns): TaskRef {
  return { agent: fromColumn(agent), tenant: fromColumn(tenant), owner: fromColumn(owner), id: fromColumn(id) };
}

/** The protobuf number of the state; −1 for an unknown state. */
export function stateNumber(state: TaskState): number {
  return TASK_STATES.indexOf(state);
}

/** The states in which a task waits for its caller, as an SQL list. */
export const WAITING = TASK_STATES.flatMap((state, number) => (isInterrupted(state) ? [number] : [])).join(', ');

/** The columns in the order of `TaskColumns`. */
export const TASK_COLUMNS =
  'pk, id, context, state, status_at, status_seq, ended, epoch, node, snapshot_seq, head, history, artifacts, generation';

export type TaskColumns = readonly [
  pk: number,
  id: string,
  context: string,
  state: number,
  statusAt: number,
  statusSeq: number,
  ended: number,
  epoch: number,
  node: string | null,
  snapshotSeq: number,
  head: string,
  history: string,
  artifacts: string,
  /** The generation as of the snapshot. */
  generation: number,
];

/**
 * The current seq and generation are those of the newest entry, because appending does not touch the task row. Called fifty times per page,
 * so it avoids spreads and reads the tuple by index: destructuring uses an iterator.
 */
export function toStoredTask(columns: TaskColumns, { agent, tenant, owner }: Scope, tail: readonly StoredEntry[]): StoredTask {
  const state = TASK_STATES[columns[3]] ?? 'TASK_STATE_UNSPECIFIED';
  const node = columns[8];
  const snapshotSeq = columns[9];
  const last = tail.length === 0 ? undefined : tail.at(-1);
  return {
    ref: { agent, tenant, owner, id: fromColumn(columns[1]) },
    head: { contextId: fromColumn(columns[2]), state, statusAt: columns[4], statusSeq: columns[5] },
    seq: last?.seq ?? snapshotSeq,
    generation: last?.generation ?? columns[13],
    node: node === null ? undefined : fromColumn(node),
    epoch: columns[7],
    snapshot: { seq: snapshotSeq, text: { head: columns[10], history: columns[11], artifacts: columns[12] } },
    tail,
  };
}
