/**
 * The only writer of one task. `publish` checks an event against a small head, numbers, serializes and queues it. The committer then
 * detaches the queue, folds it into the draft, commits it, and announces exactly that batch. Readers see committed state only.
 */

import { refused } from '../../platform/ignorable.js';
import { A2AError } from '../../protocol/errors.js';
import { isTerminal } from '../../protocol/task-state.js';
import type { TaskState, TaskStatus } from '../../protocol/types.js';
import { type CommitResult, refKey, type StoredTask, type TaskRef, type TaskWrite } from '../../stores/store.js';
import { readThrown } from '../failure.js';
import type { Settings } from '../options.js';
import { CommitTurn, type Committer, type Committing, type Refusal, toLoss } from './committer.js';
import { type FirstTurn, type Note, type Publication, type StatusPublication, stops } from './entries.js';
import type { Hub } from './hub.js';
import { LogHead, type Queued } from './log-head.js';
import { AwaitedEvents, type Awaits, type Detached, DONE, Flushes, PendingEntries, WaitingPublishes } from './pending.js';
import { charsOf, endsTask, TaskLimit } from './task-limit.js';
import type { TaskSize } from './task-size.js';
import { type CurrentTask, TaskView } from './task-view.js';

export interface WriterParts {
  readonly ref: TaskRef;
  readonly contextId: string;
  readonly settings: Pick<Settings, 'card' | 'clock' | 'node' | 'maxEventBytes' | 'maxTaskBytes' | 'maxPendingEvents' | 'maxPendingBytes'>;
  readonly committer: Committer;
  readonly hub: Hub;
  readonly first?: FirstTurn | undefined;
  /** A task that was claimed from the store. */
  readonly stored?: StoredTask;
  /** The first commit has succeeded: the Task exists. */
  onCreated?(): void;
  /** An accepted event has changed the state of the task. */
  onState?(): void;
  /** The task was lost to another node, or the store failed: stop the run, write nothing. */
  onLost(error: A2AError): void;
}

const NO_MORE: readonly Publication[] = [];
export class TaskWriter implements Committing {
  readonly ref: TaskRef;
  readonly contextId: string;
  readonly turn = new CommitTurn();
  /** The newest seq that readers may see. */
  committed = 0;
  /** The length of the stored task and of all entries since then: about what the task holds in memory. */
  chars = 0;

  readonly #parts: WriterParts;
  readonly #epoch: number;
  readonly #key: string;
  readonly #waiting = new WaitingPublishes();
  // State after all accepted events: `publish` checks against it and never touches the whole task.
  readonly #accepted: LogHead;
  readonly #limit: TaskLimit;
  readonly #pending: PendingEntries;
  #release = false;
  // The committed state, except while a commit is in flight.
  readonly #view: TaskView;
  #inFlight: TaskWrite | undefined;
  /** Callers that wait for the task as of the commit in flight. */
  #onlookers: ((current: CurrentTask | undefined) => void)[] | undefined;
  readonly #flushes = new Flushes();
  #fault: A2AError | undefined;
  #lost = false;
  #heard = 0;
  #failure: A2AError | undefined;
  readonly #awaited = new AwaitedEvents();

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.ref = parts.ref;
    this.contextId = parts.contextId;
    this.#key = refKey(parts.ref);
    this.#epoch = parts.stored?.epoch ?? 1;
    this.#pending = new PendingEntries(parts.settings);
    const { clock, node, maxTaskBytes } = parts.settings;
    this.#limit = new TaskLimit(maxTaskBytes, () => this.#measure());
    this.#accepted = new LogHead(parts.ref, parts.contextId, { clock, node, limit: this.#limit });
    this.#view = new TaskView(parts.stored, this.#accepted.text);
    if (parts.stored) this.#restore(parts.stored);
  }

  #restore(stored: StoredTask): void {
    this.#accepted.restore(stored);
    this.#limit.restore(stored);
    for (const id of this.#view.artifactIds) this.#accepted.artifacts.add(id);
    this.committed = stored.seq;
    this.chars = stored.snapshot.historyBytes + charsOf(stored);
  }

  /** The size with all accepted events. */
  #measure(): TaskSize {
    const size = this.#view.size(this.ref.id, this.contextId);
    for (const event of this.#pending.events) size.add(event);
    return size;
  }

  /** The state after everything accepted; undefined while there is no Task. */
  get state(): TaskState | undefined {
    return this.#accepted.state;
  }

  /** When it entered that state. */
  get statusAt(): number {
    return this.#accepted.statusAt;
  }

  /** The newest status whose commit has begun. */
  get status(): TaskStatus | undefined {
    return this.#view.status;
  }

  /** The epoch that the claim granted. A higher epoch in the store means that another node owns the task. */
  get epoch(): number {
    return this.#epoch;
  }

  /** The newest seq that was accepted. */
  get seq(): number {
    return this.#accepted.seq;
  }

  get exists(): boolean {
    return this.#accepted.state !== undefined;
  }

  get isFinal(): boolean {
    return this.#accepted.state !== undefined && isTerminal(this.#accepted.state);
  }

  /** An accepted message and a final state must survive a crash (D7). */
  get isDurable(): boolean {
    return this.committed === 0 || this.#pending.takes || this.isFinal;
  }

  /** The final state is committed. */
  get hasEnded(): boolean {
    const { head } = this.#view;
    return head !== undefined && isTerminal(head.state);
  }

  /** The first error: an illegal event or a lost log. Every later publish is refused with it. */
  get fault(): A2AError | undefined {
    return this.#fault;
  }

  /** This node no longer owns the task, or does not know whether it does. */
  get isLost(): boolean {
    return this.#lost;
  }

  /** The store failed, so the task cannot be followed through this node. A task that another node took over can still be followed. */
  get failure(): A2AError | undefined {
    return this.#failure;
  }

  hasArtifact(id: string): boolean {
    return this.#accepted.artifacts.has(id);
  }

  /** An illegal event fails the run, whether or not the executor checks the rejection. */
  breakWith(error: A2AError): Promise<never> {
    this.#fault ??= error;
    this.#waiting.refuse(this.#fault);
    return refused(this.#fault);
  }

  /** Rejects the publishes that wait for room. */
  dismiss(error: A2AError): void {
    this.#waiting.refuse(error);
  }

  /**
   * Resolves when accepted in order; waits while too much is pending. `rest` is accepted together with the first, so that one commit has
   * all.
   */
  publish(first: Publication, rest = NO_MORE): Promise<void> {
    if (this.#pending.hasRoom && this.#waiting.isEmpty) return this.#acceptAll(first, rest);
    if (this.#fault) return refused(this.#fault);
    this.#parts.committer.add(this, true);
    return this.#waiting.wait(() => this.#acceptAll(first, rest));
  }

  #acceptAll(first: Publication, rest: readonly Publication[]): Promise<void> {
    let last = this.accept(first);
    for (const publication of rest) last = this.accept(publication);
    return last;
  }

  /** Publishes without back-pressure: for final states, cancels and callers' input. */
  accept(publication: Publication): Promise<void> {
    // An executor whose event did not fit into the task can still end the task.
    if (this.#limit.isFull && endsTask(publication) && !this.#lost) this.#fault = undefined;
    if (this.#fault) return refused(this.#fault);
    if (this.isFinal) return refused(this.#over());
    try {
      this.#admit(publication, this.#maxBytesOf(publication));
      return DONE;
    } catch (error) {
      return this.breakWith(readThrown(error, this.#parts.settings.card.name).error);
    }
  }

  #over(): A2AError {
    return new A2AError('INVALID_AGENT_RESPONSE', `task ${this.ref.id} has ended and cannot change any more`);
  }

  /** Entries with a caller's message are limited by the request body that brought it (D21). */
  #maxBytesOf({ kind }: Publication): number {
    return kind === 'status' || kind === 'artifact' ? this.#parts.settings.maxEventBytes : Number.POSITIVE_INFINITY;
  }

  #admit(publication: Publication, maxBytes: number): void {
    const { first } = this.#parts;
    const { state } = this.#accepted;
    // The log of a new task begins with its caller's input (D1).
    if (publication.kind === 'task' && first && this.#accepted.seq === 0) {
      const { request, attempt } = first;
      const input = { kind: 'input', request, as: 'turn', attempt, provisional: publication.provisional } as const;
      for (const queued of this.#accepted.appendFirst(input, publication, maxBytes)) this.#enqueue(queued);
    } else this.#enqueue(this.#accepted.append(publication, maxBytes));
    if (this.#accepted.state !== state) this.#parts.onState?.();
    this.#parts.committer.add(this, this.#awaited.includes(publication));
  }

  #enqueue(queued: Queued): void {
    this.#pending.add(queued);
    this.chars += queued.entry.json.length;
  }

  /** Registers a waiting unary caller: the commit of its event is not delayed. Call the returned function once when it no longer waits. */
  expedite(awaits: Awaits): () => void {
    return this.#awaited.enter(awaits);
  }

  /** Ends the task despite earlier errors, unless it has ended or is not ours. Resolves when the final state is committed. */
  async end(end: Omit<StatusPublication, 'kind'>): Promise<void> {
    const { state, message, metadata, row } = end;
    // No size limit for a final state.
    if (!this.isFinal && !this.#lost) this.#admit({ kind: 'status', state, message, metadata, row }, Number.POSITIVE_INFINITY);
    await this.#whenCommitted(false);
  }

  /** Publishes wait for room, or accepted events are not committed yet. */
  get hasUncommitted(): boolean {
    return !this.#waiting.isEmpty || this.#accepted.seq > this.committed;
  }

  /** Resolves when no publish waits for room any more: all were accepted or rejected. */
  entered(): Promise<void> {
    return this.#waiting.last().catch(() => {});
  }

  /** Resolves when all events accepted so far are committed; rejects if one was refused. */
  flush(): Promise<void> {
    return this.#waiting.isEmpty ? this.#whenCommitted(true) : this.#waiting.last().then(() => this.#whenCommitted(true));
  }

  /** `isStrict`: rejects also if an event was refused. */
  #whenCommitted(isStrict: boolean): Promise<void> {
    if (this.#lost) return Promise.reject(this.#fault);
    if (this.#accepted.seq <= this.committed) return isStrict && this.#fault !== undefined ? Promise.reject(this.#fault) : DONE;
    const committed = this.#flushes.wait(this.#accepted.seq, isStrict);
    this.#parts.committer.add(this, true);
    return committed;
  }

  /** Writes that a turn is over or that the task is parked. With `release`, no node owns the task until the next message. */
  async rest(note: Note, release: boolean): Promise<void> {
    this.#release = release;
    await this.accept({ kind: 'note', note });
    await this.flush();
  }

  /** For the committer: everything accepted since the last commit, as one write. */
  detach(): TaskWrite | undefined {
    if (this.#lost) return undefined;
    const { isDurable } = this;
    const detached = this.#pending.takeAll();
    if (detached.entries.length === 0) return undefined;
    for (const event of detached.events) this.#view.fold(event);
    this.#inFlight = this.#toWrite(detached, isDurable);
    return this.#inFlight;
  }

  #toWrite({ entries, take }: Detached, durable: boolean): TaskWrite {
    const { seq } = this.#accepted;
    const isNew = this.committed === 0 && this.#parts.first !== undefined;
    const head = this.#accepted.statusSeq > this.committed ? this.#accepted.toHead() : undefined;
    const hasStopped = head !== undefined && stops(head.state);
    const isDue = isNew || hasStopped || this.#release || this.#view.hasOutgrownSnapshot(seq);
    return {
      ref: this.ref,
      epoch: this.#epoch,
      firstSeq: this.committed + 1,
      entries,
      create: isNew ? { node: this.#parts.settings.node, request: this.#parts.first?.key } : undefined,
      head,
      snapshot: isDue ? this.#view.snapshot() : undefined,
      take,
      release: this.#release,
      durable,
    };
  }

  /** For the committer: the result of the write. */
  settle(answer: CommitResult): void {
    const write = this.#inFlight;
    const onlookers = this.#onlookers;
    this.#inFlight = undefined;
    this.#onlookers = undefined;
    if (answer.kind !== 'ok') this.lose(answer);
    else if (write) this.#confirm(write);
    if (onlookers === undefined) return;
    // Resolved with this value, because the next commit may be in flight when they continue.
    const current = this.currentNow();
    for (const resolve of onlookers) resolve(current);
  }

  #confirm({ entries, head, snapshot, create }: TaskWrite): void {
    this.committed += entries.length;
    this.#view.confirm(this.committed, head, snapshot);
    this.#parts.hub.tell(this.#key, entries);
    if (create) this.#parts.onCreated?.();
    this.#flushes.settle(this.committed, this.#fault);
    if (this.#waiting.isEmpty) return;
    if (this.isFinal) this.#waiting.refuse(this.#over());
    this.#waiting.admit(this.#pending);
  }

  /**
   * Stops all writing, because this node no longer owns the log or does not know whether it does. Also called when this was found without a
   * commit.
   */
  lose(answer: Refusal): void {
    if (this.#lost || this.hasEnded) return;
    const error = toLoss(answer, this.ref);
    this.#lost = true;
    this.#fault = error;
    this.#pending.takeAll();
    this.#waiting.refuse(error);
    this.#flushes.reject(error);
    if (answer.kind === 'failed') this.#failure = error;
    if (this.#failure) this.#parts.hub.lost(this.ref, this.#failure);
    else this.#parts.hub.moved(this.ref, this.committed + 1);
    this.#parts.onLost(error);
  }

  /** Resolves when no commit of this task is in flight. */
  async settled(): Promise<void> {
    if (this.#inFlight !== undefined) await this.current();
  }

  /** Another node reported this seq. While it is ahead of ours, `currentNow` is undefined, so that readers go to the store. */
  hear(seq: number): void {
    this.#heard = Math.max(this.#heard, seq);
  }

  /** The task as committed; undefined while none exists, or when the log is not ours. */
  async current(): Promise<CurrentTask | undefined> {
    if (this.#inFlight === undefined) return this.currentNow();
    this.#onlookers ??= [];
    const onlookers = this.#onlookers;
    return new Promise((resolve) => onlookers.push(resolve));
  }

  /** The same, without waiting; undefined while a commit is in flight. */
  currentNow(): CurrentTask | undefined {
    return this.#isBehind ? undefined : this.#view.at(this.committed);
  }

  /** The same without artifacts. */
  currentWithoutArtifacts(): CurrentTask | undefined {
    return this.#isBehind ? undefined : this.#view.withoutArtifactsAt(this.committed);
  }

  get #isBehind(): boolean {
    return this.#lost || this.#inFlight !== undefined || this.#heard > this.committed;
  }
}
