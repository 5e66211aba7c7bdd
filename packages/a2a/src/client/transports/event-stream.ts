/** A stream of server-sent events: one iterator from bytes to events, without layers in between. */
import { A2ATransportError, isTransportError } from '../../protocol/errors.js';
import { isTerminal } from '../../protocol/task-state.js';
import type { StreamResponse } from '../../protocol/types.js';
import { type SseEvent, SseParser } from '../../wire/sse-parser.js';
import type { EventStream, StreamedEvent } from '../call.js';
import type { HttpResponse } from './exchange.js';
import { toExchangeError } from './network-failure.js';
import { type ReceivedResponse, snippetOf } from './read-response.js';

/** Reads the data of an event in one binding. Throws the peer's error if the event contains one. */
export type ReadFrame = (event: SseEvent) => StreamResponse;

type Step = IteratorResult<StreamedEvent, undefined>;

const OVER: Step = { done: true, value: undefined };

export class SseEventStream implements EventStream, AsyncIterator<StreamedEvent, undefined> {
  readonly #answer: ReceivedResponse;
  readonly #response: HttpResponse;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #parser: SseParser;
  readonly #readFrame: ReadFrame;
  readonly #isOver: () => boolean;
  #first = true;
  /** The task of the stream: the first one that an event names. */
  #taskId: string | undefined;
  #closed = false;
  #skipped: { readonly count: number; readonly first: string } | undefined;

  /** `isOver`: the event that was read last says that it is the last one. */
  constructor(answer: ReceivedResponse, readFrame: ReadFrame, isOver = () => false) {
    this.#answer = answer;
    this.#response = answer.response;
    this.#chunks = answer.response.chunks()[Symbol.asyncIterator]();
    this.#parser = new SseParser(answer.tools.maxResponseBytes);
    this.#readFrame = readFrame;
    this.#isOver = isOver;
  }

  get retryMs(): number | undefined {
    return this.#parser.retryMs;
  }

  get skipped(): EventStream['skipped'] {
    return this.#skipped;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<Step> {
    try {
      while (!this.#closed) {
        const event = this.#parser.next();
        const streamed = event === undefined ? undefined : this.#read(event);
        if (streamed !== undefined) return { done: false, value: streamed };
        if (event === undefined) await this.#readMore();
      }
      return OVER;
    } catch (thrown) {
      // The caller closed the stream, so errors of the body are irrelevant.
      if (this.#closed) return OVER;
      this.close();
      throw toExchangeError(thrown, { signal: this.#answer.call.signal, answered: true });
    }
  }

  async return(): Promise<Step> {
    this.close();
    return OVER;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    // Not through the iterator: while it waits for bytes, its `return` would wait too.
    this.#response.discard();
  }

  async #readMore(): Promise<void> {
    const { done, value } = await this.#chunks.next();
    if (!done) {
      this.#parser.push(value);
      return;
    }
    if (this.#parser.isTruncated() && !this.#closed) {
      throw new A2ATransportError('network', 'The stream broke in the middle of an event', { sent: true });
    }
    this.#closed = true;
  }

  /** Returns undefined if the event was skipped. */
  #read(event: SseEvent): StreamedEvent | undefined {
    const response = this.#readOrSkip(event);
    if (response === undefined) return undefined;
    // The peer may keep the connection open after the last event: do not wait for more.
    if (this.#isLast(response) || this.#isOver()) this.close();
    this.#first = false;
    return { seq: this.#seqOf(event), response };
  }

  /**
   * True if the task of the stream has ended, or if a message is the whole reply. Such a message is the first event and belongs to no task.
   */
  #isLast({ task, statusUpdate, artifactUpdate, message }: StreamResponse): boolean {
    const taskId = task?.id ?? statusUpdate?.taskId ?? artifactUpdate?.taskId;
    this.#taskId ??= taskId;
    const status = statusUpdate?.status ?? task?.status;
    if (status !== undefined) return taskId === this.#taskId && isTerminal(status.state);
    return this.#first && message !== undefined && message.taskId === undefined;
  }

  /**
   * An unreadable event means that data was lost on the way, so our copy of the task may differ from the peer's. By default this is an
   * error, and the reader reconnects to recover the events. Skipping is only for passive viewers.
   */
  #readOrSkip(event: SseEvent): StreamResponse | undefined {
    try {
      return this.#readFrame(event);
    } catch (error) {
      const isBadFrame = isTransportError(error) && error.kind === 'serialization';
      if (!isBadFrame || this.#answer.tools.skipBadFrames !== true) throw error;
      const { count, first } = this.#skipped ?? { count: 0, first: snippetOf(error.message) };
      this.#skipped = { count: count + 1, first };
      return undefined;
    }
  }

  /** Only peers with the log extension number the events of a task. The ids of other peers may have any meaning. */
  #seqOf({ id }: SseEvent): number | undefined {
    if (id === undefined || !this.#answer.call.peer.log.lastEventId || !/^\d{1,15}$/.test(id)) return undefined;
    return Number(id);
  }
}

/** A stream with one event, for peers that respond without a stream. */
export class SingleEventStream implements EventStream, AsyncIterator<StreamedEvent, undefined> {
  readonly retryMs = undefined;
  #event: StreamedEvent | undefined;

  constructor(response: StreamResponse) {
    this.#event = { seq: undefined, response };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<Step> {
    const value = this.#event;
    this.#event = undefined;
    return value === undefined ? OVER : { done: false, value };
  }

  async return(): Promise<Step> {
    this.close();
    return OVER;
  }

  close(): void {
    this.#event = undefined;
  }
}
