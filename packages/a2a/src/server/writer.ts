/**
 * The only writer of one task. Publishing checks against a small head, numbers, serialises and queues; the committer then
 * detaches the queue, folds it into the draft, commits it, and has exactly that batch told. Readers see committed state only.
 */
import { A2AError } from '../protocol/errors.js';
import { isInterrupted, isTerminal } from '../protocol/task-state.js';
import type { TaskState } from '../protocol/types.js';
import type { CommitAnswer, EntryKind, RequestKey, StoredTask, TaskHead, TaskRef, TaskWrite } from '../stores/store.js';
import type { Committer, Committing } from './committer.js';
import type { Note, TurnRequest } from './entries.js';
import { readThrown } from './failure.js';
import type { Hub } from './hub.js';
import { refused } from './ignorable.js';
import type { Settings } from './options.js';
import { append, type LogFacts, type LogHead, type Publication, type Queued, type StatusPublication } from './publication.js';
import { type CurrentTask, TaskView } from './task-view.js';
import { WaitingRoom } from './waiting-room.js';

/** What a unary caller waits for: that there is a Task, or that the turn stops. */
export type Awaits = 'task' | 'stop';

export interface WriterParts extends LogFacts {
  readonly settings: Pick<Settings, 'clock' | 'node' | 'maxEventBytes' | 'maxPendingEvents' | 'maxPendingBytes'>;
  readonly committer: Committer;
  readonly hub: Hub;
  /** A new task: the request that started it. */
  readonly first?: TurnRequest;
  /** Which attempt at that request it is. */
  readonly attempt?: number;
  /** The idempotent request that it is linked to when it is created. */
  readonly requestKey?: RequestKey | undefined;
  /** A task that was claimed from the store. */
  readonly stored?: StoredTask;
  /** The first commit is in: there is a Task now. */
  onCreated?(): void;
  /** The log is not ours any more, or the store failed: stop the run, write nothing. */
  onLost(error: A2AError): void;
}

interface InFlight {
  readonly write: TaskWrite;
  readonly head: TaskHead | undefined;
  /** Those who want the task as it is afterwards. */
  readonly waiters: ((current: CurrentTask | undefined) => void)[];
}

const DONE = Promise.resolve();

const stops = (state: TaskState): boolean => isTerminal(state) || isInterrupted(state);

export class TaskWriter implements Committing {
  readonly ref: TaskRef;
  readonly contextId: string;
  /** The newest seq that readers may see. */
  committed = 0;

  readonly #parts: WriterParts;
  readonly #epoch: number;
  readonly #room: WaitingRoom;
  // What was accepted: publish checks against this and never touches the whole task.
  readonly #accepted: LogHead = { seq: 0, state: undefined, statusAt: 0, statusSeq: 0, artifacts: new Set() };
  #queue: Queued[] = [];
  #queuedBytes = 0;
  #release = false;
  // What was committed, except while a commit is under way.
  readonly #view: TaskView;
  #inFlight: InFlight | undefined;
  #flushes: { readonly seq: number; resolve(): void; reject(error: A2AError): void }[] = [];
  #fault: A2AError | undefined;
  #lost = false;
  #heard = 0;
  #failure: A2AError | undefined;
  readonly #awaited: Record<Awaits, number> = { task: 0, stop: 0 };

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.ref = parts.ref;
    this.contextId = parts.contextId;
    this.#epoch = parts.stored?.epoch ?? 1;
    this.#room = new WaitingRoom();
    this.#view = new TaskView(parts.stored);
    if (parts.stored) this.#restore(parts.stored);
  }

  #restore({ seq, head }: StoredTask): void {
    const { state, statusAt, statusSeq } = head;
    Object.assign(this.#accepted, { seq, state, statusAt, statusSeq });
    for (const id of this.#view.artifactIds) this.#accepted.artifacts.add(id);
    this.committed = seq;
  }

  /** The state after everything accepted; undefined while there is no Task. */
  get state(): TaskState | undefined {
    return this.#accepted.state;
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

  /** Resolves when accepted in order; waits while too much is pending. */
  publish(publication: Publication): Promise<void> {
    if (this.#hasRoom() && this.#room.isEmpty) return this.accept(publication);
    if (this.#fault) return refused(this.#fault);
    this.#parts.committer.add(this, true);
    return this.#room.wait(() => this.accept(publication));
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
      return this.breakWith(readThrown(error).error);
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
    const first = this.#parts.first;
    // A new task's log begins with what its caller put in (D1).
    if (publication.kind === 'task' && first && this.#accepted.seq === 0) {
      this.#enqueue({ kind: 'input', request: first, as: 'turn', attempt: this.#parts.attempt }, maxBytes);
    }
    const kind = this.#enqueue(publication, maxBytes);
    this.#parts.committer.add(this, this.#isUrgent(kind));
  }

  #enqueue(publication: Publication, maxBytes: number): EntryKind {
    const queued = append(publication, this.#accepted, this.#parts, maxBytes);
    this.#queue.push(queued);
    this.#queuedBytes += queued.entry.json.length;
    return queued.entry.kind;
  }

  /** A commit that would release somebody who waits does not wait for company. */
  #isUrgent(kind: EntryKind): boolean {
    if (kind === 'artifact' || kind === 'input') return false;
    if (this.#awaited.task > 0) return kind === 'task';
    const { state } = this.#accepted;
    return this.#awaited.stop > 0 && (kind === 'note' || (state !== undefined && stops(state)));
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
    if (!this.isFinal && !this.#lost) this.#admit({ kind: 'status', ...end }, Number.POSITIVE_INFINITY); // an end is never too large
    await this.#committed();
  }

  /** Resolves when no publish waits for room any more, let in or sent away. */
  async entered(): Promise<void> {
    await this.#room.last().catch(() => {});
  }

  /** Resolves when all that was accepted so far is committed; rejects if something was refused. */
  async flush(): Promise<void> {
    await this.#room.last();
    await this.#committed();
    if (this.#fault) throw this.#fault;
  }

  async #committed(): Promise<void> {
    if (this.#lost) throw this.#fault;
    if (this.#accepted.seq <= this.committed) return;
    await new Promise<void>((resolve, reject) => {
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
    const last = this.#queue.at(-1)?.entry;
    if (last === undefined || this.#lost) return undefined;
    const queue = this.#queue;
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#view.fold(queue);
    const head = this.#accepted.statusSeq > this.committed ? this.#toHead() : undefined;
    const write = this.#toWrite(queue, last.seq, head);
    this.#inFlight = { write, head, waiters: [] };
    return write;
  }

  #toHead(): TaskHead {
    const { state = 'TASK_STATE_SUBMITTED', statusAt, statusSeq } = this.#accepted;
    return { contextId: this.contextId, state, statusAt, statusSeq };
  }

  #toWrite(queue: readonly Queued[], lastSeq: number, head: TaskHead | undefined): TaskWrite {
    const first = this.committed === 0 ? this.#parts.first : undefined;
    const { requestKey } = this.#parts;
    const take = queue.flatMap(({ take, entry }) => (take === undefined ? [] : [{ n: take, seq: entry.seq }]));
    const isDue = first || (head && stops(head.state)) || this.#release || this.#view.hasOutgrownSnapshot(lastSeq);
    const snapshot = isDue ? this.#view.textAt(lastSeq) : undefined;
    return {
      ref: this.ref,
      epoch: this.#epoch,
      firstSeq: this.committed + 1,
      entries: queue.map(({ entry }) => entry),
      ...(first && { create: { node: this.#parts.settings.node, ...(requestKey && { request: requestKey }) } }),
      ...(head && { head }),
      ...(snapshot && { snapshot }),
      ...(take.length > 0 && { take }),
      ...(this.#release && { release: true }),
      ...((first || take.length > 0 || (head && isTerminal(head.state))) && { durable: true }),
    };
  }

  /** For the committer: how the write went. */
  settle(answer: CommitAnswer): void {
    const inFlight = this.#inFlight;
    this.#inFlight = undefined;
    if (answer.kind !== 'ok') this.#lose(answer);
    else if (inFlight) this.#confirm(inFlight);
    if (inFlight === undefined || inFlight.waiters.length === 0) return;
    // Handed over here: by the time they look, the next commit may be under way.
    const current = this.currentNow();
    for (const resolve of inFlight.waiters) resolve(current);
  }

  #confirm({ write, head }: InFlight): void {
    this.committed = write.entries.at(-1)?.seq ?? this.committed;
    this.#view.confirm(this.committed, head, write.snapshot !== undefined);
    this.#parts.hub.tell(this.ref, write.entries);
    if (write.create) this.#parts.onCreated?.();
    const reached = this.#flushes.filter((flush) => flush.seq <= this.committed);
    this.#flushes = this.#flushes.filter((flush) => flush.seq > this.committed);
    for (const flush of reached) flush.resolve();
    if (this.isFinal && !this.#room.isEmpty) this.#room.empty(this.#over());
    this.#room.open(this.#hasRoom);
  }

  #lose(answer: Exclude<CommitAnswer, { readonly kind: 'ok' }>): void {
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
    const waiters = this.#inFlight?.waiters;
    return waiters ? new Promise((resolve) => waiters.push(resolve)) : this.currentNow();
  }

  /** The same when no commit is under way. */
  currentNow(): CurrentTask | undefined {
    return this.#lost || this.#inFlight || this.#heard > this.committed ? undefined : this.#view.at(this.committed);
  }
}
