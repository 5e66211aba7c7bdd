/** Rows of `tasks` and their meaning. */
import { isInterrupted, TASK_STATES } from '../../protocol/task-state.js';
import { countLines, lastLines } from '../../protocol/task-text.js';
import type { TaskState } from '../../protocol/types.js';
import { utf8Length } from '../../protocol/utf8-length.js';
import type { Scope, StoredEntry, StoredTask, TaskRef } from '../store.js';
import { fromColumn, toColumn } from './name.js';

export const RUNNING = 0;
export const ENDED = 1;
export const COMPACTED = 2;

export type RefColumns = readonly [agent: string, tenant: string, owner: string, id: string];

export function refValues({ agent, tenant, owner, id }: TaskRef): RefColumns {
  return [toColumn(agent), toColumn(tenant), toColumn(owner), toColumn(id)];
}

export function toRef([agent, tenant, owner, id]: RefColumns): TaskRef {
  return { agent: fromColumn(agent), tenant: fromColumn(tenant), owner: fromColumn(owner), id: fromColumn(id) };
}

/** The protobuf number of the state; −1 for an unknown state. */
export function stateNumber(state: TaskState): number {
  return TASK_STATES.indexOf(state);
}

/** The states in which a task waits for its caller, as an SQL list. */
export const WAITING = TASK_STATES.flatMap((state, number) => (isInterrupted(state) ? [number] : [])).join(', ');

/** The first columns, in the order of `TaskColumns`. */
export const TASK_COLUMNS = 'pk, id, context, state, status_at, status_seq, ended, epoch, node, snapshot_seq, generation, head';

export type TaskColumns = readonly [
  pk: number,
  id: string,
  context: string,
  state: number,
  statusAt: number,
  statusSeq: number,
  ended: number,
  epoch: number,
  node: string | null,
  snapshotSeq: number,
  /** The generation as of the snapshot. */
  generation: number,
  head: string,
  ...TextColumns,
];

/** See `text-columns.ts`. */
export type TextColumns = readonly [
  /** Null: the schema was upgraded since the snapshot, and `history` has all messages. */
  messages: number | null,
  historyBytes: number | null,
  history: string,
  artifacts: string,
  changes: string | null,
];

/**
 * The current seq and generation are those of the newest entry, because appending does not touch the task row. Called fifty times per page,
 * so it avoids spreads and reads the tuple by index: destructuring uses an iterator. `history` may begin with more messages than the read
 * asked for.
 */
export function toStoredTask(columns: TaskColumns, { agent, tenant, owner }: Scope, read: ReadTask): StoredTask {
  const { tail, historyLength } = read;
  const state = TASK_STATES[columns[3]] ?? 'TASK_STATE_UNSPECIFIED';
  const node = columns[8];
  const snapshotSeq = columns[9];
  const last = tail.length === 0 ? undefined : tail.at(-1);
  const all = columns[14];
  const history = historyLength === undefined ? all : lastLines(all, historyLength);
  return {
    ref: { agent, tenant, owner, id: fromColumn(columns[1]) },
    head: { contextId: fromColumn(columns[2]), state, statusAt: columns[4], statusSeq: columns[5] },
    seq: last?.seq ?? snapshotSeq,
    generation: last?.generation ?? columns[10],
    node: node === null ? undefined : fromColumn(node),
    epoch: columns[7],
    snapshot: {
      seq: snapshotSeq,
      text: { head: columns[11], history, artifacts: read.artifacts ?? withChanges(columns[15], columns[16]) },
      messages: columns[12] ?? countLines(all),
      historyBytes: columns[13] ?? utf8Length(all),
    },
    tail,
  };
}

export interface ReadTask {
  readonly tail: readonly StoredEntry[];
  readonly historyLength: number | undefined;
  /** Default: from the columns. */
  readonly artifacts?: string | undefined;
}

/** Puts the artifacts of later snapshots, each as its number and its JSON, into the lines of the first one. */
function withChanges(artifacts: string, changes: string | null): string {
  if (changes === null || changes === '') return artifacts;
  const rows = changes.split('\n').map((change): ArtifactRow => {
    const space = change.indexOf(' ');
    return [Number(change.slice(0, space)), change.slice(space + 1)];
  });
  return withRows(artifacts, rows);
}

/** A row of `task_artifacts`. */
export type ArtifactRow = readonly [n: number, json: string];

export function withRows(artifacts: string, rows: readonly ArtifactRow[]): string {
  const lines = artifacts === '' ? [] : artifacts.split('\n');
  for (const [n, json] of rows) lines[n] = json;
  return lines.join('\n');
}
