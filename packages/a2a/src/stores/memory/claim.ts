import type { ClaimedTask, InboxRow, RequestKey, RequestState, TaskRef } from '../store.js';
import { Inbox } from './inbox.js';
import { lives } from './nodes.js';
import type { Tables } from './tables.js';
import { isFinal, toStoredTask } from './task-row.js';

export function post(tables: Tables, ref: TaskRef, kind: InboxRow['kind'], json: string): number | 'final' | 'missing' {
  const row = tables.tasks.find(ref);
  if (row === undefined) return 'missing';
  if (isFinal(row)) return 'final';
  row.inbox ??= new Inbox();
  const n = row.inbox.post(kind, json);
  tables.ownership.noteMail(row);
  return n;
}

/** A node that lives is not given its own task again either: two runs in one process would share one epoch. */
export function claim(tables: Tables, ref: TaskRef, node: string): ClaimedTask | 'owned' | 'final' | 'missing' {
  const row = tables.tasks.find(ref);
  if (row === undefined) return 'missing';
  if (isFinal(row)) return 'final';
  if (row.lease !== undefined && lives(row.lease, tables.clock.now())) return 'owned';
  row.epoch += 1;
  tables.ownership.own(row, tables.nodes.leaseOf(node));
  return { ...toStoredTask(row), inbox: row.inbox?.waiting() ?? [] };
}

/** A request that made a task is answered by that task: `running` until it has ended, whoever runs it; also when it is gone, `done`. */
export function beginRequest(tables: Tables, key: RequestKey, bodyHash: string, node: string): RequestState {
  const state = tables.requests.begin(key, bodyHash, tables.nodes.leaseOf(node), tables.clock.now());
  if (state.kind !== 'running' || state.taskId === undefined) return state;
  const row = tables.tasks.find({ tenant: key.tenant, owner: key.owner, id: state.taskId });
  return row === undefined || isFinal(row) ? { kind: 'done', taskId: state.taskId } : state;
}
