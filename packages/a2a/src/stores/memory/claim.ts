import type { BegunRequest, ClaimedTask, InboxRow, RequestKey, RequestState, TaskRef } from '../store.js';
import { InboxRows } from './inbox-rows.js';
import { isAlive } from './nodes.js';
import { checkRoom } from './room.js';
import type { Tables } from './tables.js';
import { isFinal, toStoredTask } from './task-row.js';

export interface Letter {
  readonly kind: InboxRow['kind'];
  readonly json: string;
  readonly request?: BegunRequest | undefined;
}

export function post(tables: Tables, ref: TaskRef, { kind, json, request }: Letter): number | 'final' | 'missing' | 'fenced' {
  const row = tables.tasks.find(ref);
  if (row === undefined) return 'missing';
  if (isFinal(row)) return 'final';
  if (request !== undefined && !tables.requests.isOpenFor(request.key, tables.nodes.leaseOf(request.node))) return 'fenced';
  if (kind === 'message') checkRoom(tables, ref); // a cancel leads to room
  row.inbox ??= new InboxRows();
  const n = row.inbox.post(kind, json);
  if (request !== undefined) tables.requests.link(request.key, row.id, n);
  tables.usage.recount(row);
  tables.ownership.noteMail(row);
  return n;
}

export function claim(tables: Tables, ref: TaskRef, node: string): ClaimedTask | 'owned' | 'final' | 'missing' {
  const row = tables.tasks.find(ref);
  if (row === undefined) return 'missing';
  if (isFinal(row)) return 'final';
  const lease = tables.nodes.leaseOf(node);
  if (row.lease !== undefined && row.lease !== lease && isAlive(row.lease, tables.clock.now())) return 'owned';
  row.epoch += 1;
  tables.ownership.own(row, lease);
  return { ...toStoredTask(row, { historyLength: 0 }), inbox: row.inbox?.waiting() ?? [] };
}

/**
 * A request that created a task is answered by that task: `running` until the task has ended, on whichever node; `done` also when the task
 * was deleted.
 */
export function beginRequest(tables: Tables, key: RequestKey, bodyHash: string, node: string): RequestState {
  const by = { bodyHash, lease: tables.nodes.leaseOf(node), now: tables.clock.now() };
  const state = tables.requests.begin(key, by, () => checkRoom(tables, key));
  if (state.kind !== 'running' || state.taskId === undefined) return state;
  const row = tables.tasks.find({ agent: key.agent, tenant: key.tenant, owner: key.owner, id: state.taskId });
  return row === undefined || isFinal(row) ? { ...state, kind: 'done' } : state;
}
