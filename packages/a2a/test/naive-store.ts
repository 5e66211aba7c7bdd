/** The store contract in its simplest form: arrays, filters and sorts. Fast stores are compared with this reference. */
import { A2AError } from '../src/protocol/errors.js';
import { isInterrupted } from '../src/protocol/task-state.js';
import { pageBytesOf } from '../src/stores/page-bytes.js';
import type {
  BegunRequest,
  CommitResult,
  ContextRef,
  Entry,
  InboxRow,
  ListQuery,
  RequestKey,
  Retention,
  Scope,
  StoredTask,
  TaskPosition,
  TaskRef,
  TaskStore,
  TaskWrite,
} from '../src/stores/store.js';
import { isAnswered, NaiveRequests } from './naive-requests.js';
import {
  addSnapshot,
  compact,
  complaint,
  complaintAboutNew,
  isFinal,
  lengthOf,
  messagesOf,
  type Node,
  stored,
  type Task,
  withoutEpoch,
} from './naive-task.js';

export interface NaiveOptions {
  readonly now: () => number;
  readonly maxTasks?: number;
  readonly replayTasks?: number;
  readonly replayBytes?: number;
}

const nothing = (): Task['snapshot'] => ({ seq: 0, head: '', messages: [], bytes: 0, artifacts: [] });

const isIn = (scope: Scope, ref: TaskRef): boolean => ref.agent === scope.agent && ref.tenant === scope.tenant && ref.owner === scope.owner;

function leaveOutArtifacts({ snapshot, tail, ...task }: StoredTask): StoredTask {
  const text = { ...snapshot.text, artifacts: '' };
  return { ...task, snapshot: { ...snapshot, text }, tail: tail.filter(({ kind }) => kind !== 'artifact') };
}

export class NaiveStore implements TaskStore {
  readonly lingerMs = 0;
  readonly #options: Required<NaiveOptions>;
  /** In the order of creation. */
  #tasks: Task[] = [];
  #nodes: Node[] = [];
  readonly #requests = new NaiveRequests();
  #closed = false;

  constructor(options: NaiveOptions) {
    this.#options = { maxTasks: Number.POSITIVE_INFINITY, replayTasks: 1_000, replayBytes: 2 ** 26, ...options };
  }

  async commit(writes: readonly TaskWrite[]): Promise<readonly CommitResult[]> {
    this.#check();
    const committedAt = this.#options.now();
    return writes.map((write) => this.#write(write, committedAt));
  }

  #write(write: TaskWrite, committedAt: number): CommitResult {
    const known = this.#find(write.ref);
    if (write.create && known) return { kind: 'exists' };
    if (!write.create && known && known.epoch !== write.epoch) return { kind: 'fenced' };
    if (known && isFinal(known)) return { kind: 'final' };
    if (!write.create && !known) return { kind: 'missing' };
    const why = write.create ? complaintAboutNew(write) : complaint(write, known);
    if (why !== undefined) return { kind: 'failed', cause: why };
    const request = write.create?.request && this.#requests.find(write.create.request);
    if (request && (isAnswered(request) || request.node !== this.#node(write.create?.node ?? ''))) return { kind: 'fenced' };
    const task = known ?? this.#create(write);
    if (request) request.taskId = task.ref.id;
    return { kind: 'ok', refused: this.#apply(task, write, committedAt) };
  }

  #create({ ref, create, head, snapshot }: TaskWrite): Task {
    if (!create || !head || !snapshot) throw new Error('checked before');
    while (this.#tasks.length >= this.#options.maxTasks && this.#finals().length > 0) this.#delete(this.#finals()[0]);
    const node = this.#node(create.node);
    const task: Task = { ref, head, epoch: 1, node, log: [], seq: 0, generation: 0, snapshot: nothing(), inbox: [] };
    this.#tasks.push(task);
    return task;
  }

  #apply(task: Task, { entries, epoch, take = [], snapshot, head, release }: TaskWrite, committedAt: number): number[] {
    if (task.log !== 'compacted') task.log.push(...entries.map((entry) => ({ ...entry, epoch, committedAt })));
    task.seq += entries.length;
    task.generation = entries.at(-1)?.generation ?? task.generation;
    if (head) task.head = head;
    if (snapshot) addSnapshot(task, snapshot);
    if (release) task.node = undefined;
    for (const { n, seq } of take) task.inbox = task.inbox.map((row) => (row.n === n ? { ...row, state: 'taken', seq } : row));
    if (!isFinal(task)) return [];
    const refused = task.inbox.filter((row) => row.state === 'pending').map((row) => row.n);
    task.inbox = task.inbox.map((row) => (row.state === 'pending' ? { ...row, state: 'refused' } : row));
    task.node = undefined;
    this.#trimReplay();
    return refused;
  }

  #trimReplay(): void {
    const { replayTasks, replayBytes } = this.#options;
    for (;;) {
      const kept = this.#finals().filter((task) => task.log !== 'compacted');
      const size = kept.reduce((sum, task) => sum + lengthOf(task), 0);
      if (kept.length <= replayTasks && size <= replayBytes) return;
      compact(kept[0]);
    }
  }

  async load(ref: TaskRef, historyLength?: number): Promise<StoredTask | undefined> {
    this.#check();
    const task = this.#find(ref);
    return task && stored(task, historyLength);
  }

  async messages(ref: TaskRef, from: number, to: number): Promise<string> {
    this.#check();
    return this.#find(ref)?.snapshot.messages.slice(from, to).join('\n') ?? '';
  }

  async positions(refs: readonly TaskRef[]): Promise<readonly (TaskPosition | undefined)[]> {
    this.#check();
    const tasks = refs.map((ref) => this.#find(ref));
    return tasks.map((task) => task && { seq: task.seq, epoch: task.epoch, posted: task.inbox.length });
  }

  async readAfter(ref: TaskRef, seq: number, maxBytes: number) {
    this.#check();
    const task = this.#find(ref);
    if (!task) return 'missing';
    if (seq >= task.seq) return [];
    if (task.log === 'compacted') return 'compacted';
    let sum = 0;
    const fits = (entry: Entry, index: number): boolean => {
      sum += entry.json.length;
      return index === 0 || sum <= maxBytes;
    };
    return task.log
      .filter((entry) => entry.seq > seq)
      .filter(fits)
      .map(withoutEpoch);
  }

  async entryAt(ref: TaskRef, seq: number) {
    this.#check();
    const log = this.#find(ref)?.log;
    const entry = log === 'compacted' ? undefined : log?.find((one) => one.seq === seq);
    return entry && { epoch: entry.epoch, json: entry.json };
  }

  async list(query: ListQuery) {
    this.#check();
    const { agent, tenant, owner, contextId, state, statusAtOrAfter = Number.NEGATIVE_INFINITY, after, limit, count } = query;
    const matches = this.#tasks
      .filter(({ ref }) => isIn({ agent, tenant, owner }, ref))
      .filter(({ head }) => contextId === undefined || head.contextId === contextId)
      .filter(({ head }) => state === undefined || head.state === state)
      .filter(({ head }) => head.statusAt >= statusAtOrAfter)
      .sort((a, b) => b.head.statusAt - a.head.statusAt || (a.ref.id < b.ref.id ? 1 : -1));
    const rest = matches.filter(
      ({ head, ref }) => !after || head.statusAt < after.statusAt || (head.statusAt === after.statusAt && ref.id < after.id),
    );
    const { maxBytes = Number.POSITIVE_INFINITY, historyLength, withoutArtifacts } = query;
    const found = rest.slice(0, limit).map((task) => stored(task, historyLength));
    const shown = withoutArtifacts ? found.map(leaveOutArtifacts) : found;
    const bytesUpTo = (last: number) => shown.slice(0, last + 1).reduce((bytes, task) => bytes + pageBytesOf(task), 0);
    const tasks = shown.filter((_, index) => index === 0 || bytesUpTo(index) <= maxBytes);
    return { tasks, more: rest.length > tasks.length, ...(count && { total: matches.length }) };
  }

  async conversation(context: ContextRef, limit: number) {
    this.#check();
    const tasks = this.#tasks.filter(({ ref, head }) => isIn(context, ref) && head.contextId === context.contextId);
    const messages = tasks.flatMap((task) => messagesOf(stored(task)));
    return limit <= 0 ? [] : messages.slice(-limit);
  }

  async post(ref: TaskRef, kind: InboxRow['kind'], json: string, by?: BegunRequest) {
    this.#check();
    const task = this.#find(ref);
    if (!task) return 'missing';
    if (isFinal(task)) return 'final';
    const request = by && this.#requests.find(by.key);
    if (request && (isAnswered(request) || request.node !== this.#node(by.node))) return 'fenced';
    const row = task.inbox.push({ n: task.inbox.length + 1, kind, json, state: 'pending' });
    if (request) Object.assign(request, { taskId: task.ref.id, row });
    return row;
  }

  async inbox(ref: TaskRef, after: number) {
    this.#check();
    return (this.#find(ref)?.inbox ?? []).filter(({ n }) => n > after);
  }

  async beginRequest(key: RequestKey, hash: string, node: string) {
    this.#check();
    return this.#requests.begin(key, { hash, node: this.#node(node), now: this.#options.now() }, (id) => {
      const task = this.#find({ agent: key.agent, tenant: key.tenant, owner: key.owner, id });
      return !task || isFinal(task);
    });
  }

  async endRequest(key: RequestKey, replyJson: string) {
    this.#check();
    const known = this.#requests.find(key);
    if (known && !isAnswered(known)) known.replyJson = replyJson;
  }

  async dropRequest({ key, node }: BegunRequest) {
    this.#check();
    if (this.#requests.find(key)?.node === this.#node(node)) this.#requests.drop(key);
  }

  async beat(name: string, incarnation: string, until: number) {
    this.#check();
    const node = this.#node(name);
    if (node.incarnation !== undefined && node.incarnation !== incarnation) {
      if (node.until > this.#options.now()) return 'taken';
      node.until = Number.NEGATIVE_INFINITY;
      this.#nodes = this.#nodes.filter((other) => other !== node);
    }
    Object.assign(this.#node(name), { incarnation, until });
    return 'ok';
  }

  endAllLeases(): void {
    for (const node of this.#nodes) node.until = Math.min(node.until, 0);
  }

  async claim(ref: TaskRef, node: string) {
    this.#check();
    const task = this.#find(ref);
    if (!task) return 'missing';
    if (isFinal(task)) return 'final';
    if (task.node && task.node !== this.#node(node) && task.node.until > this.#options.now()) return 'owned';
    task.epoch += 1;
    task.node = this.#node(node);
    return { ...stored(task, 0), inbox: task.inbox.filter((row) => row.state === 'pending') };
  }

  async orphans(agent: string, limit: number) {
    this.#check();
    const isOrphan = (task: Task): boolean =>
      task.node ? task.node.until <= this.#options.now() : task.inbox.some((row) => row.state === 'pending');
    return this.#tasks
      .filter((task) => task.ref.agent === agent && !isFinal(task) && isOrphan(task))
      .map((task) => task.ref)
      .slice(0, limit);
  }

  async waitingSince(agent: string, before: number, limit: number) {
    this.#check();
    return this.#tasks
      .filter(({ ref, head }) => ref.agent === agent && isInterrupted(head.state) && head.statusAt < before)
      .sort((a, b) => a.head.statusAt - b.head.statusAt)
      .map(({ ref }) => ref)
      .slice(0, limit);
  }

  async sweep({ agent, deleteFinalAfterMs = Number.POSITIVE_INFINITY, replayMs, batch }: Retention, now: number) {
    this.#check();
    this.#requests.forget(now);
    const deleted = this.#finals()
      .filter((task) => task.ref.agent === agent && now - task.head.statusAt > deleteFinalAfterMs)
      .slice(0, batch);
    for (const task of deleted) this.#delete(task);
    const old = this.#finals().filter(
      (task) => task.ref.agent === agent && task.log !== 'compacted' && now - task.head.statusAt > replayMs,
    );
    const compacted = old.slice(0, batch - deleted.length);
    for (const task of compacted) compact(task);
    return deleted.length + compacted.length;
  }

  async erase(ref: TaskRef) {
    this.#check();
    const task = this.#find(ref);
    if (task) this.#erase(task);
    return task !== undefined;
  }

  async eraseContext(context: ContextRef, limit: number) {
    this.#check();
    const tasks = this.#tasks.filter(({ ref, head }) => isIn(context, ref) && head.contextId === context.contextId);
    const erased = tasks.slice(-limit);
    for (const task of erased) this.#erase(task);
    if (erased.length === 0) this.#requests.eraseReplies(context);
    return erased.map(({ ref }) => ref);
  }

  #erase(task: Task): void {
    this.#requests.eraseTask(task.ref);
    this.#delete(task);
  }

  async now() {
    this.#check();
    return this.#options.now();
  }

  async close() {
    this.#closed = true;
  }

  #check(): void {
    if (this.#closed) throw new A2AError('AGENT_UNAVAILABLE', 'The store is closed');
  }

  #find(ref: TaskRef): Task | undefined {
    return this.#tasks.find((task) => isIn(ref, task.ref) && task.ref.id === ref.id);
  }

  /** Oldest first. */
  #finals(): Task[] {
    return this.#tasks.filter(isFinal).sort((a, b) => a.head.statusAt - b.head.statusAt);
  }

  #delete(task: Task | undefined): void {
    this.#tasks = this.#tasks.filter((other) => other !== task);
  }

  #node(name: string): Node {
    const known = this.#nodes.find((node) => node.name === name);
    if (known) return known;
    const node: Node = { name, until: Number.NEGATIVE_INFINITY };
    this.#nodes.push(node);
    return node;
  }
}
