/**
 * The only writer of one task. Publishing checks against a small head, numbers, serialises and queues; the committer then
 * detaches the queue, folds it into the draft, commits it, and has exactly that batch told. Readers see committed state only.
 */
import { A2AError } from '../protocol/errors.js';
import { isTerminal } from '../protocol/task-state.js';
import type { TaskState, TaskStatus } from '../protocol/types.js';
import {
  type CommitAnswer,
  type Entry,
  type RequestKey,
  refKey,
  type StoredTask,
  type TaskHead,
  type TaskRef,
  type TaskWrite,
} from '../stores/store.js';
import { CommitTurn, type Committer, type Committing } from './committer.js';
import type { Note, TurnRequest } from './entries.js';
import { readThrown } from './failure.js';
import type { Hub } from './hub.js';
import { refused } from './ignorable.js';
import { LogHead, type Queued } from './log-head.js';
import type { Settings } from './options.js';
import { type Publication, type StatusPublication, stops, stopsTurn } from './publication.js';
import { type CurrentTask, TaskView } from './task-view.js';
import { WaitingRoom } from './waiting-room.js';

/** What a unary caller waits for: that there is a Task, or that the turn stops. */
export type Awaits = 'task' | 'stop';

export interface WriterParts {
  readonly ref: TaskRef;
  readonly contextId: string;
  readonly settings: Pick<Settings, 'card' | 'clock' | 'node' | 'maxEventBytes' | 'maxPendingEvents' | 'maxPendingBytes'>;
  readonly committer: Committer;
  readonly hub: Hub;
  /** A new task: the request that started it. */
  readonly first?: TurnRequest | undefined;
  /** How often that was tried: above 1 when an earlier run died before there was a Task. */
  readonly attempt?: number | undefined;
  /** The idempotent request that it is linked to when it is created. */
  readonly requestKey?: RequestKey | undefined;
  /** A task that was claimed from the store. */
  readonly stored?: StoredTask;
  /** The first commit is in: there is a Task now. */
  onCreated?(): void;
  /** The log is not ours any more, or the store failed: stop the run, write nothing. */
  onLost(error: A2AError): void;
}

/** Somebody who waits until this much is committed. */
interface Flush {
  readonly seq: number;
  resolve(): void;
  reject(error: A2AError): void;
}

type Taken = NonNullable<TaskWrite['take']>[number];

const DONE = Promise.resolve();
const NO_MORE: readonly Publication[] = [];

export class TaskWriter implements Committing {
  readonly ref: TaskRef;
  readonly contextId: string;
  readonly turn = new CommitTurn();
  /** The newest seq that readers may see. */
  committed = 0;

  readonly #parts: WriterParts;
  readonly #epoch: number;
  readonly #key: string;
  readonly #room: WaitingRoom;
  // What was accepted: publish checks against this and never touches the whole task.
  readonly #accepted: LogHead;
  #queue: Queued[] = [];
  #queuedBytes = 0;
  #takes = false;
  #release = false;
  // What was committed, except while a commit is under way.
  readonly #view: TaskView;
  #inFlight: TaskWrite | undefined;
  /** Those who want the task as it is after the commit under way. */
  #onlookers: ((current: CurrentTask | undefined) => void)[] | undefined;
  /** In the order of their seqs. */
  readonly #flushes: Flush[] = [];
  #fault: A2AError | undefined;
  #lost = false;
  #heard = 0;
  #failure: A2AError | undefined;
  readonly #awaited: Record<Awaits, number> = { task: 0, stop: 0 };

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.ref = parts.ref;
    this.contextId = parts.contextId;
    this.#key = refKey(parts.ref);
    this.#epoch = parts.stored?.epoch ?? 1;
    this.#room = new WaitingRoom();
    this.#accepted = new LogHead(parts.ref, parts.contextId, parts.settings);
    this.#view = new TaskView(parts.stored, this.#accepted.text);
    if (parts.stored) this.#restore(parts.stored);
  }

  #restore(stored: StoredTask): void {
    this.#accepted.restore(stored);
    for (const id of this.#view.artifactIds) this.#accepted.artifacts.add(id);
    this.committed = stored.seq;
  }

  /** The state after everything accepted; undefined while there is no Task. */
  get state(): TaskState | undefined {
    return this.#accepted.state;
  }

  /** Since when it is in that state. */
  get statusAt(): number {
    return this.#accepted.statusAt;
  }

  /** The newest status of which the commit has begun. */
  get status(): TaskStatus | undefined {
    return this.#view.status;
  }

  /** As granted: above it, somebody else writes the task. */
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

  /** Accepting a caller's message and ending a task are promises (D7). */
  get isDurable(): boolean {
    return this.committed === 0 || this.#takes || this.isFinal;
  }

  /** The end is committed. */
  get hasEnded(): boolean {
    const { head } = this.#view;
    return head !== undefined && isTerminal(head.state);
  }

  /** The first thing that went wrong: an illegal event, a lost log. Every later publish is refused with it. */
  get fault(): A2AError | undefined {
    return this.#fault;
  }

  /** The log is no longer ours. */
  get isLost(): boolean {
    return this.#lost;
  }

  /** The store failed: nobody can follow the task through here. One that another node took over can still be followed. */
  get failure(): A2AError | undefined {
    return this.#failure;
  }

  hasArtifact(id: string): boolean {
    return this.#accepted.artifacts.has(id);
  }

  /** An illegal event fails the run, whether or not the executor looks. */
  breakWith(error: A2AError): Promise<never> {
    this.#fault ??= error;
    this.#room.empty(this.#fault);
    return refused(this.#fault);
  }

  /** Sends the publishes away that wait for room. */
  dismiss(error: A2AError): void {
    this.#room.empty(error);
  }

  /** Resolves when accepted in order; waits while too much is pending. `rest` is accepted with the first, so that one commit has all. */
  publish(first: Publication, rest = NO_MORE): Promise<void> {
    if (this.#hasRoom() && this.#room.isEmpty) return this.#acceptAll(first, rest);
    if (this.#fault) return refused(this.#fault);
    this.#parts.committer.add(this, true);
    return this.#room.wait(() => this.#acceptAll(first, rest));
  }

  #acceptAll(first: Publication, rest: readonly Publication[]): Promise<void> {
    let last = this.accept(first);
    for (const publication of rest) last = this.accept(publication);
    return last;
  }

  readonly #hasRoom = (): boolean => {
    const { maxPendingEvents, maxPendingBytes } = this.#parts.settings;
    return this.#queue.length < maxPendingEvents && this.#queuedBytes < maxPendingBytes;
  };

  /** The same, never held back: for ends, cancels and what callers put in. */
  accept(publication: Publication): Promise<void> {
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
    return new A2AError('INVALID_AGENT_RESPONSE', `task ${this.ref.id} has ended: nothing can change it`);
  }

  /** What holds a caller's message is bounded by the body that brought it (D21). */
  #maxBytesOf({ kind }: Publication): number {
    return kind === 'status' || kind === 'artifact' ? this.#parts.settings.maxEventBytes : Number.POSITIVE_INFINITY;
  }

  #admit(publication: Publication, maxBytes: number): void {
    const { first, attempt } = this.#parts;
    // A new task's log begins with what its caller put in (D1).
    if (publication.kind === 'task' && first && this.#accepted.seq === 0) {
      this.#enqueue({ kind: 'input', request: first, as: 'turn', attempt, provisional: publication.provisional }, maxBytes);
    }
    this.#enqueue(publication, maxBytes);
    this.#parts.committer.add(this, this.#isUrgent(publication));
  }

  #enqueue(publication: Publication, maxBytes: number): void {
    const queued = this.#accepted.append(publication, maxBytes);
    this.#queue.push(queued);
    this.#queuedBytes += queued.entry.json.length;
    this.#takes ||= queued.take !== undefined;
  }

  /** A commit that would release somebody who waits does not wait for company. */
  #isUrgent(publication: Publication): boolean {
    if (this.#awaited.task > 0) return publication.kind === 'task';
    return this.#awaited.stop > 0 && stopsTurn(publication);
  }

  /** A unary caller waits; the returned function, called once, says that it does no more. */
  hurry(awaits: Awaits): () => void {
    this.#awaited[awaits] += 1;
    return () => {
      this.#awaited[awaits] -= 1;
    };
  }

  /** Ends the task, whatever else went wrong, unless it has ended or is not ours; resolves when the end is committed. */
  async end(end: Omit<StatusPublication, 'kind'>): Promise<void> {
    const { state, message, metadata, row } = end;
    // An end is never too large.
    if (!this.isFinal && !this.#lost) this.#admit({ kind: 'status', state, message, metadata, row }, Number.POSITIVE_INFINITY);
    await this.#committed();
  }

  /** Resolves when no publish waits for room any more, let in or sent away. */
  async entered(): Promise<void> {
    await this.#room.last().catch(() => {});
  }

  /** Resolves when all that was accepted so far is committed; rejects if something was refused. */
  async flush(): Promise<void> {
    if (!this.#room.isEmpty) await this.#room.last();
    await this.#committed();
    if (this.#fault) throw this.#fault;
  }

  #committed(): Promise<void> {
    if (this.#lost) return Promise.reject(this.#fault);
    if (this.#accepted.seq <= this.committed) return DONE;
    return new Promise<void>((resolve, reject) => {
      this.#flushes.push({ seq: this.#accepted.seq, resolve, reject });
      this.#parts.committer.add(this, true);
    });
  }

  /** Notes that a turn is over or that the task is parked; with `release` nobody owns it until the next message. */
  async rest(note: Note, release: boolean): Promise<void> {
    this.#release = release;
    await this.accept({ kind: 'note', note });
    await this.flush();
  }

  /** For the committer: everything accepted since the last commit, as one write. */
  detach(): TaskWrite | undefined {
    const queue = this.#queue;
    if (queue.length === 0 || this.#lost) return undefined;
    const { isDurable } = this;
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#takes = false;
    const entries: Entry[] = [];
    let take: Taken[] | undefined;
    for (const queued of queue) {
      entries.push(queued.entry);
      if (queued.event !== undefined) this.#view.fold(queued.event);
      if (queued.take !== undefined) take = [...(take ?? []), { n: queued.take, seq: queued.entry.seq }];
    }
    this.#inFlight = this.#toWrite(entries, take, isDurable);
    return this.#inFlight;
  }

  #toWrite(entries: readonly Entry[], take: readonly Taken[] | undefined, durable: boolean): TaskWrite {
    const { seq } = this.#accepted;
    const isNew = this.committed === 0 && this.#parts.first !== undefined;
    const head = this.#accepted.statusSeq > this.committed ? this.#toHead() : undefined;
    const hasStopped = head !== undefined && stops(head.state);
    const isDue = isNew || hasStopped || this.#release || this.#view.hasOutgrownSnapshot(seq);
    return {
      ref: this.ref,
      epoch: this.#epoch,
      firstSeq: this.committed + 1,
      entries,
      create: isNew ? { node: this.#parts.settings.node, request: this.#parts.requestKey } : undefined,
      head,
      snapshot: isDue ? this.#view.textAt(seq) : undefined,
      take,
      release: this.#release,
      durable,
    };
  }

  #toHead(): TaskHead {
    const { state = 'TASK_STATE_SUBMITTED', statusAt, statusSeq } = this.#accepted;
    return { contextId: this.contextId, state, statusAt, statusSeq };
  }

  /** For the committer: how the write went. */
  settle(answer: CommitAnswer): void {
    const write = this.#inFlight;
    const onlookers = this.#onlookers;
    this.#inFlight = undefined;
    this.#onlookers = undefined;
    if (answer.kind !== 'ok') this.lose(answer);
    else if (write) this.#confirm(write);
    if (onlookers === undefined) return;
    // Handed over here: by the time they look, the next commit may be under way.
    const current = this.currentNow();
    for (const resolve of onlookers) resolve(current);
  }

  #confirm({ entries, head, snapshot, create }: TaskWrite): void {
    this.committed += entries.length;
    this.#view.confirm(this.committed, head, snapshot !== undefined);
    this.#parts.hub.tell(this.#key, entries);
    if (create) this.#parts.onCreated?.();
    for (let next = this.#flushes[0]; next && next.seq <= this.committed; next = this.#flushes[0]) {
      this.#flushes.shift();
      next.resolve();
    }
    if (this.#room.isEmpty) return;
    if (this.isFinal) this.#room.empty(this.#over());
    this.#room.open(this.#hasRoom);
  }

  /** The log is not ours any more, or nobody knows whether it is: nothing more is written. Also said by who learned it otherwise. */
  lose(answer: Exclude<CommitAnswer, { readonly kind: 'ok' }>): void {
    if (this.#lost || this.hasEnded) return;
    const cause = answer.kind === 'failed' ? answer.cause : new Error(`the store answered: ${answer.kind}`);
    const error = new A2AError('AGENT_UNAVAILABLE', 'the task cannot be written at the moment', { cause, retryAfterMs: 1_000 });
    this.#lost = true;
    this.#fault = error;
    this.#queue = [];
    this.#room.empty(error);
    for (const flush of this.#flushes.splice(0)) flush.reject(error);
    if (answer.kind === 'failed') this.#failure = error;
    if (this.#failure) this.#parts.hub.lost(this.ref, this.#failure);
    else this.#parts.hub.moved(this.ref, this.committed + 1);
    this.#parts.onLost(error);
  }

  /** The log is said to be so far: while that is further than we wrote, the store knows better, and readers are sent there. */
  hear(seq: number): void {
    this.#heard = Math.max(this.#heard, seq);
  }

  /** The task as committed; undefined while there is none, or when the log is not ours. */
  async current(): Promise<CurrentTask | undefined> {
    if (this.#inFlight === undefined) return this.currentNow();
    this.#onlookers ??= [];
    const onlookers = this.#onlookers;
    return new Promise((resolve) => onlookers.push(resolve));
  }

  /** The same when no commit is under way. */
  currentNow(): CurrentTask | undefined {
    return this.#lost || this.#inFlight || this.#heard > this.committed ? undefined : this.#view.at(this.committed);
  }
}
