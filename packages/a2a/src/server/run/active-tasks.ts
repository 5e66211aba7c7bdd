/** The tasks that run in this process: their number, their ownership, and how a posted message wakes them. */

import { ChurnMap } from '../../platform/churn-map.js';
import type { LateTimers } from '../../platform/late-timers.js';
import type { ErrorContext } from '../../platform/logger.js';
import { A2AError } from '../../protocol/errors.js';
import { lazyTask } from '../../protocol/task-text.js';
import { type ContextRef, DEFAULT_AGENT, refKey, type Scope, type TaskPosition, type TaskRef } from '../../stores/store.js';
import type { RunningTask } from '../agent.js';
import type { LoadTask } from '../executor/request-context.js';
import { type RunBounds, RunPlaces } from '../limits/run-places.js';
import { type Share, shareOfCaller } from '../limits/share-counter.js';
import type { Committer } from '../log/committer.js';
import { type FirstTurn, withTaskIds } from '../log/entries.js';
import type { TaskLog } from '../log/task-log.js';
import type { TaskWriter } from '../log/writer.js';
import type { Lease } from '../node/lease.js';
import type { Settings } from '../options.js';
import { KeptTasks } from './kept-tasks.js';
import { LaterWakes } from './later-wakes.js';
import { type Beginning, TaskRunner } from './task-runner.js';

export interface ActiveTasksParts {
  readonly settings: Settings;
  readonly log: TaskLog;
  readonly committer: Committer;
  readonly lease: Lease;
  readonly timers: LateTimers;
  report(error: A2AError, where: ErrorContext): void;
}

export interface NewTask {
  readonly ref: TaskRef;
  readonly contextId: string;
  readonly first: FirstTurn;
  /** The share of the call that starts the task. */
  readonly share: Share;
}

/** A place for the run that a message starts or continues. */
export interface Reservation {
  /** The task is not in memory: it has its own place as soon as it was woken. */
  readonly endsWithWake: boolean;
  /** Call it when the task has its own place, or when the message was refused. More calls have no effect. */
  end(): void;
}

/** The reason for which a task is looked up. */
interface Rousing {
  /** Called with the task if it runs here. */
  tell(active: TaskRunner): void;
  /** If the task runs on another node, notify that node that its inbox has a row. */
  readonly tellOwner?: boolean;
  readonly expires?: number;
  /** The share of the call that wakes the task. Default: that of the task's owner. */
  readonly share?: Share | undefined;
}

const NONE: Reservation = { endsWithWake: false, end: () => {} };
function isOf(ref: TaskRef, { agent, tenant, owner }: Scope): boolean {
  return ref.agent === agent && ref.tenant === tenant && ref.owner === owner;
}

export class ActiveTasks {
  readonly #parts: ActiveTasksParts;
  readonly #tasks = new ChurnMap<TaskRunner>();
  readonly #kept = new KeptTasks();
  readonly #places: RunPlaces;
  readonly #claims = new Map<string, Promise<void>>();
  readonly #later: LaterWakes;
  /** With `serialize: 'context'`: the last task of each context, which the next one waits for. */
  readonly #queues = new Map<string, Promise<void>>();
  #closed = false;
  #onIdle = (): void => {};

  constructor(parts: ActiveTasksParts) {
    this.#parts = parts;
    this.#places = new RunPlaces(runBounds(parts.settings));
    this.#later = new LaterWakes({ settings: parts.settings, lease: parts.lease, wake: (ref) => void this.wake(ref) });
  }

  /** The tasks that run now, oldest first. */
  list(): readonly RunningTask[] {
    return [...this.#tasks.values()]
      .filter(({ writer }) => !writer.hasEnded)
      .map(({ ref, contextId, attempt, since }) => ({
        taskId: ref.id,
        tenant: ref.tenant,
        owner: ref.owner,
        contextId,
        attempt,
        since,
      }));
  }

  writerOf(ref: TaskRef): TaskWriter | undefined {
    return this.#tasks.get(refKey(ref))?.writer;
  }

  /** Another node reports about this task: the seq of its log, or 0 for a new inbox row. */
  hear(ref: TaskRef, seq: number): void {
    const key = refKey(ref);
    const active = this.#tasks.get(key);
    active?.writer.hear(seq);
    if (seq !== 0) return;
    if (active) active.poke();
    else if (this.#kept.has(key)) void this.wake(ref);
  }

  /** The tasks of this node that the store has, running or kept. */
  *refs(): Generator<TaskRef, void, undefined> {
    for (const { ref, writer } of this.#tasks.values()) if (writer.committed > 0 && !writer.isLost) yield ref;
    yield* this.#kept.refs();
  }

  /** Whether the task runs on this node or is kept. */
  has(ref: TaskRef): boolean {
    const key = refKey(ref);
    return this.#tasks.has(key) || this.#kept.has(key);
  }

  /** The store's position of this task; undefined when the store does not have the task. */
  found(ref: TaskRef, position: TaskPosition | undefined): void {
    const key = refKey(ref);
    const active = this.#tasks.get(key);
    if (active) {
      // A run that has not created its task yet is not lost; its first commit may be in flight.
      if (position !== undefined || active.writer.committed > 0) active.found(position);
    } else if (this.#kept.hasNewRow(key, position)) void this.wake(ref);
  }

  /** Runs of this context that have not created their task yet. */
  refsIn({ agent, tenant, owner, contextId }: ContextRef): readonly TaskRef[] {
    return [...this.#tasks.values()]
      .filter(({ ref, writer, contextId: id }) => id === contextId && writer.committed === 0 && isOf(ref, { agent, tenant, owner }))
      .map(({ ref }) => ref);
  }

  /** The task was deleted: stops its run, and resolves when nothing of it is being written any more. False if it does not run here. */
  async forget(ref: TaskRef): Promise<boolean> {
    const key = refKey(ref);
    this.#kept.delete(key);
    this.#later.remove(ref);
    const active = this.#tasks.get(key);
    if (active === undefined) return false;
    active.writer.lose({ kind: 'missing' });
    await active.writer.settled();
    return true;
  }

  /** The lease has expired, and it is unknown whether this node still owns its tasks: they may already run on another node. */
  giveUp(cause: A2AError): void {
    for (const active of this.#tasks.values()) active.writer.lose({ kind: 'failed', cause });
  }

  /** Another process uses the name of this node: no task that runs here is ours any more, and any node may take it over. */
  disown(): void {
    for (const active of this.#tasks.values()) active.writer.lose({ kind: 'fenced' });
    this.#kept.clear();
  }

  /** Number of messages that wait for this task, if it runs here. */
  mailOf(ref: TaskRef): number {
    return this.#tasks.get(refKey(ref))?.inbox.size ?? 0;
  }

  /** How many more tasks may run. */
  get room(): number {
    return this.#closed ? 0 : Math.max(0, this.#parts.settings.maxRunningTasks - this.#places.running - this.#claims.size);
  }

  /** Throws when this caller, or all callers together, have too many running tasks for one more. */
  checkRoom(share: Share): void {
    this.checkOpen();
    this.#places.check(share);
  }

  /** Reserves a place for the run that a message to this task starts or continues. Throws when there is none. */
  reserve(ref: TaskRef, share: Share): Reservation {
    this.checkOpen();
    const active = this.#tasks.get(refKey(ref));
    if (active?.place.isBusy) return NONE; // its run has a place
    this.checkRoom(active?.place.share ?? share);
    if (active?.place.isWaiting) return { endsWithWake: false, end: active.place.expect() };
    const place = this.#places.take(share);
    return { endsWithWake: active === undefined, end: () => place.end() };
  }

  /** Throws when the agent is closing and starts no more turns. */
  checkOpen(): void {
    if (this.#closed) throw new A2AError('AGENT_UNAVAILABLE', 'the agent is shutting down', { retryAfterMs: 1_000 });
  }

  /** Starts a new task. It counts as running from now on, although nothing is stored before its first Task event (D16). */
  start({ ref, contextId, first, share }: NewTask): TaskRunner {
    this.checkRoom(share);
    if (this.#tasks.has(refKey(ref))) throw new A2AError('INTERNAL_ERROR', `the task id ${ref.id} is already in use`);
    const { request, attempt, key } = first;
    return this.#add({ ref, contextId, share }, { first: { request: withTaskIds(request, ref.id, contextId), attempt, key } });
  }

  /** A row was posted for this task: notify its owner, or become its owner. `share`: that of the call that posted the row. */
  wake(ref: TaskRef, share?: Share): Promise<void> {
    return this.#rouse(ref, { tell: (active) => active.poke(), tellOwner: true, share });
  }

  /** Claims a task that has no living owner. Returns false when another node was faster. */
  async takeOver(ref: TaskRef): Promise<boolean> {
    await this.#rouse(ref, { tell: (active) => active.poke() });
    const key = refKey(ref);
    return this.#tasks.has(key) || this.#kept.has(key);
  }

  /** Fails a task that has waited for its caller since before this time, unless a reply has just arrived. */
  expire(ref: TaskRef, before: number): Promise<void> {
    return this.#rouse(ref, { tell: (active) => void active.expire(before), tellOwner: true, expires: before });
  }

  /** Notifies the task if it runs here, without an await in between; otherwise claims it. */
  async #rouse(ref: TaskRef, why: Rousing): Promise<void> {
    const key = refKey(ref);
    // Re-check after every await, and do not await when there is no claim: two concurrent claims would run the task twice.
    for (let claim = this.#claims.get(key); claim; claim = this.#claims.get(key)) await claim;
    const active = this.#tasks.get(key);
    if (active) return why.tell(active);
    if (this.#closed) return this.#tellOwner(ref, why); // the row stays in the inbox for the current or the next owner
    const claiming = this.#claim(ref, why)
      .catch(() => this.#wakeLater(ref))
      .finally(() => this.#claims.delete(key));
    this.#claims.set(key, claiming);
    await claiming;
  }

  /** The posted row is accepted: if the store cannot be reached now, try again later. */
  #wakeLater(ref: TaskRef): void {
    if (!this.#closed) this.#later.add(ref);
  }

  /** Notifies an owner on another node. */
  #tellOwner(ref: TaskRef, { tellOwner }: Rousing): void {
    if (tellOwner) this.#parts.settings.bus.notify([{ ref, seq: 0 }]);
  }

  async #claim(ref: TaskRef, why: Rousing): Promise<void> {
    const { settings, log, lease } = this.#parts;
    const tell = (): void => this.#tellOwner(ref, why);
    if (!lease.isHeld) {
      await lease.hold().catch((error) => {
        tell(); // this node may own nothing, but another node may own the task
        throw error;
      });
    }
    if (!lease.mayTakeOver && (await this.#isOfAnother(ref))) {
      tell();
      return this.#wakeLater(ref); // the owner has not renewed its lease yet, and may be about to
    }
    const claimed = await log.store.claim(ref, settings.node);
    this.#later.remove(ref);
    this.#kept.delete(refKey(ref));
    if (claimed === 'owned') tell();
    else if (typeof claimed === 'object' && !this.#closed) {
      const { expires, share = shareOfCaller(ref.owner) } = why;
      this.#add({ ref, contextId: claimed.head.contextId, share }, { claimed, expires });
    }
  }

  async #isOfAnother(ref: TaskRef): Promise<boolean> {
    const { settings, log } = this.#parts;
    const { node = settings.node } = (await log.store.load(ref, 0)) ?? {};
    return node !== settings.node;
  }

  #add({ ref, contextId, share }: Omit<NewTask, 'first'>, from: Beginning): TaskRunner {
    const { settings, log, committer, timers, report } = this.#parts;
    const place = this.#places.take(share);
    const active = new TaskRunner({ settings, log, committer, timers, report, ref, contextId, loadTask: this.#loadTask, place, from });
    this.#tasks.set(refKey(ref), active);
    void this.#run(active, from.first !== undefined);
    return active;
  }

  async #run(active: TaskRunner, isNew: boolean): Promise<void> {
    if (isNew && this.#parts.settings.serialize === 'context') await this.#runInOrder(active);
    else await active.run();
    this.#tasks.delete(refKey(active.ref));
    if (active.isKept) this.#kept.add({ ref: active.ref, epoch: active.writer.epoch, seen: active.inbox.seen });
    if (active.writer.isFinal || active.writer.isLost) this.#parts.log.forget(active.ref);
    if (this.#tasks.size === 0) this.#onIdle();
    if (active.wasPoked) await this.wake(active.ref);
    else if (active.wantsRecovery) this.#wakeLater(active.ref);
    if (active.writer.failure && active.writer.committed === 0) this.#later.addUnsure(active.ref);
  }

  /** Runs the new tasks of a context one after another. */
  async #runInOrder(active: TaskRunner): Promise<void> {
    const context = refKey({ ...active.ref, id: active.contextId });
    const before = this.#queues.get(context);
    const run = (before ?? Promise.resolve()).then(() => active.run());
    this.#queues.set(context, run);
    await run;
    if (this.#queues.get(context) === run) this.#queues.delete(context);
  }

  readonly #loadTask: LoadTask = async ({ tenant, caller }, id) => {
    const current = await this.#parts.log.current({ agent: DEFAULT_AGENT, tenant, owner: caller.id, id });
    return current && lazyTask(current.text);
  };

  /** Accepts nothing new, waits `drainMs` for running tasks, then ends the others. */
  async close(drainMs: number): Promise<void> {
    this.#closed = true;
    this.#later.close();
    this.#kept.clear(); // another node takes them over when the lease of this node has ended
    if (this.#tasks.size === 0) return;
    await new Promise<void>((resolve) => {
      const endRest = (): void => {
        for (const active of this.#tasks.values()) void active.shutDown();
      };
      for (const active of this.#tasks.values()) active.drain();
      const stopClock = this.#parts.settings.clock.after(drainMs, endRest);
      const onIdle = (): void => {
        stopClock();
        resolve();
      };
      this.#onIdle = onIdle;
    });
  }
}

function runBounds(settings: Settings): RunBounds {
  return {
    running: { total: settings.maxRunningTasks, perCaller: settings.maxRunningTasksPerCaller },
    waiting: { total: settings.maxWaitingRuns, perCaller: settings.maxWaitingRunsPerCaller },
    waitingBytes: { total: settings.maxWaitingRunBytes, perCaller: settings.maxWaitingRunBytesPerCaller },
  };
}
