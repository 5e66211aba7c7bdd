/** Keeps tasks in the memory of this process: for tests, and for agents whose tasks need not survive a restart. */
import { systemClock } from '../platform/system-clock.js';
import type { Clock } from '../protocol/clock.js';
import { A2AError } from '../protocol/errors.js';
import { beginRequest, claim, post } from './memory/claim.js';
import { commitWrite } from './memory/commit.js';
import { erase, eraseContext } from './memory/erase.js';
import { conversation, list, messages, readAfter } from './memory/read.js';
import { checkRoom, removeTask } from './memory/room.js';
import { createTables, type TableOptions, type Tables } from './memory/tables.js';
import { toStoredTask } from './memory/task-row.js';
import type { Retention, TaskPosition, TaskRef, TaskStore } from './store.js';

/** Options of `memoryStore`: how many tasks and events it keeps. */
export interface MemoryStoreOptions {
  /**
   * At this number, creating a task deletes the one that ended longest ago. Tasks that have not ended are never deleted. Default: no limit.
   */
  readonly maxTasks?: number;
  /**
   * Maximum memory of tasks, events, messages and requests, in bytes. The store counts two bytes per character of JSON and a fixed amount
   * per task, event, message and request. At the limit, the task that ended longest ago is deleted, and then the oldest answered requests:
   * a repeated idempotency key can then run again. If only unfinished tasks are left, new tasks and messages are refused with
   * AGENT_UNAVAILABLE until one ends; running tasks can use up to a quarter more. Default 256 MiB.
   */
  readonly maxBytes?: number;
  /**
   * The same for the unfinished tasks of one owner (tenant and caller id; all anonymous callers are one owner), so that one owner cannot fill
   * the store. At the limit, new tasks and messages of that owner are refused with RATE_LIMITED. Default: a quarter of `maxBytes`.
   */
  readonly maxBytesPerOwner?: number;
  /** How many of the most recently ended tasks keep their events, so that their streams can be replayed. Default 1,000. */
  readonly replayTasks?: number;
  /** Maximum total length of those events, in characters of JSON. Default 64 Mi. */
  readonly replayBytes?: number;
  /** Default: the system clock. */
  readonly clock?: Clock;
}

/**
 * Creates a store that keeps everything in memory. Every call does its work before it returns; its promise is already settled.
 *
 * @example
 * ```ts
 * import { createAgent, memoryStore } from '@parley/a2a/server';
 *
 * export const agent = createAgent({
 *   name: 'Echo',
 *   store: memoryStore({ maxTasks: 10_000 }),
 *   execute: async (context) => context.text,
 * });
 * ```
 */
export function memoryStore(options: MemoryStoreOptions = {}): TaskStore {
  const tables = createTables(resolveOptions(options));
  let closed = false;
  const use = (): Tables => {
    if (closed) throw new A2AError('AGENT_UNAVAILABLE', 'The store is closed');
    return tables;
  };
  const now = (): number => tables.clock.now();

  return {
    lingerMs: 0,
    commit: async (writes) => {
      const target = use();
      const at = now();
      return writes.map((write) => commitWrite(target, write, at));
    },
    load: async (ref, historyLength) => load(use(), ref, historyLength),
    messages: async (ref, from, to) => messages(use(), ref, from, to),
    readAfter: async (ref, seq, maxBytes) => readAfter(use(), ref, seq, maxBytes),
    entryAt: async (ref, seq) => use().tasks.find(ref)?.log?.at(seq),
    positions: async (refs) => refs.map((ref) => positionOf(use(), ref)),
    list: async (query) => list(use(), query),
    conversation: async (context, limit) => conversation(use(), context, limit),
    post: async (ref, kind, json, request) => post(use(), ref, { kind, json, request }),
    inbox: async (ref, after) => use().tasks.find(ref)?.inbox?.after(after) ?? [],
    beginRequest: async (key, bodyHash, node) => beginRequest(use(), key, bodyHash, node),
    endRequest: async (key, replyJson) => use().requests.end(key, replyJson),
    dropRequest: async ({ key, node }) => use().requests.drop(key, tables.nodes.leaseOf(node)),
    beat: async (node, incarnation, until) => use().nodes.beat(node, incarnation, until, now()),
    claim: async (ref, node) => claim(use(), ref, node),
    orphans: async (agent, limit) => use().ownership.orphans(agent, limit, now()),
    waitingSince: async (agent, before, limit) => use().waiting.since(agent, before, limit),
    sweep: async (policy, at) => sweep(use(), policy, at),
    erase: async (ref) => erase(use(), ref),
    eraseContext: async (context, limit) => eraseContext(use(), context, limit),
    checkRoom: (owner) => checkRoom(use(), owner),
    now: async () => use().clock.now(),
    close: async () => {
      closed = true;
    },
  };
}

function load(tables: Tables, ref: TaskRef, historyLength: number | undefined) {
  const row = tables.tasks.find(ref);
  return row === undefined ? undefined : toStoredTask(row, { historyLength });
}

function positionOf(tables: Tables, ref: TaskRef): TaskPosition | undefined {
  const row = tables.tasks.find(ref);
  return row && { seq: row.seq, epoch: row.epoch, posted: row.inbox?.size ?? 0 };
}

function sweep(tables: Tables, policy: Retention, now: number): number {
  tables.requests.forgetExpired(now);
  return tables.finals.sweep(policy, now, (row) => removeTask(tables, row));
}

const MIB = 1024 * 1024;

function resolveOptions(options: MemoryStoreOptions): TableOptions {
  const { maxTasks = Number.POSITIVE_INFINITY, maxBytes = 256 * MIB, replayTasks = 1_000, replayBytes = 64 * MIB } = options;
  if (!(maxTasks >= 1)) throw new A2AError('INVALID_PARAMS', `maxTasks must be at least 1, got ${maxTasks}`);
  if (!(maxBytes > 0)) throw new A2AError('INVALID_PARAMS', `maxBytes must be positive, got ${maxBytes}`);
  const { maxBytesPerOwner = maxBytes / 4 } = options;
  if (!(maxBytesPerOwner > 0)) throw new A2AError('INVALID_PARAMS', `maxBytesPerOwner must be positive, got ${maxBytesPerOwner}`);
  if (!(replayTasks >= 0)) throw new A2AError('INVALID_PARAMS', `replayTasks must not be negative, got ${replayTasks}`);
  if (!(replayBytes >= 0)) throw new A2AError('INVALID_PARAMS', `replayBytes must not be negative, got ${replayBytes}`);
  return { maxTasks, maxBytes, maxBytesPerOwner, replayTasks, replayBytes, clock: options.clock ?? systemClock };
}
