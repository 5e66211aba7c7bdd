/**
 * What waits in a writer: entries for their commit, publishes for room among these entries, flushes for a commit, and unary callers for an
 * event.
 */

import { ignorable } from '../../platform/ignorable.js';
import type { TaskEvent } from '../../protocol/apply-event.js';
import type { A2AError } from '../../protocol/errors.js';
import type { Entry, TaskWrite } from '../../stores/store.js';
import { type Publication, stopsTurn } from './entries.js';
import type { Queued } from './log-head.js';

/** The event that a unary caller waits for: the Task exists, or the turn stops. */
export type Awaits = 'task' | 'stop';

/** The unary callers that wait for an event of the task. */
export class AwaitedEvents {
  readonly #callers: Record<Awaits, number> = { task: 0, stop: 0 };

  /** Call the returned function once when the caller no longer waits. */
  enter(awaits: Awaits): () => void {
    this.#callers[awaits] += 1;
    return () => {
      this.#callers[awaits] -= 1;
    };
  }

  includes(publication: Publication): boolean {
    if (this.#callers.task > 0) return publication.kind === 'task';
    return this.#callers.stop > 0 && stopsTurn(publication);
  }
}

type TakenRow = NonNullable<TaskWrite['take']>[number];

export interface Detached extends Pick<TaskWrite, 'entries' | 'take'> {
  readonly events: readonly TaskEvent[];
}

interface PendingLimits {
  readonly maxPendingEvents: number;
  readonly maxPendingBytes: number;
}

/** Accepted entries that are in no commit yet. */
export class PendingEntries {
  readonly #limits: PendingLimits;
  #entries: Entry[] = [];
  #events: TaskEvent[] = [];
  #take: TakenRow[] | undefined;
  #chars = 0;

  constructor(limits: PendingLimits) {
    this.#limits = limits;
  }

  /** Whether one of them takes a row of the inbox. */
  get takes(): boolean {
    return this.#take !== undefined;
  }

  get hasRoom(): boolean {
    return this.#entries.length < this.#limits.maxPendingEvents && this.#chars < this.#limits.maxPendingBytes;
  }

  /** The events that they apply to the task. */
  get events(): readonly TaskEvent[] {
    return this.#events;
  }

  add({ entry, event, take }: Queued): void {
    this.#entries.push(entry);
    this.#chars += entry.json.length;
    if (event !== undefined) this.#events.push(event);
    if (take !== undefined) this.#take = [...(this.#take ?? []), { n: take, seq: entry.seq }];
  }

  /** Removes and returns all. */
  takeAll(): Detached {
    const detached = { entries: this.#entries, events: this.#events, take: this.#take };
    this.#entries = [];
    this.#events = [];
    this.#take = undefined;
    this.#chars = 0;
    return detached;
  }
}

/** A publish that waits while too many entries are pending. */
interface WaitingPublish {
  enter(): void;
  refuse(error: A2AError): void;
}

export class WaitingPublishes {
  #waiting: WaitingPublish[] = [];
  #last: Promise<void> = DONE;

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Queues the publish and performs it when there is room. */
  wait(enter: () => Promise<void>): Promise<void> {
    const promise = new Promise<void>((resolve, refuse) => {
      this.#waiting.push({ enter: () => resolve(enter()), refuse });
    });
    this.#last = promise;
    return ignorable(promise);
  }

  /** Performs queued publishes while there is room. */
  admit(pending: PendingEntries): void {
    while (this.#waiting.length > 0 && pending.hasRoom) this.#waiting.shift()?.enter();
  }

  /** Rejects all queued publishes. */
  refuse(error: A2AError): void {
    for (const publish of this.#waiting.splice(0)) publish.refuse(error);
  }

  /** Resolves when the last queued publish was performed. */
  last(): Promise<void> {
    return this.isEmpty ? DONE : this.#last;
  }
}

/** A caller that waits until this seq is committed. */
interface Flush {
  readonly seq: number;
  /** Rejected also if an event was refused meanwhile. */
  readonly isStrict: boolean;
  resolve(): void;
  reject(error: A2AError): void;
}

export class Flushes {
  /** Ordered by seq. */
  readonly #waiting: Flush[] = [];

  wait(seq: number, isStrict: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ seq, isStrict, resolve, reject });
    });
  }

  /** Settles those that wait for this seq or an earlier one. `fault`: the error of a refused event. */
  settle(committed: number, fault: A2AError | undefined): void {
    for (let next = this.#waiting[0]; next && next.seq <= committed; next = this.#waiting[0]) {
      this.#waiting.shift();
      if (next.isStrict && fault !== undefined) next.reject(fault);
      else next.resolve();
    }
  }

  reject(error: A2AError): void {
    for (const flush of this.#waiting.splice(0)) flush.reject(error);
  }
}

/** Shared, because most calls need not wait. */
export const DONE = Promise.resolve();
