/** Deletes tasks on request, in any state and on any node (D60). */
import type { EventBus } from '../bus/bus.js';
import type { Clock } from '../protocol/clock.js';
import { A2AError } from '../protocol/errors.js';
import { type ContextRef, DEFAULT_AGENT, type Scope, type TaskRef, type TaskStore } from '../stores/store.js';
import type { ActiveTasks } from './active-tasks.js';
import type { AgentTasks, ContextName, TaskName } from './agent.js';
import { GONE, type Hub } from './hub.js';

export interface TaskDeletionParts {
  readonly store: TaskStore;
  readonly active: ActiveTasks;
  readonly hub: Hub;
  readonly bus: EventBus;
  readonly clock: Clock;
}

/** Tasks per transaction: few enough not to delay calls. */
const BATCH = 20;

export class TaskDeletion implements AgentTasks {
  readonly #parts: TaskDeletionParts;

  constructor(parts: TaskDeletionParts) {
    this.#parts = parts;
  }

  get running(): AgentTasks['running'] {
    return this.#parts.active.list();
  }

  async delete(task: TaskName): Promise<boolean> {
    const ref = { ...scopeOf(task), id: checkName('taskId', task.taskId) };
    const wasStored = await this.#parts.store.erase(ref);
    const wasCreated = await this.#stop(ref);
    if (wasStored || wasCreated) this.#announce([ref]);
    return wasStored || wasCreated;
  }

  async deleteContext(context: ContextName): Promise<number> {
    const { store, active, clock } = this.#parts;
    const ref: ContextRef = { ...scopeOf(context), contextId: checkName('contextId', context.contextId) };
    let count = 0;
    for (let erased = BATCH; erased === BATCH; ) {
      const refs = await store.eraseContext(ref, BATCH);
      await Promise.all(refs.map((one) => this.#stop(one)));
      this.#announce(refs);
      erased = refs.length;
      count += erased;
      if (erased === BATCH) await new Promise<void>((next) => clock.soon(next));
    }
    // These runs have not created their tasks yet.
    for (const early of active.refsIn(ref)) if (await this.#stop(early)) count += 1;
    return count;
  }

  /**
   * Stops the run on this node. If its first commit was in flight, it may have created the task after the erasure: then erases it again.
   */
  async #stop(ref: TaskRef): Promise<boolean> {
    const { store, active } = this.#parts;
    return (await active.forget(ref)) && store.erase(ref);
  }

  /** Readers on this node and all nodes check the store and find that the task is gone. */
  #announce(refs: readonly TaskRef[]): void {
    const { hub, bus } = this.#parts;
    for (const ref of refs) hub.found(ref, undefined);
    if (refs.length > 0) bus.notify(refs.map((ref) => ({ ref, seq: GONE })));
  }
}

function scopeOf({ tenant = '', owner }: { readonly tenant?: string; readonly owner: string }): Scope {
  return { agent: DEFAULT_AGENT, tenant: checkName('tenant', tenant), owner: checkName('owner', owner) };
}

function checkName(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new A2AError('INVALID_PARAMS', `${name} must be a string, got ${typeof value}`);
}
