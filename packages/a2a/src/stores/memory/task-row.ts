/** One task in the memory store. The fields are flat, because a finished task is little more than this row and its three texts. */
import { isTerminal } from '../../protocol/task-state.js';
import type { TaskText } from '../../protocol/task-text.js';
import type { TaskState } from '../../protocol/types.js';
import type { Scope, StoredTask, TaskHead, TaskRef } from '../store.js';
import type { EntryLog } from './entry-log.js';
import { flat } from './flat.js';
import type { InboxRows } from './inbox-rows.js';
import type { NodeLease } from './nodes.js';

export interface TaskRow {
  readonly scope: Scope;
  readonly id: string;
  readonly contextId: string;
  /** Creation number within the store; gives the order of creation. */
  readonly born: number;
  state: TaskState;
  statusAt: number;
  statusSeq: number;
  seq: number;
  generation: number;
  epoch: number;
  lease: NodeLease | undefined;
  snapshotSeq: number;
  /** The snapshot. Three fields instead of one object, because with many ended tasks each object costs memory. */
  headText: string;
  historyText: string;
  artifactsText: string;
  /** Undefined after compaction. */
  log: EntryLog | undefined;
  /** Created by the first post. */
  inbox: InboxRows | undefined;
  /** The part of the used memory that was counted for this row. */
  bytes: number;
}

export function refOf({ scope: { agent, tenant, owner }, id }: TaskRow): TaskRef {
  return { agent, tenant, owner, id };
}

export function isFinal(row: TaskRow): boolean {
  return isTerminal(row.state);
}

/** Ascending by status time, then by id. A list reads this order from its end. */
export function byStatus(a: Pick<TaskRow, 'statusAt' | 'id'>, b: Pick<TaskRow, 'statusAt' | 'id'>): number {
  if (a.statusAt !== b.statusAt) return a.statusAt - b.statusAt;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

export function byCreation(a: TaskRow, b: TaskRow): number {
  return a.born - b.born;
}

/** Oldest status first. Ids are not unique across owners, so the creation number breaks ties. */
export function byAge(a: TaskRow, b: TaskRow): number {
  return a.statusAt - b.statusAt || a.born - b.born;
}

/** Returns new objects, so that changes by the caller do not reach the store. Texts and entries are immutable and shared. */
export function toStoredTask(row: TaskRow): StoredTask {
  const { seq, generation, epoch, lease } = row;
  return {
    ref: refOf(row),
    head: headOf(row),
    seq,
    generation,
    node: lease?.node,
    epoch,
    snapshot: { seq: row.snapshotSeq, text: { head: row.headText, history: row.historyText, artifacts: row.artifactsText } },
    tail: row.log === undefined || row.snapshotSeq === seq ? [] : row.log.after(row.snapshotSeq),
  };
}

export function setSnapshot(row: TaskRow, { head, history, artifacts }: TaskText): void {
  row.headText = head;
  row.historyText = history;
  row.artifactsText = artifacts;
  row.snapshotSeq = row.seq;
}

/** Call it when the texts will not change for a long time: frees the memory that ropes and slices hold. */
export function flatten(row: TaskRow): void {
  row.headText = flat(row.headText);
  row.historyText = flat(row.historyText);
  row.artifactsText = flat(row.artifactsText);
}

function headOf({ contextId, state, statusAt, statusSeq }: TaskRow): TaskHead {
  return { contextId, state, statusAt, statusSeq };
}
