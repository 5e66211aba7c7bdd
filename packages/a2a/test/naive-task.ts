/** What the naive store keeps, and what it thinks of a write. */
import { isTerminal } from '../src/protocol/task-state.js';
import type { Entry, InboxRow, StoredTask, TaskRef, TaskWrite } from '../src/stores/store.js';

export interface Node {
  name: string;
  incarnation?: string;
  until: number;
}

export interface Task {
  ref: TaskRef;
  head: StoredTask['head'];
  epoch: number;
  node: Node | undefined;
  log: (Entry & { readonly epoch: number })[] | 'compacted';
  seq: number;
  snapshot: StoredTask['snapshot'];
  inbox: InboxRow[];
}

export const isFinal = (task: Task): boolean => isTerminal(task.head.state);

export const withoutEpoch = ({ seq, kind, at, json }: Entry): Entry => ({ seq, kind, at, json });

export const lengthOf = (task: Task): number => (task.log === 'compacted' ? 0 : task.log.reduce((sum, { json }) => sum + json.length, 0));

export function compact(task: Task | undefined): void {
  if (!task) return;
  task.log = 'compacted';
  task.inbox = task.inbox.map((row) => ({ ...row, json: '' }));
}

export function stored({ ref, head, seq, node, epoch, snapshot, log }: Task): StoredTask {
  const tail = log === 'compacted' ? [] : log.filter((entry) => entry.seq > snapshot.seq).map(withoutEpoch);
  const copy = structuredClone({ ref, head, seq, epoch, snapshot, tail });
  return node ? { ...copy, node: node.name } : copy;
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
  if (!task && !isNew) return 'no such task';
  const seq = task?.seq ?? 0;
  if (entries.length > 0 && firstSeq !== seq + 1) return `${firstSeq} is not ${seq + 1}`;
  if (entries.some((entry, index) => entry.seq !== seq + 1 + index)) return 'numbers';
  if (head && task && head.contextId !== task.head.contextId) return 'context';
  if (head && !Number.isInteger(head.statusAt)) return 'time';
  if (head && isTerminal(head.state) && !snapshot) return 'no snapshot';
  if (new Set(take.map(({ n }) => n)).size !== take.length) return 'taken twice';
  const last = seq + entries.length;
  if (take.some((one) => one.seq < 1 || one.seq > last)) return 'taken by nothing';
  if (take.some(({ n }) => task?.inbox.find((row) => row.n === n)?.state !== 'pending')) return 'not pending';
  return undefined;
}
