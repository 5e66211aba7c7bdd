/** The records of the naive store, and its validation of a write. */
import { isTerminal } from '../src/protocol/task-state.js';
import {
  type InboxRow,
  isSent,
  type SnapshotWrite,
  type StoredEntry,
  type StoredTask,
  type TaskRef,
  type TaskWrite,
} from '../src/stores/store.js';

export interface Node {
  name: string;
  incarnation?: string;
  until: number;
}

interface NaiveSnapshot {
  seq: number;
  head: string;
  messages: string[];
  bytes: number;
  artifacts: string[];
}

export interface Task {
  ref: TaskRef;
  head: StoredTask['head'];
  epoch: number;
  node: Node | undefined;
  log: (StoredEntry & { readonly epoch: number })[] | 'compacted';
  seq: number;
  generation: number;
  snapshot: NaiveSnapshot;
  inbox: InboxRow[];
}

export const isFinal = (task: Task): boolean => isTerminal(task.head.state);

export const withoutEpoch = ({ seq, kind, at, json, generation, committedAt }: StoredEntry): StoredEntry => ({
  seq,
  kind,
  at,
  json,
  generation,
  committedAt,
});

export const lengthOf = (task: Task): number => (task.log === 'compacted' ? 0 : task.log.reduce((sum, { json }) => sum + json.length, 0));

export function compact(task: Task | undefined): void {
  if (!task) return;
  task.log = 'compacted';
  task.inbox = task.inbox.map((row) => ({ ...row, json: '' }));
}

export function stored(task: Task, historyLength = Number.POSITIVE_INFINITY): StoredTask {
  const { ref, head, seq, generation, node, epoch, log } = task;
  const tail = log === 'compacted' ? [] : log.filter((entry) => entry.seq > task.snapshot.seq).map(withoutEpoch);
  const { messages, artifacts, bytes } = task.snapshot;
  const newest = historyLength === 0 ? [] : messages.slice(-historyLength);
  const text = { head: task.snapshot.head, history: newest.join('\n'), artifacts: artifacts.join('\n') };
  const snapshot = { seq: task.snapshot.seq, text, messages: messages.length, historyBytes: bytes };
  const copy = structuredClone({ ref, head, seq, generation, epoch, snapshot, tail });
  return node ? { ...copy, node: node.name } : copy;
}

export function addSnapshot(task: Task, { head, history, historyBytes, artifacts }: SnapshotWrite): void {
  const { snapshot } = task;
  Object.assign(snapshot, { seq: task.seq, head, bytes: historyBytes });
  if (history !== '') snapshot.messages.push(...history.split('\n'));
  for (const { n, json } of artifacts) snapshot.artifacts[n] = json;
}

export function messagesOf({ snapshot, tail }: StoredTask): string[] {
  const history = snapshot.text.history === '' ? [] : snapshot.text.history.split('\n');
  const later = tail.map(({ kind, json }) => {
    if (kind === 'input') return JSON.parse(json).input.request.message;
    return kind === 'status' ? JSON.parse(json).statusUpdate.status.message : undefined;
  });
  const said = [JSON.parse(snapshot.text.head).status.message, ...later].filter((message) => message !== undefined);
  return [...history, ...said.map((message) => JSON.stringify(message))];
}

/** Each entry has the generation after that of the previous one. Only the writer knows the generation before the first. */
const isCounted = (entries: TaskWrite['entries'], isNew: boolean): boolean =>
  entries.every(({ kind, generation }, index) => {
    const before = index === 0 ? 0 : (entries[index - 1]?.generation ?? 0);
    const next = before + (isSent(kind) ? 1 : 0);
    return Number.isSafeInteger(generation) && (index === 0 && !isNew ? generation >= next : generation === next);
  });

export function complaintAboutNew(write: TaskWrite): string | undefined {
  const { epoch, entries, head, snapshot } = write;
  if (epoch !== 1 || entries.length === 0 || !head || !snapshot) return 'incomplete';
  return complaint(write, undefined, true);
}

export function complaint(
  { entries, firstSeq, head, snapshot, take = [] }: TaskWrite,
  task: Task | undefined,
  isNew = false,
): string | undefined {
  const seq = task?.seq ?? 0;
  if (entries.length > 0 && firstSeq !== seq + 1) return `${firstSeq} is not ${seq + 1}`;
  if (entries.some((entry, index) => entry.seq !== seq + 1 + index)) return 'numbers';
  if (!isCounted(entries, isNew)) return 'generations';
  if (head && task && head.contextId !== task.head.contextId) return 'context';
  if (head && !Number.isInteger(head.statusAt)) return 'time';
  if (head && isTerminal(head.state) && !snapshot) return 'no snapshot';
  if (snapshot && snapshot.messagesBefore !== (task?.snapshot.messages.length ?? 0)) return 'another history';
  if (new Set(take.map(({ n }) => n)).size !== take.length) return 'taken twice';
  const last = seq + entries.length;
  if (take.some((one) => one.seq < 1 || one.seq > last)) return 'taken by no entry';
  if (take.some(({ n }) => task?.inbox.find((row) => row.n === n)?.state !== 'pending')) return 'not pending';
  return undefined;
}
