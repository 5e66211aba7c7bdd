/**
 * The byte bounds. An owner has a share for its unfinished tasks, so that one owner cannot fill the store. At the bound of the store, ended tasks are dropped, the oldest first, and then answered requests. If only unfinished tasks are left,
 * new tasks and messages are refused, because refusing the events of running tasks would end the work of other callers.
 */
import { A2AError } from '../../protocol/errors.js';
import { isTerminal } from '../../protocol/task-state.js';
import type { Scope, TaskWrite } from '../store.js';
import type { Tables } from './tables.js';
import type { TaskRow } from './task-row.js';

/** A running task that holds more than this part of the bound may not grow beyond the bound; smaller ones may. */
const LARGE_TASK = 1 / 16;
/** How far the events of running tasks may exceed the bound. */
const RESERVE = 1.25;

/** Throws when the store has no room for a new task, message or request of this owner. */
export function checkRoom(tables: Tables, owner: Scope): void {
  const { usage, tasks } = tables;
  if (usage.used >= usage.maxBytesPerOwner && usage.isFullFor(tasks.scopeOf(owner))) throw ownerFull(usage.maxBytesPerOwner);
  if (usage.isFull && !makeRoom(tables)) throw full(tables);
}

/** Throws when the task may not grow now. A write that ends or releases its task is always accepted: it leads to room. */
export function checkGrowth(tables: Tables, row: TaskRow, { head, release }: TaskWrite): void {
  const { usage } = tables;
  if (!usage.isFull || release === true || (head !== undefined && isTerminal(head.state)) || makeRoom(tables)) return;
  const isLarge = row.bytes > usage.maxBytes * LARGE_TASK;
  if (isLarge || usage.used >= usage.maxBytes * RESERVE) throw full(tables);
}

/** Drops ended tasks while there are too many tasks. Running and waiting tasks may exceed the limit. */
export function makePlace(tables: Tables): void {
  while (tables.tasks.size >= tables.maxTasks) {
    const { oldest } = tables.finals;
    if (oldest === undefined) return;
    removeTask(tables, oldest);
  }
}

/** Removes a task in any state from every table, except for its requests. */
export function removeTask({ tasks, finals, ownership, waiting, usage }: Tables, row: TaskRow): void {
  finals.delete(row);
  waiting.leave(row);
  ownership.end(row);
  tasks.delete(row);
  usage.forget(row);
}

/** Returns whether the store is below its bound afterwards. */
function makeRoom(tables: Tables): boolean {
  const { usage, finals, requests, tasks } = tables;
  while (usage.isFull) {
    const { oldest } = finals;
    if (oldest !== undefined) removeTask(tables, oldest);
    else if (!requests.dropAnswered((ref) => tasks.find(ref) === undefined)) return false;
  }
  return true;
}

function ownerFull(maxBytes: number): A2AError {
  const text = `your unfinished tasks have reached the limit of ${maxBytes} bytes (maxBytesPerOwner); end some of them, then retry`;
  return new A2AError('RATE_LIMITED', text, { retryAfterMs: 1_000 });
}

function full({ usage: { maxBytes } }: Tables): A2AError {
  const text = `the memory store holds only unfinished tasks and has reached its limit of ${maxBytes} bytes (maxBytes); retry later`;
  return new A2AError('AGENT_UNAVAILABLE', text, { retryAfterMs: 1_000 });
}
