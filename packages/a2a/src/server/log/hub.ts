/** Connects the writers and the readers of this process: announces commits, and moves reported by other nodes. */
import type { A2AError } from '../../protocol/errors.js';
import { isTerminal } from '../../protocol/task-state.js';
import { type Entry, isSent, refKey, type TaskRef } from '../../stores/store.js';
import { type Share, ShareCounter } from '../limits/share-counter.js';
import { readNote, stateOf } from './entries.js';

/** One commit of one task. Created once, shared by every reader. */
export interface Batch {
  readonly entries: readonly Entry[];
  /** The entries that are sent on streams. */
  readonly sendable: readonly Entry[];
  /** Contains only chunks: no entry can end a read. */
  readonly plain: boolean;
  /** The points where a read may end. */
  readonly marks: readonly Mark[];
  /** The total length of its texts. */
  readonly chars: number;
}

export interface Mark {
  readonly seq: number;
  readonly kind: 'terminal' | 'input-required' | 'auth-required' | 'turn-ended' | 'parked';
}

export interface Listener {
  /** The share that a stream counts against; undefined for a call that waits for an answer. */
  readonly opener: Share | undefined;
  /** A batch was committed in this process: contiguous and in order. */
  told(batch: Batch): void;
  /** The log or the inbox moved on some node; `seq` is the newest known. */
  moved(seq: number): void;
  /** The task cannot be followed here any more. */
  lost(error: A2AError): void;
  /** The server is going away. */
  shutdown(): void;
}

const isPlain = (entry: Entry): boolean => entry.kind === 'artifact';
const isSendable = (entry: Entry): boolean => isSent(entry.kind);

export function toBatch(entries: readonly Entry[]): Batch {
  let chars = 0;
  for (const { json } of entries) chars += json.length;
  if (entries.every(isPlain)) return { entries, plain: true, sendable: entries, marks: [], chars };
  return { entries, plain: false, sendable: entries.filter(isSendable), marks: entries.flatMap(toMarks), chars };
}

function toMarks(entry: Entry): Mark[] {
  const kind = markOf(entry);
  return kind === undefined ? [] : [{ seq: entry.seq, kind }];
}

function markOf(entry: Entry): Mark['kind'] | undefined {
  if (entry.kind === 'note') {
    const { kind } = readNote(entry);
    return kind === 'turn-ended' || kind === 'parked' ? kind : undefined;
  }
  const state = stateOf(entry);
  if (state === undefined) return undefined;
  if (state === 'TASK_STATE_INPUT_REQUIRED') return 'input-required';
  if (state === 'TASK_STATE_AUTH_REQUIRED') return 'auth-required';
  return isTerminal(state) ? 'terminal' : undefined;
}

/** All listeners of one task in this process. */
interface Channel {
  readonly ref: TaskRef;
  readonly listeners: Set<Listener>;
  /** How many of the listeners are streams. */
  streams: number;
  /** The position of the task when the store was last asked on behalf of all listeners. */
  seen: number | undefined;
}

/** Above every seq, for a task that was deleted: each listener then reads the store and finds that it is gone. */
export const GONE = Number.MAX_SAFE_INTEGER;

const UNLIMITED = { total: Number.POSITIVE_INFINITY, perCaller: Number.POSITIVE_INFINITY };

export class Hub {
  readonly #channels = new Map<string, Channel>();
  /** The open streams, and the calls that are about to open one. */
  readonly streams: ShareCounter;
  #isClosed = false;

  constructor(streams = new ShareCounter(UNLIMITED)) {
    this.streams = streams;
  }

  /** Call this before reading the log, so that no event is missed in between. */
  listen(ref: TaskRef, listener: Listener): void {
    const key = refKey(ref);
    let channel = this.#channels.get(key);
    if (channel === undefined) {
      channel = { ref, listeners: new Set(), streams: 0, seen: undefined };
      this.#channels.set(key, channel);
    }
    channel.listeners.add(listener);
    if (listener.opener !== undefined) {
      channel.streams += 1;
      this.streams.add(listener.opener);
    }
    if (this.#isClosed) queueMicrotask(() => listener.shutdown());
  }

  /** No-op if the listener has already left. Recomputes the key, because a closure that keeps it would cost memory for each reader. */
  leave(ref: TaskRef, listener: Listener): void {
    const key = refKey(ref);
    const channel = this.#channels.get(key);
    if (channel?.listeners.delete(listener) !== true) return;
    if (listener.opener !== undefined) {
      channel.streams -= 1;
      this.streams.remove(listener.opener);
    }
    if (channel.listeners.size === 0) this.#channels.delete(key);
  }

  /** Takes the key of the task, which its writer computes once: a stream calls this for every chunk. */
  tell(key: string, entries: readonly Entry[]): void {
    const channel = this.#channels.get(key);
    if (channel === undefined) return;
    const batch = toBatch(entries);
    for (const listener of channel.listeners) listener.told(batch);
  }

  moved(ref: TaskRef, seq: number): void {
    for (const listener of this.#listenersOf(ref)) listener.moved(seq);
  }

  lost(ref: TaskRef, error: A2AError): void {
    for (const listener of [...this.#listenersOf(ref)]) listener.lost(error);
  }

  shutdown(): void {
    for (const { listeners } of [...this.#channels.values()]) for (const listener of [...listeners]) listener.shutdown();
  }

  /** No more events arrive: ends all listeners, and every later one too. */
  close(): void {
    this.#isClosed = true;
    this.shutdown();
  }

  /** The tasks that have listeners in this process. */
  *watched(): Generator<TaskRef, void, undefined> {
    for (const { ref } of this.#channels.values()) yield ref;
  }

  isWatched(ref: TaskRef): boolean {
    return this.#channels.has(refKey(ref));
  }

  /** The position of the task in the store; undefined when the store does not have the task. Notifies the listeners if it changed. */
  found(ref: TaskRef, seq: number = GONE): void {
    const channel = this.#channels.get(refKey(ref));
    if (channel === undefined || channel.seen === seq) return;
    channel.seen = seq;
    this.moved(ref, seq);
  }

  #listenersOf(ref: TaskRef): Iterable<Listener> {
    return this.#channels.get(refKey(ref))?.listeners ?? [];
  }

  /** Number of open streams on this task. */
  countStreams(ref: TaskRef): number {
    return this.#channels.get(refKey(ref))?.streams ?? 0;
  }
}
