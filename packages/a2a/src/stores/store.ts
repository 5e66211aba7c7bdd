/**
 * Where tasks live. A task is a log: numbered entries, one writer at a time, never rewritten. Everything else a store keeps
 * (head, snapshot, inbox, requests, nodes) exists to find, shorten, feed, or own that log.
 */
import type { TaskText } from '../protocol/task-text.js';
import type { TaskState } from '../protocol/types.js';

/** Whose tasks, contexts and requests these are. Those of another scope are never seen, whatever their ids. */
export interface Scope {
  /** Several agents may share one store: each has its own name in it. `DEFAULT_AGENT` where there is one. */
  readonly agent: string;
  readonly tenant: string;
  readonly owner: string;
}

export const DEFAULT_AGENT = '';

/** Names a task. Unique as a whole: two owners may have the same id and never see each other's. */
export interface TaskRef extends Scope {
  readonly id: string;
}

export interface ContextRef extends Scope {
  readonly contextId: string;
}

/** `task`, `status`, `artifact` are what readers get; `input` and `note` are folded or kept for the timeline, never sent. */
export type EntryKind = 'task' | 'status' | 'artifact' | 'input' | 'note';

/**
 * `json` is the StreamResponse text for task, status and artifact: made once, shared by every stream, the store, the bus and push.
 * In an `input` the Message stands at `input.request.message`. No text contains a line break. Entries are values: nobody changes one.
 */
export interface Entry {
  readonly seq: number;
  readonly kind: EntryKind;
  /** When the writer accepted it. */
  readonly at: number;
  readonly json: string;
  /** Counts the entries that readers get: the first Task is 1. An `input` or a `note` has the number of the last one before it; 0: none. */
  readonly generation: number;
}

/** An entry as a store gives it back. */
export interface StoredEntry extends Entry {
  /** When its commit was made, by the clock of the store. In a log from before stores knew it: the last `at` of that commit. */
  readonly committedAt: number;
}

/** Whether readers get it: each of these has a generation of its own. */
export function isSent(kind: EntryKind): boolean {
  return kind !== 'input' && kind !== 'note';
}

/** What a list needs to know of a task without reading it. `statusAt` is integer milliseconds: instants are compared, not strings. */
export interface TaskHead {
  readonly contextId: string;
  readonly state: TaskState;
  readonly statusAt: number;
  readonly statusSeq: number;
}

/** What a caller asks of an existing task, kept until its owner takes it. `seq` is the entry that took it. */
export interface InboxRow {
  readonly n: number;
  readonly kind: 'message' | 'cancel';
  readonly json: string;
  readonly state: 'pending' | 'taken' | 'refused';
  readonly seq?: number;
}

/** The task as of `seq`: its last snapshot and the entries since. */
export interface StoredTask {
  readonly ref: TaskRef;
  readonly head: TaskHead;
  readonly seq: number;
  /** That of the last entry; 0 (unknown) for a task that was compacted before stores counted. */
  readonly generation: number;
  /** The node that runs it; absent when it is parked or final. */
  readonly node?: string;
  readonly epoch: number;
  readonly snapshot: { readonly seq: number; readonly text: TaskText };
  readonly tail: readonly StoredEntry[];
}

/** How far a task is, without what it says: by this a node sees whether it missed something. */
export interface TaskPosition {
  readonly seq: number;
  /** Above the one that a writer was granted: somebody else writes the task now. */
  readonly epoch: number;
  /** The number of the newest inbox row, in any state; 0 when there was none. */
  readonly posted: number;
}

/** A claimed task, with the rows that wait for it: those still pending. */
export interface ClaimedTask extends StoredTask {
  readonly inbox: readonly InboxRow[];
}

export interface RequestKey extends Scope {
  readonly key: string;
}

/** A request that a node has begun: what it leads to is linked to it in the same transaction. */
export interface BegunRequest {
  readonly key: RequestKey;
  readonly node: string;
}

/**
 * What is known of an idempotent request; requests are kept for 24 hours. `new`: run it (attempt counts from 1); also told to the node
 * that has begun it and asks again, since a node knows what it runs. With a task id it is never run again: `running` until that task has
 * ended, whoever runs it, then `done`, also when the task has been deleted. `row` is the inbox row, where the request was a message to
 * an existing task.
 */
export type RequestState =
  | { readonly kind: 'new'; readonly attempt: number }
  | { readonly kind: 'running'; readonly taskId?: string; readonly row?: number }
  | { readonly kind: 'done'; readonly taskId?: string; readonly row?: number; readonly replyJson?: string }
  | { readonly kind: 'conflict' };

/**
 * One task's part of a commit. Entries are contiguous from `firstSeq`, and so are their generations; an empty list changes only what else is
 * said here. That the first generation follows the last one of the log is up to the writer, which is the only one under its epoch.
 */
export interface TaskWrite {
  readonly ref: TaskRef;
  /** As granted by the claim; 1 for a new task. */
  readonly epoch: number;
  readonly firstSeq: number;
  readonly entries: readonly Entry[];
  /**
   * The row, its first entries and its request are one transaction. Needs `head` and `snapshot`. `fenced` when the request has been
   * answered, or given to another node, since this node began it; a request that nobody began is ignored.
   */
  readonly create?: { readonly node: string; readonly request?: RequestKey };
  /** Only when the status changed; the context never does. A final state needs `snapshot` and refuses the inbox rows still pending. */
  readonly head?: TaskHead;
  /** As of the last entry. */
  readonly snapshot?: TaskText;
  /** Pending inbox rows that this write takes, with the entry that took each: one of these, or an earlier one. */
  readonly take?: readonly { readonly n: number; readonly seq: number }[];
  /** Parked: nobody owns it until it is claimed again. */
  readonly release?: boolean;
  /** Synced to disk before the answer, where that costs something. */
  readonly durable?: boolean;
}

export type CommitAnswer =
  | { readonly kind: 'ok'; readonly refused: readonly number[] }
  /** `fenced`: another epoch owns it. `final`: it has ended. `exists`: create met a row. None of them changed anything. */
  | { readonly kind: 'fenced' | 'final' | 'exists' }
  /** The write makes no sense (a hole in the numbers, no such task, a row that is not pending): nothing was changed. */
  | { readonly kind: 'failed'; readonly cause: unknown };

export interface ListQuery extends Scope {
  readonly contextId?: string;
  readonly state?: TaskState;
  /** Inclusive: status times equal or later. */
  readonly statusAtOrAfter?: number;
  /** Keyset: only tasks after this one, in the order newest status first, then id descending. */
  readonly after?: { readonly statusAt: number; readonly id: string };
  readonly limit: number;
  /** Count all matches before paging; asked for on the first page only. */
  readonly count: boolean;
  /** Nobody will look at artifacts: those of tasks without a tail may be left empty, since they may be long. */
  readonly withoutArtifacts?: boolean;
}

export interface TaskPage {
  readonly tasks: readonly StoredTask[];
  readonly more: boolean;
  readonly total?: number;
}

/** What a sweep may remove. Only final tasks are ever deleted or compacted. */
export interface Retention {
  /** Each agent has its own rules: the tasks of other agents are left alone. */
  readonly agent: string;
  /** Final tasks older than this are deleted; absent: never. */
  readonly deleteFinalAfterMs?: number;
  /** Entries of final tasks older than this are folded into the snapshot. */
  readonly replayMs: number;
  /** At most this many tasks per call, so that a sweep never stalls the loop. */
  readonly batch: number;
}

export interface TaskStore {
  /** How long commits may be gathered for; 0 when a commit costs nothing. */
  readonly lingerMs: number;
  /** It lives on another machine, whose clock its nodes follow in what they write. Absent: it shares theirs. */
  readonly isRemote?: boolean;
  /** How long the log of a final task can be replayed, in hours; told to clients in the card. Absent where no time is promised. */
  readonly replayHours?: number;
  /**
   * One answer per write, in order; one stale or bad task does not undo its neighbours. Rejects only when the outcome is
   * unknown: then read `entryAt` and compare.
   */
  commit(writes: readonly TaskWrite[]): Promise<readonly CommitAnswer[]>;
  load(ref: TaskRef): Promise<StoredTask | undefined>;
  /** Entries after `seq`, at least one if there is any, then up to about `maxBytes`. */
  readAfter(ref: TaskRef, seq: number, maxBytes: number): Promise<readonly StoredEntry[] | 'compacted' | 'missing'>;
  /** The entry at `seq` and the epoch that wrote it: settles a commit whose outcome is unknown. */
  entryAt(ref: TaskRef, seq: number): Promise<{ readonly epoch: number; readonly json: string } | undefined>;
  /** Where each task is, in the order asked for; undefined where there is none. One question, however many they are. */
  positions(refs: readonly TaskRef[]): Promise<readonly (TaskPosition | undefined)[]>;
  list(query: ListQuery): Promise<TaskPage>;
  /**
   * The newest `limit` messages of a context, oldest first, as JSON texts. Tasks follow one another in the order of their creation;
   * within a task come its history, the message of its status, and the messages that entries since the snapshot brought.
   */
  conversation(context: ContextRef, limit: number): Promise<readonly string[]>;
  /**
   * Appends to the inbox; answers the row's number. With a request, the row is linked to it in the same transaction; `fenced` when that
   * has been answered, or given to another node.
   */
  post(ref: TaskRef, kind: InboxRow['kind'], json: string, request?: BegunRequest): Promise<number | 'final' | 'missing' | 'fenced'>;
  /**
   * Rows with a number above `after`, in any state: readers learn from it that theirs was taken or refused. Compaction may empty
   * their texts, never forget what became of them.
   */
  inbox(ref: TaskRef, after: number): Promise<readonly InboxRow[]>;
  beginRequest(key: RequestKey, bodyHash: string, node: string): Promise<RequestState>;
  /** For Message replies only; tasks are linked by `create` and `post`. Nothing happens to a request that has its answer, or that nobody began. */
  endRequest(key: RequestKey, replyJson: string): Promise<void>;
  /**
   * For a request that ended without anything to remember: the next one with this key starts anew. One that has its answer, or that was
   * given to another node, stays.
   */
  dropRequest(request: BegunRequest): Promise<void>;
  /**
   * Says that this node, with all agents on it, lives until `until`, by the clock of the store; one that never beat does not live. `taken` while another
   * incarnation of that name lives; a new incarnation owns nothing of what the old one left.
   */
  beat(node: string, incarnation: string, until: number): Promise<'ok' | 'taken'>;
  /** Makes `node` the owner, under a new epoch, unless another node that lives owns it. What the node itself wrote before is fenced too. */
  claim(ref: TaskRef, node: string): Promise<ClaimedTask | 'owned' | 'final' | 'missing'>;
  /** Tasks of the agent whose node is gone, and parked ones with pending rows; never ended ones. */
  orphans(agent: string, limit: number): Promise<readonly TaskRef[]>;
  /** Tasks of the agent that wait for their caller (INPUT_REQUIRED, AUTH_REQUIRED) since before that time, longest first. */
  waitingSince(agent: string, before: number, limit: number): Promise<readonly TaskRef[]>;
  /** Deletes, then compacts, the oldest by status time first; answers how many tasks it touched. */
  sweep(policy: Retention, now: number): Promise<number>;
  /** The store's own clock: leases are counted by it. */
  now(): Promise<number>;
  close(): Promise<void>;
}

/** A string that names the task in maps. Lengths in front keep `a/b` + `c` apart from `a` + `b/c`. */
export function refKey(ref: TaskRef): string {
  const { agent, tenant, owner, id } = ref;
  return `${agent.length}:${tenant.length}:${owner.length}:${agent}${tenant}${owner}${id}`;
}
