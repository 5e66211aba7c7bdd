/** All tasks, by ref and in list order. A shelf holds the tasks of one scope (agent, tenant, owner); a lookup never leaves its shelf. */
import type { ContextRef, Scope, TaskHead, TaskRef } from '../store.js';
import { SortedList } from './sorted-list.js';
import { StatusIndex } from './status-index.js';
import { byBirth, type TaskRow } from './task-row.js';

interface ContextTasks {
  readonly byStatus: StatusIndex;
  readonly byBirth: SortedList<TaskRow>;
}

interface Shelf extends Scope {
  readonly tasks: Map<string, TaskRow>;
  readonly byStatus: StatusIndex;
  /** Most contexts have one task. Storing that task directly takes a tenth of the memory. */
  readonly contexts: Map<string, TaskRow | ContextTasks>;
}

export class Shelves {
  /** Nested by agent, tenant and owner: a joined key would have a separator that a name could contain. */
  readonly #agents = new Map<string, Map<string, Map<string, Shelf>>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  find(ref: TaskRef): TaskRow | undefined {
    return this.#shelf(ref)?.tasks.get(ref.id);
  }

  /** `make` receives the scope object that all rows of the shelf share. */
  add(scope: Scope, make: (scope: Scope) => TaskRow): TaskRow {
    const shelf = this.#shelf(scope) ?? this.#open(scope);
    const row = make(shelf);
    shelf.tasks.set(row.id, row);
    shelf.byStatus.add(row);
    addToContext(shelf, row);
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
    const shelf = this.#shelf(row.scope);
    if (shelf?.tasks.delete(row.id) !== true) return;
    this.#size -= 1;
    for (const index of this.#indexesOf(row)) index.delete(row);
    const context = shelf.contexts.get(row.contextId);
    if (isContextTasks(context)) context.byBirth.delete(row);
    if (!isContextTasks(context) || context.byBirth.size === 0) shelf.contexts.delete(row.contextId);
    if (shelf.tasks.size === 0) this.#close(shelf);
  }

  byStatus(scope: Scope, contextId: string | undefined): StatusIndex | undefined {
    const shelf = this.#shelf(scope);
    if (shelf === undefined || contextId === undefined) return shelf?.byStatus;
    const context = shelf.contexts.get(contextId);
    if (context === undefined || isContextTasks(context)) return context?.byStatus;
    const alone = new StatusIndex();
    alone.add(context);
    return alone;
  }

  /** The tasks of a context, the newest first by creation. */
  newestFirst(ref: ContextRef): Iterable<TaskRow> {
    const context = this.#shelf(ref)?.contexts.get(ref.contextId);
    if (isContextTasks(context)) return context.byBirth.descending();
    return context === undefined ? [] : [context];
  }

  #indexesOf(row: TaskRow): readonly StatusIndex[] {
    const shelf = this.#shelf(row.scope);
    if (shelf === undefined) return [];
    const context = shelf.contexts.get(row.contextId);
    return isContextTasks(context) ? [shelf.byStatus, context.byStatus] : [shelf.byStatus];
  }

  #shelf({ agent, tenant, owner }: Scope): Shelf | undefined {
    return this.#agents.get(agent)?.get(tenant)?.get(owner);
  }

  #open({ agent, tenant, owner }: Scope): Shelf {
    const shelf: Shelf = { agent, tenant, owner, tasks: new Map(), byStatus: new StatusIndex(), contexts: new Map() };
    innerMap(innerMap(this.#agents, agent), tenant).set(owner, shelf);
    return shelf;
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

function addToContext(shelf: Shelf, row: TaskRow): void {
  const known = shelf.contexts.get(row.contextId);
  if (known === undefined) {
    shelf.contexts.set(row.contextId, row);
    return;
  }
  const context = isContextTasks(known) ? known : contextOf(known);
  context.byStatus.add(row);
  context.byBirth.add(row);
  shelf.contexts.set(row.contextId, context);
}

function contextOf(first: TaskRow): ContextTasks {
  const context: ContextTasks = { byStatus: new StatusIndex(), byBirth: new SortedList(byBirth) };
  context.byStatus.add(first);
  context.byBirth.add(first);
  return context;
}

function isContextTasks(context: TaskRow | ContextTasks | undefined): context is ContextTasks {
  return context !== undefined && 'byBirth' in context;
}
