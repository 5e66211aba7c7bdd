/** Deletes tasks on request, in any state and on any node (D60). */
import type { EventBus } from '../../bus/bus.js';
import type { Clock } from '../../protocol/clock.js';
import { A2AError } from '../../protocol/errors.js';
import { type ContextRef, DEFAULT_AGENT, type Scope, type TaskRef, type TaskStore } from '../../stores/store.js';
import type { AgentTasks, ContextName, TaskName } from '../agent.js';
import { GONE, type Hub } from '../log/hub.js';
import type { TaskLog } from '../log/task-log.js';
import type { ActiveTasks } from '../run/active-tasks.js';

export interface TaskDeletionParts {
  readonly store: TaskStore;
  readonly log: TaskLog;
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
    this.#announce([ref]); // also if nothing was found: the answer of an earlier attempt may have been lost
    return wasStored || wasCreated;
  }

  async deleteContext(context: ContextName): Promise<number> {
    const { store, active, clock } = this.#parts;
    const ref: ContextRef = { ...scopeOf(context), contextId: checkName('contextId', context.contextId) };
    const early = active.refsIn(ref);
    let count = 0;
    for (;;) {
      const refs = await store.eraseContext(ref, BATCH);
      if (refs.length === 0) break;
      await Promise.all(refs.map((one) => this.#stop(one)));
      this.#announce(refs);
      count += refs.length;
      await new Promise<void>((next) => clock.soon(next));
    }
    return count + (await this.#eraseEarly([...early, ...active.refsIn(ref)]));
  }

  /** Runs that had not created their tasks yet. Each may have created it after the erasure, and may even have ended since. */
  async #eraseEarly(refs: readonly TaskRef[]): Promise<number> {
    const { store, active } = this.#parts;
    let count = 0;
    for (const ref of refs) {
      await active.forget(ref);
      if (await store.erase(ref)) count += 1;
    }
    this.#announce(refs);
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
    const { log, hub, bus } = this.#parts;
    for (const ref of refs) {
      log.forget(ref);
      hub.found(ref, undefined);
    }
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
