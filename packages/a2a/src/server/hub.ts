/** Where the writers of this process tell its readers what was committed, and where moves from other nodes arrive. */
import type { A2AError } from '../protocol/errors.js';
import { isTerminal } from '../protocol/task-state.js';
import { type Entry, isSent, refKey, type TaskRef } from '../stores/store.js';
import { readNote, stateOf } from './entries.js';

/** One commit of one task. Made once, shared by every reader. */
export interface Batch {
  readonly entries: readonly Entry[];
  /** Those that streams carry. */
  readonly sendable: readonly Entry[];
  /** Only chunks: nothing here can end a read. */
  readonly plain: boolean;
  /** Where a read may end. */
  readonly marks: readonly Mark[];
  /** The length of its texts. */
  readonly chars: number;
}

export interface Mark {
  readonly seq: number;
  readonly kind: 'terminal' | 'input-required' | 'auth-required' | 'turn-ended' | 'parked';
}

export interface Listener {
  /** Somebody watches, rather than waits for an answer: those are counted. */
  readonly isStream: boolean;
  /** Committed here, contiguous, in order. */
  told(batch: Batch): void;
  /** The log or the inbox moved somewhere; `seq` is the newest known. */
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

/** All who follow one task here. */
interface Channel {
  readonly ref: TaskRef;
  readonly listeners: Set<Listener>;
  /** Where the task was when the store was last asked on behalf of all. */
  seen: number | undefined;
}

/** Above every seq: whoever hears of it looks, and finds that the task is gone. */
const GONE = Number.MAX_SAFE_INTEGER;

export class Hub {
  readonly #channels = new Map<string, Channel>();
  /** Streams by the owner of their tasks, who is the caller that opened them. */
  readonly #streamsOf = new Map<string, number>();
  #isClosed = false;

  /** Listen first, read second: nothing falls between. */
  listen(ref: TaskRef, listener: Listener): void {
    const key = refKey(ref);
    const channel = this.#channels.get(key);
    if (channel === undefined) this.#channels.set(key, { ref, listeners: new Set([listener]), seen: undefined });
    else channel.listeners.add(listener);
    if (listener.isStream) this.#count(ref.owner, 1);
    if (this.#isClosed) queueMicrotask(() => listener.shutdown());
  }

  /** Nothing happens to who has left already. The name is asked for again: a function that remembers it would be memory for each reader. */
  leave(ref: TaskRef, listener: Listener): void {
    const key = refKey(ref);
    const listeners = this.#channels.get(key)?.listeners;
    if (listeners?.delete(listener) !== true) return;
    if (listener.isStream) this.#count(ref.owner, -1);
    if (listeners.size === 0) this.#channels.delete(key);
  }

  #count(owner: string, change: 1 | -1): void {
    const count = this.countStreamsOf(owner) + change;
    if (count > 0) this.#streamsOf.set(owner, count);
    else this.#streamsOf.delete(owner);
  }

  /** By the key of the task, which its writer makes once: a stream tells of every chunk. */
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

  /** Nothing is heard here any more: who still comes is sent away as well. */
  close(): void {
    this.#isClosed = true;
    this.shutdown();
  }

  /** The tasks that somebody follows here. */
  *watched(): Generator<TaskRef, void, undefined> {
    for (const { ref } of this.#channels.values()) yield ref;
  }

  /** The store was asked where the task is; undefined when it is nowhere. Its followers look if that is news. */
  found(ref: TaskRef, seq: number = GONE): void {
    const channel = this.#channels.get(refKey(ref));
    if (channel === undefined || channel.seen === seq) return;
    channel.seen = seq;
    this.moved(ref, seq);
  }

  #listenersOf(ref: TaskRef): Iterable<Listener> {
    return this.#channels.get(refKey(ref))?.listeners ?? [];
  }

  /** How many streams this caller follows now, on all its tasks. */
  countStreamsOf(owner: string): number {
    return this.#streamsOf.get(owner) ?? 0;
  }

  /** How many streams follow this task now. */
  countStreams(ref: TaskRef): number {
    let count = 0;
    for (const { isStream } of this.#listenersOf(ref)) if (isStream) count += 1;
    return count;
  }
}
