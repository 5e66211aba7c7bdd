/** All tasks, by ref and in list order. A shelf holds the tasks of one scope (agent, tenant, owner); a lookup never leaves its shelf. */
import type { ContextRef, Scope, TaskHead, TaskRef } from '../store.js';
import { SortedList } from './sorted-list.js';
import { StatusIndex } from './status-index.js';
import { byCreation, type TaskRow } from './task-row.js';

interface ContextTasks {
  readonly byStatus: StatusIndex;
  readonly byCreation: SortedList<TaskRow>;
}

interface ScopeIndex extends Scope {
  readonly tasks: Map<string, TaskRow>;
  readonly byStatus: StatusIndex;
  /** Most contexts have one task. Storing that task directly takes a tenth of the memory. */
  readonly contexts: Map<string, TaskRow | ContextTasks>;
}

export class TaskIndex {
  /** Nested by agent, tenant and owner: a joined key would have a separator that a name could contain. */
  readonly #agents = new Map<string, Map<string, Map<string, ScopeIndex>>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  find(ref: TaskRef): TaskRow | undefined {
    return this.#index(ref)?.tasks.get(ref.id);
  }

  /** The object that all rows of this owner share; undefined when the owner has no task. */
  scopeOf(owner: Scope): Scope | undefined {
    return this.#index(owner);
  }

  /** `make` receives the scope object that all rows of the shelf share. */
  add(scope: Scope, make: (scope: Scope) => TaskRow): TaskRow {
    const index = this.#index(scope) ?? this.#open(scope);
    const row = make(index);
    index.tasks.set(row.id, row);
    index.byStatus.add(row);
    addToContext(index, row);
    this.#size += 1;
    return row;
  }

  /** Changes the status of a row, and its place in every index that depends on the status. */
  restatus(row: TaskRow, head: TaskHead): void {
    const indexes = this.#indexesOf(row);
    for (const index of indexes) index.delete(row);
    row.state = head.state;
    row.statusAt = head.statusAt;
    row.statusSeq = head.statusSeq;
    for (const index of indexes) index.add(row);
  }

  delete(row: TaskRow): void {
    const index = this.#index(row.scope);
    if (index?.tasks.delete(row.id) !== true) return;
    this.#size -= 1;
    for (const index of this.#indexesOf(row)) index.delete(row);
    const context = index.contexts.get(row.contextId);
    if (isContextTasks(context)) context.byCreation.delete(row);
    if (!isContextTasks(context) || context.byCreation.size === 0) index.contexts.delete(row.contextId);
    if (index.tasks.size === 0) this.#close(index);
  }

  byStatus(scope: Scope, contextId: string | undefined): StatusIndex | undefined {
    const index = this.#index(scope);
    if (index === undefined || contextId === undefined) return index?.byStatus;
    const context = index.contexts.get(contextId);
    if (context === undefined || isContextTasks(context)) return context?.byStatus;
    const alone = new StatusIndex();
    alone.add(context);
    return alone;
  }

  /** The tasks of a context, the newest first by creation. */
  newestFirst(ref: ContextRef): Iterable<TaskRow> {
    const context = this.#index(ref)?.contexts.get(ref.contextId);
    if (isContextTasks(context)) return context.byCreation.descending();
    return context === undefined ? [] : [context];
  }

  #indexesOf(row: TaskRow): readonly StatusIndex[] {
    const index = this.#index(row.scope);
    if (index === undefined) return [];
    const context = index.contexts.get(row.contextId);
    return isContextTasks(context) ? [index.byStatus, context.byStatus] : [index.byStatus];
  }

  #index({ agent, tenant, owner }: Scope): ScopeIndex | undefined {
    return this.#agents.get(agent)?.get(tenant)?.get(owner);
  }

  #open({ agent, tenant, owner }: Scope): ScopeIndex {
    const index: ScopeIndex = { agent, tenant, owner, tasks: new Map(), byStatus: new StatusIndex(), contexts: new Map() };
    innerMap(innerMap(this.#agents, agent), tenant).set(owner, index);
    return index;
  }

  #close({ agent, tenant, owner }: Scope): void {
    const tenants = this.#agents.get(agent);
    const owners = tenants?.get(tenant);
    owners?.delete(owner);
    if (owners?.size === 0) tenants?.delete(tenant);
    if (tenants?.size === 0) this.#agents.delete(agent);
  }
}

/** Returns the map at this key; creates it if it does not exist. */
function innerMap<Value>(maps: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  const known = maps.get(key);
  if (known !== undefined) return known;
  const made = new Map<string, Value>();
  maps.set(key, made);
  return made;
}

function addToContext(index: ScopeIndex, row: TaskRow): void {
  const known = index.contexts.get(row.contextId);
  if (known === undefined) {
    index.contexts.set(row.contextId, row);
    return;
  }
  const context = isContextTasks(known) ? known : contextOf(known);
  context.byStatus.add(row);
  context.byCreation.add(row);
  index.contexts.set(row.contextId, context);
}

function contextOf(first: TaskRow): ContextTasks {
  const context: ContextTasks = { byStatus: new StatusIndex(), byCreation: new SortedList(byCreation) };
  context.byStatus.add(first);
  context.byCreation.add(first);
  return context;
}

function isContextTasks(context: TaskRow | ContextTasks | undefined): context is ContextTasks {
  return context !== undefined && 'byCreation' in context;
}
