/** Sample writes for the contract suite, as the runtime makes them, with small texts. */
import assert from 'node:assert/strict';
import type { TaskText } from '../../protocol/task-text.js';
import type { TaskState } from '../../protocol/types.js';
import {
  type CommitResult,
  type Entry,
  type EntryKind,
  isSent,
  type Scope,
  type Snapshot,
  type SnapshotWrite,
  type StoredEntry,
  type TaskRef,
  type TaskStore,
  type TaskWrite,
} from '../../stores/store.js';

/** One statement of the contract, and the code that checks it with a new store. */
export type StoreCheck = readonly [name: string, run: (create: CreateStore) => Promise<void>];

/** Returns an empty store. */
export type CreateStore = () => Promise<TaskStore> | TaskStore;

/** Gives the check its own store, and closes it at the end. */
export function check(name: string, body: (store: TaskStore) => Promise<void>): StoreCheck {
  return [
    name,
    async (create) => {
      const store = await create();
      try {
        await body(store);
      } finally {
        await store.close();
      }
    },
  ];
}

export const NODE = 'node-1';
export const START = 1_750_000_000_000;

export function ref(id: string, scope: Partial<Scope> = {}): TaskRef {
  return { agent: scope.agent ?? '', tenant: scope.tenant ?? 'tenant', owner: scope.owner ?? 'owner', id };
}

/** In these logs only seq 1 is an `input`, unless a check differs; so the generation follows from the seq. */
export function entry(seq: number, kind: EntryKind = 'artifact', json = `{"artifactUpdate":{"n":${seq}}}`): Entry {
  return { seq, kind, at: START + seq, json, generation: seq - 1 };
}

/** The same entries with contiguous generations, starting after `generation`. */
export function counted(entries: readonly Entry[], generation: number): readonly Entry[] {
  let last = generation;
  return entries.map((one) => {
    if (isSent(one.kind)) last += 1;
    return { ...one, generation: last };
  });
}

export function message(id: string): string {
  return JSON.stringify({ messageId: id, role: 'ROLE_USER', parts: [{ text: id }] });
}

export function inputEntry(seq: number, messageJson: string): Entry {
  return entry(seq, 'input', `{"input":{"as":"turn","request":{"message":${messageJson}}}}`);
}

export function statusEntry(seq: number, state: TaskState, messageJson?: string): Entry {
  const said = messageJson === undefined ? '' : `,"message":${messageJson}`;
  return entry(seq, 'status', `{"statusUpdate":{"status":{"state":"${state}"${said}}}}`);
}

export interface TextParts {
  readonly state?: TaskState;
  readonly statusMessage?: string;
  readonly history?: readonly string[];
  readonly artifacts?: readonly string[];
}

function text(id: string, { state = 'TASK_STATE_WORKING', statusMessage, history = [], artifacts = [] }: TextParts = {}): TaskText {
  const said = statusMessage === undefined ? '' : `,"message":${statusMessage}`;
  return {
    head: `{"id":${JSON.stringify(id)},"status":{"state":"${state}"${said}}}`,
    history: history.join('\n'),
    artifacts: artifacts.join('\n'),
  };
}

/** A snapshot that adds these messages after the first `messagesBefore`, and sets all its artifacts. */
export function snapshot(id: string, parts: TextParts = {}, messagesBefore = 0): SnapshotWrite {
  const { history = [], artifacts = [] } = parts;
  return {
    head: text(id, parts).head,
    history: history.join('\n'),
    messagesBefore,
    messages: messagesBefore + history.length,
    historyBytes: 1_000 * (messagesBefore + history.length),
    artifacts: artifacts.map((json, n) => ({ n, json })),
  };
}

/** The snapshot that results from these writes, as of entry `seq`. */
export function resulting(seq: number, ...writes: readonly (SnapshotWrite | undefined)[]): Snapshot {
  const history: string[] = [];
  const artifacts: string[] = [];
  let last = { head: '', messages: 0, historyBytes: 0 };
  for (const write of writes) {
    if (write === undefined) continue;
    last = write;
    if (write.history !== '') history.push(write.history);
    for (const { n, json } of write.artifacts) artifacts[n] = json;
  }
  const { head, messages, historyBytes } = last;
  return { seq, text: { head, history: history.join('\n'), artifacts: artifacts.join('\n') }, messages, historyBytes };
}

export interface TaskSample extends TextParts {
  readonly contextId?: string;
  readonly statusAt?: number;
  readonly node?: string;
}

/** A new task: seq 1 is the user's message, seq 2 the Task. */
export function creation(task: TaskRef, sample: TaskSample = {}): TaskWrite {
  const { contextId = 'context', state = 'TASK_STATE_WORKING', statusAt = START, node = NODE } = sample;
  return {
    ref: task,
    epoch: 1,
    firstSeq: 1,
    entries: [inputEntry(1, message(`to ${task.id}`)), entry(2, 'task', JSON.stringify({ task: { id: task.id } }))],
    create: { node },
    head: { contextId, state, statusAt, statusSeq: 2 },
    snapshot: snapshot(task.id, { history: [message(`to ${task.id}`)], ...sample, state }),
  };
}

/** More entries from `firstSeq` on; artifacts by default. */
export function appended(task: TaskRef, firstSeq: number, count = 1, more: Partial<TaskWrite> = {}): TaskWrite {
  const entries = Array.from({ length: count }, (_, index) => entry(firstSeq + index));
  return { ref: task, epoch: 1, firstSeq, entries, ...more };
}

/** A status that the task enters at `seq`, with its snapshot. */
export function entered(
  task: TaskRef,
  seq: number,
  sample: TaskSample & { readonly epoch?: number; readonly messagesBefore?: number } = {},
): TaskWrite {
  const { contextId = 'context', state = 'TASK_STATE_COMPLETED', statusAt = START + seq, statusMessage, epoch = 1 } = sample;
  return {
    ref: task,
    epoch,
    firstSeq: seq,
    entries: [statusEntry(seq, state, statusMessage)],
    head: { contextId, state, statusAt, statusSeq: seq },
    snapshot: snapshot(task.id, { ...sample, state }, sample.messagesBefore ?? 1),
  };
}

export async function commitOne(store: TaskStore, write: TaskWrite): Promise<CommitResult> {
  const answers = await store.commit([write]);
  assert.equal(answers.length, 1);
  const [answer] = answers;
  assert.ok(answer);
  return answer;
}

/** Commits writes that must all succeed. */
export async function commitAll(store: TaskStore, ...writes: readonly TaskWrite[]): Promise<void> {
  for (const answer of await store.commit(writes)) assert.equal(answer.kind, 'ok', String(answer.kind === 'failed' ? answer.cause : ''));
}

export async function kinds(answers: Promise<readonly CommitResult[]>): Promise<readonly string[]> {
  return (await answers).map(({ kind }) => kind);
}

/** All entries as they were written. */
export async function readAll(store: TaskStore, task: TaskRef, after = 0): Promise<readonly Entry[]> {
  const entries = await store.readAfter(task, after, Number.MAX_SAFE_INTEGER);
  assert.ok(typeof entries !== 'string', `expected entries, got ${String(entries)}`);
  return asWritten(entries);
}

/** Removes the fields that the store adds. */
export function asWritten(entries: readonly StoredEntry[]): readonly Entry[] {
  return entries.map(({ committedAt: _, ...written }) => written);
}

/** Marks these nodes as alive for the next hour. */
export async function wake(store: TaskStore, ...nodes: readonly string[]): Promise<void> {
  const until = (await store.now()) + 3_600_000;
  for (const node of nodes) assert.equal(await store.beat(node, `${node}-a`, until), 'ok');
}

/** Marks these nodes as dead. */
export async function stop(store: TaskStore, ...nodes: readonly string[]): Promise<void> {
  const until = (await store.now()) - 1;
  for (const node of nodes) assert.equal(await store.beat(node, `${node}-a`, until), 'ok');
}
