/** Records the events that this page received for a conversation: the last rows, and the states of the current task. */
import type { Conversation, ConversationEvent } from '../ui/types.js';

export interface LogRow {
  /** Counts from 1 without gaps. */
  readonly number: number;
  readonly event: ConversationEvent;
}

export interface StateStep {
  readonly state: string;
  readonly at: string;
  readonly seq: number | undefined;
}

/** An immutable view, replaced at most once per frame. */
export interface LogView {
  readonly rows: readonly LogRow[];
  /** All events received, including those no longer kept. */
  readonly count: number;
  readonly taskId: string | undefined;
  /** The first seq received of that task. */
  readonly firstSeq: number | undefined;
  readonly steps: readonly StateStep[];
}

export interface EventLog {
  readonly view: LogView;
  subscribe(listener: () => void): () => void;
  /** Empties the log and starts again with this task. */
  clear(taskId: string): void;
  add(event: ConversationEvent): void;
  close(): void;
}

/** Bounds the memory: a stream may have a hundred thousand chunks. */
const KEPT_ROWS = 2_000;
const KEPT_STEPS = 200;
const EMPTY: LogView = { rows: [], count: 0, taskId: undefined, firstSeq: undefined, steps: [] };

/** `onFrame` schedules the notification of listeners: one for all events since the last. */
export function createEventLog(conversation: Pick<Conversation, 'onEvent'>, onFrame: (run: () => void) => void): EventLog {
  const listeners = new Set<() => void>();
  let view = EMPTY;
  let rows: LogRow[] = [];
  let count = 0;
  let steps: readonly StateStep[] = [];
  let taskId: string | undefined;
  let firstSeq: number | undefined;
  let isWaiting = false;

  const publish = (): void => {
    isWaiting = false;
    view = { rows: rows.slice(-KEPT_ROWS), count, taskId, firstSeq, steps };
    for (const listener of listeners) listener();
  };
  const add = (event: ConversationEvent): void => {
    rows.push({ number: ++count, event });
    if (rows.length > 2 * KEPT_ROWS) rows = rows.slice(-KEPT_ROWS);
    if (event.kind === 'update') follow(event);
    if (isWaiting) return;
    isWaiting = true;
    onFrame(publish);
  };
  const follow = ({ update, at }: Extract<ConversationEvent, { kind: 'update' }>): void => {
    if (update.kind === 'task' && update.task.id !== taskId) {
      taskId = update.task.id;
      firstSeq = undefined;
      steps = [];
    }
    firstSeq ??= update.seq;
    const status = update.kind === 'task' ? update.task.status : update.kind === 'state' ? update.status : undefined;
    if (status === undefined || steps.at(-1)?.state === status.state) return;
    steps = [...steps, { state: status.state, at: status.timestamp ?? at, seq: update.seq }].slice(-KEPT_STEPS);
  };
  const stop = conversation.onEvent(add);
  return {
    get view() {
      return view;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    clear(next) {
      rows = [];
      steps = [];
      count = 0;
      taskId = next;
      firstSeq = undefined;
    },
    add,
    close() {
      stop();
      listeners.clear();
    },
  };
}
