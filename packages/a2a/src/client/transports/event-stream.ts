/** A stream of events over server-sent events: one iterator from the bytes to the events, without layers between. */
import { A2ATransportError, isTransportError } from '../../protocol/errors.js';
import { isTerminal } from '../../protocol/task-state.js';
import type { StreamResponse } from '../../protocol/types.js';
import { type SseEvent, SseParser } from '../../wire/sse-parser.js';
import type { EventStream, StreamedEvent } from '../call.js';
import type { HttpResponse } from './exchange.js';
import { toExchangeError } from './network-failure.js';
import { type Answer, snippetOf } from './read-response.js';

/** What the data of an event holds in a binding; throws the peer's error when that is what it holds. */
export type ReadFrame = (event: SseEvent) => StreamResponse;

type Step = IteratorResult<StreamedEvent, undefined>;

const OVER: Step = { done: true, value: undefined };

export class SseEventStream implements EventStream, AsyncIterator<StreamedEvent, undefined> {
  readonly #answer: Answer;
  readonly #response: HttpResponse;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #parser: SseParser;
  readonly #readFrame: ReadFrame;
  #first = true;
  /** The task of the stream: the first that it names. */
  #taskId: string | undefined;
  #closed = false;
  #skipped: { readonly count: number; readonly first: string } | undefined;

  constructor(answer: Answer, readFrame: ReadFrame) {
    this.#answer = answer;
    this.#response = answer.response;
    this.#chunks = answer.response.chunks()[Symbol.asyncIterator]();
    this.#parser = new SseParser(answer.tools.maxResponseBytes);
    this.#readFrame = readFrame;
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
      // Whoever closed it does not care how the body took that.
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
    // Not by the iterator: one that waits for bytes would answer only when they come.
    this.#response.discard();
  }

  async #readMore(): Promise<void> {
    const { done, value } = await this.#chunks.next();
    if (!done) {
      this.#parser.push(value);
      return;
    }
    if (this.#parser.isTruncated() && !this.#closed) {
      throw new A2ATransportError('network', 'The stream broke off in the middle of an event', { sent: true });
    }
    this.#closed = true;
  }

  /** undefined when it was passed over. */
  #read(event: SseEvent): StreamedEvent | undefined {
    const response = this.#readOrSkip(event);
    if (response === undefined) return undefined;
    // The peer may keep the connection open behind the last event: there is nothing more to wait for.
    if (this.#isLast(response)) this.close();
    this.#first = false;
    return { seq: this.#seqOf(event), response };
  }

  /** The task of the stream is over, or a message is the whole answer: such a message comes first and belongs to no task. */
  #isLast({ task, statusUpdate, artifactUpdate, message }: StreamResponse): boolean {
    const taskId = task?.id ?? statusUpdate?.taskId ?? artifactUpdate?.taskId;
    this.#taskId ??= taskId;
    const status = statusUpdate?.status ?? task?.status;
    if (status !== undefined) return taskId === this.#taskId && isTerminal(status.state);
    return this.#first && message !== undefined && message.taskId === undefined;
  }

  /**
   * An event that can not be read means that something between the peer and us is broken, and that the task as we know it is no longer the
   * peer's. So it is an error by default, and the reader comes back for what was lost; passing over it is for those who only look on.
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

  /** Only peers with our extension number the events of a task; the ids of others may count anything. */
  #seqOf({ id }: SseEvent): number | undefined {
    if (id === undefined || !this.#answer.call.peer.log.lastEventId || !/^\d{1,15}$/.test(id)) return undefined;
    return Number(id);
  }
}

/** A stream for peers that answer with the one thing they have to say. */
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
