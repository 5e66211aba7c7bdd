/**
 * The reader: events after seq n, then follow. It holds only a cursor. A slow reader is skipped and catches up from the store, so it never
 * slows the writer or other readers.
 */
import { A2AError, toA2AError } from '../../protocol/errors.js';
import { taskJson } from '../../protocol/task-text.js';
import type { Task } from '../../protocol/types.js';
import type { TaskRef } from '../../stores/store.js';
import type { Frame, ReadEnd, Reading, Sink } from '../call.js';
import type { Share } from '../limits/share-counter.js';
import { type Batch, type Listener, type Mark, toBatch } from './hub.js';
import { type InputAt, type TaskAt, taskAtInput } from './task-at-input.js';
import type { TaskLog } from './task-log.js';
import type { TaskWriter } from './writer.js';

/** `final`: read to the end of the task. Otherwise to the point where the turn that took `inputSeq` stops for this kind of caller (D3). */
export type ReadUntil = 'final' | { readonly inputSeq: number; readonly unary: boolean };

export interface ReadRequest {
  readonly ref: TaskRef;
  /** The seq that the reader already has; undefined begins with a Task. */
  readonly after?: number | undefined;
  /** Begin with the Task as of this message instead of the current Task. */
  readonly from?: Omit<InputAt, 'ref' | 'historyLength'> | undefined;
  readonly until: ReadUntil;
  readonly historyLength?: number | undefined;
  /** The share that the stream counts against. Undefined for a unary caller that waits: it only checks where the log stops. */
  readonly opener?: Share | undefined;
  /** The writer of the task, if known: it may have failed before the reader listened. */
  readonly writer?: TaskWriter | undefined;
}

/**
 * Maximum that a reader is given at once. Together with the buffer of its host, a slow reader holds less than 256 KiB (D21), unless a
 * single event is larger.
 */
const SLICE_BYTES = 128 * 1024;

/** Starts reading. The sink is called at the earliest after this returns. */
export function subscribe(log: TaskLog, request: ReadRequest, sink: Sink): Reading {
  const subscription = new Subscription(log, request, sink);
  void subscription.begin();
  return subscription;
}

function endsAt(until: ReadUntil, mark: Mark): boolean {
  if (mark.kind === 'terminal') return true;
  if (until === 'final' || mark.seq <= until.inputSeq) return false;
  switch (mark.kind) {
    case 'input-required':
    case 'turn-ended':
    case 'parked':
      return true;
    case 'auth-required':
      return until.unary; // a stream continues: the authorization may arrive out of band
    default:
      return false;
  }
}

class Subscription implements Reading, Listener {
  readonly opener: Share | undefined;
  readonly #log: TaskLog;
  readonly #request: Omit<ReadRequest, 'from'>;
  readonly #sink: Sink;
  /** Cleared after use: it may hold a whole Task, and a stream may stay open for hours. */
  #from: ReadRequest['from'];
  #cursor = 0;
  /** The newest seq that was announced. */
  #known = 0;
  /** The reader was at the end of the log. From then on every new entry is announced, at the latest by the periodic re-read. */
  #hasCaughtUp = false;
  #full = false;
  #reading = true;
  #closed = false;
  #failure: A2AError | undefined;

  constructor(log: TaskLog, { from, ...request }: ReadRequest, sink: Sink) {
    this.#log = log;
    this.#request = request;
    this.#from = from;
    this.#sink = sink;
    this.opener = request.opener;
    log.hub.listen(request.ref, this);
    this.#failure = request.writer?.failure;
  }

  async begin(): Promise<void> {
    try {
      await this.#sendFirst();
      await this.#catchUp();
    } catch (cause) {
      this.#fail(cause);
    }
  }

  async #sendFirst(): Promise<void> {
    const { after } = this.#request;
    const from = this.#from;
    this.#from = undefined;
    if (after !== undefined) await this.#goOn(after);
    else if (from !== undefined) await this.#sendTaskAt(from);
    else await this.#sendSnapshot();
  }

  /** No stop is possible before this point: the message has just been taken. */
  async #sendTaskAt(input: Omit<InputAt, 'ref' | 'historyLength'>): Promise<void> {
    const at = await taskAtInput(this.#log, { ...input, ref: this.#request.ref, historyLength: this.#request.historyLength });
    if (this.#closed) return;
    if (at === undefined) return this.#sendSnapshot();
    this.#cursor = at.seq;
    this.#send([this.#toFrame(at)]);
  }

  #toFrame({ seq, text }: TaskAt): Frame {
    return { seq, json: `{"task":${taskJson(text, { historyLength: this.#request.historyLength })}}` };
  }

  /** Sends the current Task, and ends the read if the turn stopped for this reader before the snapshot. */
  async #sendSnapshot(): Promise<void> {
    const { ref, historyLength } = this.#request;
    const current = await this.#log.current(ref, historyLength);
    if (this.#closed) return;
    if (current === undefined) throw new A2AError('TASK_NOT_FOUND', `no task ${ref.id}`);
    const stopped = await this.#stoppedBefore(current.seq);
    this.#cursor = current.seq;
    this.#send([this.#toFrame(current)]);
    if (stopped) this.#finish({ kind: 'done' });
  }

  /** Continues after the seq that the reader has; ends the read if nothing follows. */
  async #goOn(after: number): Promise<void> {
    this.#cursor = after;
    if (await this.#stoppedBefore(after)) this.#finish({ kind: 'done' });
  }

  async #stoppedBefore(seq: number): Promise<boolean> {
    const { ref, until } = this.#request;
    let from = until === 'final' ? seq - 1 : until.inputSeq;
    while (from < seq) {
      const entries = await this.#log.store.readAfter(ref, from, SLICE_BYTES);
      if (entries === 'compacted') return true; // only final tasks are compacted
      if (entries === 'missing') return false; // the next read reports it
      const batch = toBatch(entries.filter((entry) => entry.seq <= seq));
      if (batch.marks.some((mark) => endsAt(until, mark))) return true;
      from = entries.at(-1)?.seq ?? seq;
    }
    return false;
  }

  told(batch: Batch): void {
    const last = batch.entries.at(-1);
    if (last === undefined) return;
    this.#known = Math.max(this.#known, last.seq);
    if (this.#reading || this.#full) return;
    const isSlice = batch.chars <= SLICE_BYTES || batch.entries.length === 1;
    if (isSlice && batch.entries[0]?.seq === this.#cursor + 1) this.#push(batch);
    else if (last.seq > this.#cursor) void this.#catchUp();
  }

  moved(seq: number): void {
    this.#known = Math.max(this.#known, seq);
    if (!this.#reading && !this.#full && seq > this.#cursor) void this.#catchUp();
  }

  /** Read the log to its end first: it tells the client where to resume. */
  lost(error: A2AError): void {
    this.#failure = error;
    if (!this.#reading && !this.#full) this.#fail(error);
  }

  shutdown(): void {
    this.#finish({ kind: 'shutdown' });
  }

  resume(): void {
    if (!this.#full) return;
    this.#full = false;
    if (!this.#reading) void this.#catchUp();
  }

  close(): void {
    this.#closed = true;
    this.#log.hub.leave(this.#request.ref, this);
  }

  /** Reads the store in slices until the end of the log. Entries announced meanwhile are in the store too. */
  async #catchUp(): Promise<void> {
    this.#reading = true;
    try {
      while (!this.#closed && !this.#full) {
        const entries = await this.#log.store.readAfter(this.#request.ref, this.#cursor, SLICE_BYTES);
        if (this.#closed) return;
        if (typeof entries === 'string') return await this.#sendInstead(entries);
        if (entries.length > 0) {
          this.#push(toBatch(entries));
          // Later entries will be announced. A failed writer announces nothing: then read everything that is there.
          if (this.#hasCaughtUp && this.#known <= this.#cursor && this.#failure === undefined) break;
        } else if (this.#known > this.#cursor) {
          // Announced during the read, or not in the store yet; in the second case the next announcement triggers another read.
          this.#known = this.#cursor;
          this.#hasCaughtUp = false;
        } else {
          this.#hasCaughtUp = true;
          break;
        }
      }
      if (this.#failure && !this.#full) throw this.#failure;
    } catch (cause) {
      this.#fail(cause);
    } finally {
      this.#reading = false;
    }
  }

  async #sendInstead(why: 'compacted' | 'missing'): Promise<void> {
    if (why === 'missing') throw new A2AError('TASK_NOT_FOUND', `no task ${this.#request.ref.id}`);
    await this.#sendSnapshot();
    this.#finish({ kind: 'done' }); // only final tasks are compacted
  }

  #push(batch: Batch): void {
    const end = batch.plain ? undefined : batch.marks.find((mark) => endsAt(this.#request.until, mark))?.seq;
    const frames = end === undefined ? batch.sendable : batch.sendable.filter((entry) => entry.seq <= end);
    this.#cursor = batch.entries.at(-1)?.seq ?? this.#cursor;
    this.#send(this.#trims(batch) ? frames.map((frame) => this.#trim(frame)) : frames);
    if (end !== undefined) this.#finish({ kind: 'done' });
  }

  /** Only a Task has a history; all other batches stay the array that all readers share. */
  #trims(batch: Batch): boolean {
    return this.#request.historyLength !== undefined && !batch.plain && batch.sendable.some(({ kind }) => kind === 'task');
  }

  #trim(frame: Frame & { readonly kind?: string }): Frame {
    if (frame.kind !== 'task') return frame;
    const { task }: { task: Task } = JSON.parse(frame.json);
    const { history = [], ...rest } = task;
    const kept = this.#request.historyLength ? history.slice(-this.#request.historyLength) : [];
    return { ...frame, json: JSON.stringify({ task: kept.length > 0 ? { ...rest, history: kept } : rest }) };
  }

  #send(frames: readonly Frame[]): void {
    if (this.#closed || frames.length === 0) return;
    try {
      if (!this.#sink.send(frames)) this.#full = true;
    } catch {
      this.close(); // A failing reader is closed; the writer that may be calling continues.
    }
  }

  #fail(cause: unknown): void {
    this.#finish({ kind: 'error', error: toA2AError(cause) });
  }

  #finish(why: ReadEnd): void {
    if (this.#closed) return;
    this.close();
    try {
      this.#sink.end(why);
    } catch {
      // A failing reader is ignored, as in `#send`.
    }
  }
}
