/**
 * The contract of a task store. A task is a log of numbered entries with one writer at a time; entries are never rewritten. Everything else
 * that a store keeps (head, snapshot, inbox, requests, nodes) serves to find, shorten, feed or own that log.
 */
import type { TaskText } from '../protocol/task-text.js';
import type { TaskState } from '../protocol/types.js';

/** The agent, tenant and owner of tasks, contexts and requests. A call never sees data of another scope, whatever ids it uses. */
export interface Scope {
  /** Several agents may share one store; each uses its own name. A single agent uses `DEFAULT_AGENT`. */
  readonly agent: string;
  readonly tenant: string;
  readonly owner: string;
}

export const DEFAULT_AGENT = '';

/** Identifies a task. Only all fields together are unique: two owners may use the same id and never see each other's task. */
export interface TaskRef extends Scope {
  readonly id: string;
}

/** Identifies a context. Only all fields together are unique. */
export interface ContextRef extends Scope {
  readonly contextId: string;
}

/**
 * Readers get `task`, `status` and `artifact`. `input` and `note` are folded into the task or kept for the timeline, and are never sent.
 */
export type EntryKind = 'task' | 'status' | 'artifact' | 'input' | 'note';

/**
 * `json` of a task, status or artifact entry is its StreamResponse as text. It is serialized once and shared by every stream, the store,
 * the bus and push. In an `input` entry the Message is at `input.request.message`. No text contains a line break. Entries are immutable.
 */
export interface Entry {
  readonly seq: number;
  readonly kind: EntryKind;
  /** The time at which the writer accepted the entry. */
  readonly at: number;
  readonly json: string;
  /**
   * Counts the entries that readers get; the first Task has generation 1. An `input` or `note` entry repeats the generation of the last
   * sent entry before it, or 0 if there is none.
   */
  readonly generation: number;
}

/** An entry as the store returns it. */
export interface StoredEntry extends Entry {
  /** The commit time by the store's clock. Logs from before stores recorded it have the last `at` of that commit instead. */
  readonly committedAt: number;
}

/** Whether readers get entries of this kind. Each sent entry has its own generation. */
export function isSent(kind: EntryKind): boolean {
  return kind !== 'input' && kind !== 'note';
}

/**
 * The part of a task that a list needs without reading the log. `statusAt` is in integer milliseconds, so that instants are compared and
 * not strings.
 */
export interface TaskHead {
  readonly contextId: string;
  readonly state: TaskState;
  readonly statusAt: number;
  readonly statusSeq: number;
}

/** A caller's message or cancel request for an existing task, kept until the owner takes it. `seq` is the entry that took it. */
export interface InboxRow {
  readonly n: number;
  readonly kind: 'message' | 'cancel';
  readonly json: string;
  readonly state: 'pending' | 'taken' | 'refused';
  readonly seq?: number;
}

/** The task as of entry `seq`. */
export interface Snapshot {
  readonly seq: number;
  /** Its `history` has the newest messages, as many as the read asked for. */
  readonly text: TaskText;
  /** The number of all messages in the history. */
  readonly messages: number;
  /** The UTF-8 size of all messages in the history. */
  readonly historyBytes: number;
}

/**
 * The task as of the last entry of its write, as the difference to the snapshot before it. So a write is as long as what was said since,
 * and not as long as the task.
 */
export interface SnapshotWrite {
  /** JSON of the task without history and artifacts. */
  readonly head: string;
  /** The messages after the first `messagesBefore`, one per line. Stored messages are never changed. */
  readonly history: string;
  /** The number of messages in the snapshot before; 0 for a new task. The store refuses any other number, so nothing is added twice. */
  readonly messagesBefore: number;
  /** The number of messages with this write. */
  readonly messages: number;
  /** The UTF-8 size of all these messages. */
  readonly historyBytes: number;
  /** The artifacts that are new or have changed, in order of `n`: all of them for a new task. */
  readonly artifacts: readonly ArtifactText[];
}

/** The JSON of one artifact. `n` counts the artifacts of the task from 0; artifacts keep their place. */
export interface ArtifactText {
  readonly n: number;
  readonly json: string;
}

/** The task as of `seq`: its last snapshot and the entries after it. */
export interface StoredTask {
  readonly ref: TaskRef;
  readonly head: TaskHead;
  readonly seq: number;
  /** The generation of the last entry; 0 (unknown) for a task that was compacted before stores counted generations. */
  readonly generation: number;
  /** The node that runs the task; absent when the task is parked or final. */
  readonly node?: string;
  readonly epoch: number;
  readonly snapshot: Snapshot;
  readonly tail: readonly StoredEntry[];
}

/** The position of a task, without its content. A node compares it with its own copy to see whether it missed something. */
export interface TaskPosition {
  readonly seq: number;
  /** Higher than the epoch that a writer was granted: another node writes the task now. */
  readonly epoch: number;
  /** The number of the newest inbox row, in any state; 0 if there is none. */
  readonly posted: number;
}

/** A claimed task with its pending inbox rows. Its snapshot has no message of the history: a turn rarely needs them. */
export interface ClaimedTask extends StoredTask {
  readonly inbox: readonly InboxRow[];
}

/** Identifies a request that has an idempotency key, within the scope of its caller. */
export interface RequestKey extends Scope {
  readonly key: string;
}

/** A request that a node has begun. The task or inbox row that results from it is linked to the request in the same transaction. */
export interface BegunRequest {
  readonly key: RequestKey;
  readonly node: string;
}

/**
 * The state of an idempotent request. Requests are kept for 24 hours.
 * `new`: run it; `attempt` counts from 1. The node that began the request also gets `new` when it asks again, because it knows what it
 * runs.
 * A request with a task id is never run again: it is `running` until that task has ended, on whichever node, and then `done`, also when the
 * task has been deleted. `row` is the inbox row if the request was a message to an existing task.
 */
export type RequestState =
  | { readonly kind: 'new'; readonly attempt: number }
  | { readonly kind: 'running'; readonly taskId?: string; readonly row?: number }
  | { readonly kind: 'done'; readonly taskId?: string; readonly row?: number; readonly replyJson?: string }
  | { readonly kind: 'conflict' };

/**
 * The part of a commit that belongs to one task. Seqs are contiguous from `firstSeq`, and generations are contiguous too. With no entries,
 * the write changes only its other fields. The store does not check that the first generation follows the log's last one: the writer
 * guarantees it, because it is the only one under its epoch.
 */
export interface TaskWrite {
  readonly ref: TaskRef;
  /** The epoch granted by the claim; 1 for a new task. */
  readonly epoch: number;
  readonly firstSeq: number;
  readonly entries: readonly Entry[];
  /**
   * Creates the task: its row, its first entries and its request are one transaction. Needs `head` and `snapshot`. The answer is `fenced`
   * when the request was answered, or given to another node, after this node began it. A request that no node began is ignored.
   */
  readonly create?: { readonly node: string; readonly request?: RequestKey };
  /**
   * Set only when the status changed; the context never changes. A final state needs `snapshot`, and refuses the inbox rows that are still
   * pending.
   */
  readonly head?: TaskHead;
  /** The task as of the last entry. */
  readonly snapshot?: SnapshotWrite;
  /** Pending inbox rows that this write takes, each with the entry that took it: an entry of this write or an earlier one. */
  readonly take?: readonly { readonly n: number; readonly seq: number }[];
  /** Parks the task: it has no owner until it is claimed again. */
  readonly release?: boolean;
  /** The store syncs to disk before it answers, if it has a cheaper mode without the sync. */
  readonly durable?: boolean;
}

/** The result of one write: accepted, or refused with the reason. */
export type CommitResult =
  | { readonly kind: 'ok'; readonly refused: readonly number[] }
  /**
   * `fenced`: another epoch owns the task. `final`: the task has ended. `exists`: the task to create is already there. `missing`: the task
   * does not exist, or does not exist any more. Nothing was changed.
   */
  | { readonly kind: 'fenced' | 'final' | 'exists' | 'missing' }
  /** The write is invalid (a gap in the seqs, an inbox row that is not pending), or the store has no room for it. Nothing was changed. */
  | { readonly kind: 'failed'; readonly cause: unknown };

/** Selects the tasks of one page: a filter, a start position and a maximum number. */
export interface ListQuery extends Scope {
  readonly contextId?: string;
  readonly state?: TaskState;
  /** Inclusive: only tasks with this status time or a later one. */
  readonly statusAtOrAfter?: number;
  /** Keyset: only tasks after this one. The order is newest status first, then id descending. */
  readonly after?: { readonly statusAt: number; readonly id: string };
  readonly limit: number;
  /**
   * The page ends before the task with which the texts of the page (snapshots and tails) exceed about this size, but has at least one task.
   * The store must not load much more. Default: no limit.
   */
  readonly maxBytes?: number;
  /** Count all matches, regardless of paging. Requested on the first page only. */
  readonly count: boolean;
  /**
   * The tasks of the page have no artifacts: their snapshots have none, and their tails have no `artifact` entries, so that a list
   * does not read the long texts of a running task. `seq` and `generation` may be those of the last entry in the tail.
   */
  readonly withoutArtifacts?: boolean;
  /** The number of newest messages to read of each snapshot. Absent: all. */
  readonly historyLength?: number | undefined;
}

/** One page of tasks, and whether more follow. */
export interface TaskPage {
  readonly tasks: readonly StoredTask[];
  readonly more: boolean;
  readonly total?: number;
}

/** What a sweep may remove. Only final tasks are deleted or compacted. */
export interface Retention {
  /** Retention rules are per agent: the sweep ignores tasks of other agents. */
  readonly agent: string;
  /** Final tasks older than this are deleted. Absent: never. */
  readonly deleteFinalAfterMs?: number;
  /** The entries of final tasks older than this are folded into the snapshot. */
  readonly replayMs: number;
  /** Maximum number of tasks per call, so that a sweep never blocks the event loop for long. */
  readonly batch: number;
}

/** The lease that a store renews, and how often. */
export interface HeartbeatOptions {
  /** The node, as in `beat`. */
  readonly node: string;
  /** The incarnation of the node, as in `beat`. */
  readonly incarnation: string;
  /** Milliseconds that each renewal extends the lease, from the time at which the store executes it. */
  readonly leaseMs: number;
  /** Milliseconds between two renewals. */
  readonly beatMs: number;
  /** Renewals pause while the event loop of the agent has not run for this many milliseconds, so that other nodes take over its tasks. */
  readonly stallMs: number;
  /** Called at most once, when renewals have ended for good; the agent then sends all heartbeats itself. */
  onFailure(cause: unknown): void;
}

/** Renews the lease of a node while the event loop of the agent is blocked. It never acquires a lease, and never renews an expired one. */
export interface Heartbeat {
  /** Milliseconds since the last successful renewal was sent; Infinity before the first. */
  readonly agoMs: number;
  /** The reason why the last attempt failed, for the log. */
  readonly failure?: string | undefined;
  /** The agent itself sent a successful `beat` this many milliseconds ago. Renewals continue from there. */
  renewed(agoMs: number): void;
  /** Ends the renewals, but not the lease. */
  stop(): Promise<void>;
}

/** Stores the tasks of an agent. Implement it for another database, and check it with `storeContract`. */
export interface TaskStore {
  /** How long to gather events into one commit; 0 when a commit costs nothing. */
  readonly lingerMs: number;
  /** The store runs on another machine; nodes write times by its clock. Absent: it shares the clock of the node. */
  readonly isRemote?: boolean;
  /** How long the log of a final task can be replayed, in hours; published in the agent card. Absent when the store promises no time. */
  readonly replayHours?: number;
  /**
   * Returns one answer per write, in order. A stale or invalid write does not undo the other writes. Rejects only when the outcome is
   * unknown; then read `entryAt` and compare.
   */
  commit(writes: readonly TaskWrite[]): Promise<readonly CommitResult[]>;
  /** Reads the newest `historyLength` messages of the snapshot; absent: all. */
  load(ref: TaskRef, historyLength?: number): Promise<StoredTask | undefined>;
  /** The messages of the last snapshot with numbers from `from` (counted from 0) up to, but not including, `to`; one per line. */
  messages(ref: TaskRef, from: number, to: number): Promise<string>;
  /** The entries after `seq`: at least one if there is any, then up to about `maxBytes`. */
  readAfter(ref: TaskRef, seq: number, maxBytes: number): Promise<readonly StoredEntry[] | 'compacted' | 'missing'>;
  /** The entry at `seq` and the epoch that wrote it. Used to find out whether a commit with an unknown outcome succeeded. */
  entryAt(ref: TaskRef, seq: number): Promise<{ readonly epoch: number; readonly json: string } | undefined>;
  /** The positions of the tasks, in the order of `refs`; undefined for an unknown task. One query, regardless of the number of refs. */
  positions(refs: readonly TaskRef[]): Promise<readonly (TaskPosition | undefined)[]>;
  list(query: ListQuery): Promise<TaskPage>;
  /**
   * The newest `limit` messages of a context, oldest first, as JSON texts. Tasks are in order of creation. Each task contributes its
   * history, the message of its status, and the messages of the entries after its snapshot.
   */
  conversation(context: ContextRef, limit: number): Promise<readonly string[]>;
  /**
   * Appends a row to the inbox and returns its number. With a request, the row is linked to it in the same transaction; `fenced` when the
   * request was answered, or given to another node.
   */
  post(ref: TaskRef, kind: InboxRow['kind'], json: string, request?: BegunRequest): Promise<number | 'final' | 'missing' | 'fenced'>;
  /**
   * The rows with a number above `after`, in any state. Readers learn from it that their row was taken or refused. Compaction may empty the
   * texts of rows, but never removes their state.
   */
  inbox(ref: TaskRef, after: number): Promise<readonly InboxRow[]>;
  beginRequest(key: RequestKey, bodyHash: string, node: string): Promise<RequestState>;
  /**
   * For Message replies only; tasks are linked by `create` and `post`. No-op if the request is already answered, or if no node began it.
   */
  endRequest(key: RequestKey, replyJson: string): Promise<void>;
  /**
   * For a request that ended without a result to keep: the next request with this key starts again. No-op if the request is already
   * answered, or was given to another node.
   */
  dropRequest(request: BegunRequest): Promise<void>;
  /**
   * Marks this node, with all its agents, as alive until `until`, by the store's clock. A node without a heartbeat is not alive. `taken`
   * while another incarnation of that name is alive. A new incarnation does not own the tasks of the old one.
   */
  beat(node: string, incarnation: string, until: number): Promise<'ok' | 'taken'>;
  /**
   * Renews the lease of a node from another thread, with its own connection. The agent acquires the lease with `beat` first. Throws when
   * that is impossible. Absent: the agent sends all heartbeats from its event loop.
   */
  startHeartbeat?(options: HeartbeatOptions): Heartbeat;
  /** Makes `node` the owner under a new epoch, unless another live node owns the task. Earlier writes of the same node are fenced too. */
  claim(ref: TaskRef, node: string): Promise<ClaimedTask | 'owned' | 'final' | 'missing'>;
  /** Tasks of the agent whose node is dead, and parked tasks with pending rows. Never final tasks. */
  orphans(agent: string, limit: number): Promise<readonly TaskRef[]>;
  /**
   * Tasks of the agent that have waited for their caller (INPUT_REQUIRED, AUTH_REQUIRED) since before that time; the longest wait first.
   */
  waitingSince(agent: string, before: number, limit: number): Promise<readonly TaskRef[]>;
  /** Deletes, then compacts; the oldest status time first. Returns the number of affected tasks. */
  sweep(policy: Retention, now: number): Promise<number>;
  /**
   * Erases the task in any state, with its entries and its inbox rows, in one transaction; false when it does not exist. A concurrent write
   * is either erased too, or gets `missing`. The requests that led to the task are emptied, but their keys are kept until they expire:
   * `beginRequest` then answers `done` with the task id for any body, so that a repeated send does not run again.
   */
  erase(ref: TaskRef): Promise<boolean>;
  /**
   * Erases tasks of the context in the same way, at most `limit` in one transaction, and returns their refs; it may erase fewer to keep the
   * transaction short. An empty list: none is left. That call also empties the requests of this context that were answered with a Message.
   */
  eraseContext(context: ContextRef, limit: number): Promise<readonly TaskRef[]>;
  /**
   * False after a write failed because of the store (a full disk), until the store has made sure that it can write again. Absent: the
   * heartbeats alone show whether the store can be used.
   */
  canWrite?(): boolean;
  /**
   * Throws AGENT_UNAVAILABLE while the store has no room for a new task, and RATE_LIMITED while it has none for one of this owner. Absent:
   * there is always room.
   */
  checkRoom?(owner: Scope): void;
  /** The store's clock. Leases are measured by it. */
  now(): Promise<number>;
  close(): Promise<void>;
}

/** A string that identifies the task in maps. The length prefixes keep `a/b` + `c` different from `a` + `b/c`. */
export function refKey(ref: TaskRef): string {
  const { agent, tenant, owner, id } = ref;
  return `${agent.length}:${tenant.length}:${owner.length}:${agent}${tenant}${owner}${id}`;
}
