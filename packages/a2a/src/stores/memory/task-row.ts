/** One task in the memory store. The fields are flat, because a finished task is little more than this row and its three texts. */
import { isTerminal } from '../../protocol/task-state.js';
import { countLines, joinLines, lastLines } from '../../protocol/task-text.js';
import type { TaskState } from '../../protocol/types.js';
import type { Scope, SnapshotWrite, StoredTask, TaskHead, TaskRef } from '../store.js';
import type { EntryLog } from './entry-log.js';
import { flat } from './flat.js';
import type { InboxRows } from './inbox-rows.js';
import type { NodeLease } from './nodes.js';
import { type PackedText, packFlat, unpack } from './packed-text.js';

export interface TaskRow {
  readonly scope: Scope;
  readonly id: string;
  readonly contextId: string;
  /** Creation number within the store; gives the order of creation. */
  readonly born: number;
  state: TaskState;
  statusAt: number;
  statusSeq: number;
  seq: number;
  generation: number;
  epoch: number;
  lease: NodeLease | undefined;
  snapshotSeq: number;
  /** The snapshot. Three fields instead of one object, because with many ended tasks each object costs memory. */
  headText: string;
  historyText: PackedText;
  artifactsText: PackedText;
  /** The number and the UTF-8 size of all messages in the history. */
  messages: number;
  historyBytes: number;
  /** The messages of later snapshots, while the task has not ended. One text would be copied in every turn. */
  laterMessages: PackedText[] | undefined;
  /** Replaces `artifactsText` once a later snapshot has changed it, while the task has not ended: one text per artifact. */
  artifacts: PackedText[] | undefined;
  /** The length of all artifacts as text; packed ones count in bytes. */
  artifactsLength: number;
  /** Undefined after compaction. */
  log: EntryLog | undefined;
  /** Created by the first post. */
  inbox: InboxRows | undefined;
  /** The part of the used memory that was counted for this row. */
  bytes: number;
  /** The part that was counted for its owner; 0 when the task has ended. */
  unfinishedBytes: number;
}

export function refOf({ scope: { agent, tenant, owner }, id }: TaskRow): TaskRef {
  return { agent, tenant, owner, id };
}

export function isFinal(row: TaskRow): boolean {
  return isTerminal(row.state);
}

/** Ascending by status time, then by id. A list reads this order from its end. */
export function byStatus(a: Pick<TaskRow, 'statusAt' | 'id'>, b: Pick<TaskRow, 'statusAt' | 'id'>): number {
  if (a.statusAt !== b.statusAt) return a.statusAt - b.statusAt;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

export function byCreation(a: TaskRow, b: TaskRow): number {
  return a.born - b.born;
}

/** Oldest status first. Ids are not unique across owners, so the creation number breaks ties. */
export function byAge(a: TaskRow, b: TaskRow): number {
  return a.statusAt - b.statusAt || a.born - b.born;
}

/** What a read needs of the texts. */
export interface TextsRead {
  /** Default: all messages. */
  readonly historyLength?: number | undefined;
  /** The artifacts, and the entries that change them, are left out. */
  readonly withoutArtifacts?: boolean | undefined;
}

/** Returns new objects, so that changes by the caller do not reach the store. Texts and entries are immutable and shared. */
export function toStoredTask(row: TaskRow, { historyLength = Number.POSITIVE_INFINITY, withoutArtifacts }: TextsRead = {}): StoredTask {
  const { seq, generation, epoch, lease, messages, historyBytes, log, snapshotSeq } = row;
  const artifacts = withoutArtifacts === true ? '' : artifactsOf(row);
  const text = { head: row.headText, history: newestHistory(row, historyLength), artifacts };
  const tail = log === undefined || snapshotSeq === seq ? [] : log.after(snapshotSeq, { withoutArtifacts });
  return {
    ref: refOf(row),
    head: headOf(row),
    seq,
    generation,
    node: lease?.node,
    epoch,
    snapshot: { seq: snapshotSeq, text, messages, historyBytes },
    tail,
  };
}

/** The newest messages, one per line. */
export function newestHistory({ historyText, laterMessages, messages }: TaskRow, count: number): string {
  if (count <= 0) return '';
  if (laterMessages === undefined) return count >= messages ? unpack(historyText) : lastLines(unpack(historyText), count);
  if (count >= messages) return joinLines(unpack(historyText), laterMessages.map(unpack).join('\n'));
  let found = '';
  let missing = count;
  for (let at = laterMessages.length - 1; at >= 0 && missing > 0; at -= 1) {
    const lines = unpack(laterMessages[at] ?? '');
    found = joinLines(lines, found);
    missing -= countLines(lines);
  }
  return lastLines(missing > 0 ? joinLines(unpack(historyText), found) : found, count);
}

function artifactsOf({ artifacts, artifactsText }: TaskRow): string {
  return artifacts === undefined ? unpack(artifactsText) : artifacts.map(unpack).join('\n');
}

/** Adds the texts of the write. A task that ends with the write is flattened afterwards. */
export function setSnapshot(row: TaskRow, { head, history, messages, historyBytes, artifacts }: SnapshotWrite, ends: boolean): void {
  row.headText = head;
  row.snapshotSeq = row.seq;
  row.messages = messages;
  row.historyBytes = historyBytes;
  if (history !== '') {
    row.laterMessages ??= [];
    row.laterMessages.push(ends ? history : packFlat(history));
  }
  if (artifacts.length === 0) return;
  if (row.artifacts === undefined) spreadArtifacts(row);
  row.artifacts ??= [];
  for (const { n, json } of artifacts) {
    const packed = ends ? json : packFlat(json);
    row.artifactsLength += packed.length - (row.artifacts[n]?.length ?? 0);
    row.artifacts[n] = packed;
  }
}

function spreadArtifacts(row: TaskRow): void {
  const texts = row.artifactsText === '' ? [] : unpack(row.artifactsText).split('\n');
  row.artifacts = texts.map(packFlat);
  row.artifactsText = '';
  row.artifactsLength = row.artifacts.reduce((length, text) => length + text.length, 0);
}

/** Frees the memory that ropes and slices hold. Copies all texts: call it at the end of the task, or before its second snapshot. */
export function flatten(row: TaskRow): void {
  row.headText = flat(row.headText);
  if (row.laterMessages !== undefined || typeof row.historyText === 'string') {
    row.historyText = packFlat(newestHistory(row, Number.POSITIVE_INFINITY));
  }
  if (row.artifacts !== undefined || typeof row.artifactsText === 'string') row.artifactsText = packFlat(artifactsOf(row));
  row.laterMessages = undefined;
  row.artifacts = undefined;
}

function headOf({ contextId, state, statusAt, statusSeq }: TaskRow): TaskHead {
  return { contextId, state, statusAt, statusSeq };
}
