/** The output of a stream on Node: all text of one event-loop iteration is sent in one socket write, long text in slices. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isHeartbeat } from '../../bindings/event-stream.js';
import type { HeldBytes, WireOutput, WireReading } from '../../wire/http.js';
import { SLICE_BYTES, sliceEnd } from '../../wire/slice-end.js';
import type { WriteDeadline } from './write-deadline.js';

// A reader that is this far behind is paused; the events that it misses wait in the log, not in memory.
const MAX_PENDING_CHARS = 64 * 1024;

/**
 * Flushes all streams with pending text once per event-loop iteration. Shared by all streams of a server, so that an iteration costs one
 * callback.
 */
export class Flusher {
  #dirty: StreamWriter[] = [];

  add(writer: StreamWriter): void {
    this.#dirty.push(writer);
    if (this.#dirty.length === 1) setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    const dirty = this.#dirty;
    this.#dirty = [];
    for (const writer of dirty) writer.flush();
  };
}

/** The parts that all streams of a server share. */
export interface StreamOutput {
  readonly flusher: Flusher;
  readonly deadline: WriteDeadline;
}

export class StreamWriter implements WireOutput {
  readonly #response: ServerResponse;
  readonly #output: StreamOutput;
  readonly #held: HeldBytes | undefined;
  #reading: WireReading | undefined;
  #pending = '';
  #ended = false;
  /** The first event was written. Until then the bytes that were reserved for it stay counted. */
  #begun = false;
  /** In the flusher's list. */
  #waiting = false;
  /** The socket's buffer is full: wait for `drain`. */
  #blocked = false;
  /** The reader was asked to pause. */
  #paused = false;

  constructor(response: ServerResponse, output: StreamOutput, held: HeldBytes | undefined) {
    this.#response = response;
    this.#output = output;
    this.#held = held;
  }

  attach(reading: WireReading): void {
    this.#reading = reading;
  }

  write(text: string): boolean {
    this.#pending += text;
    if (!this.#begun) this.#begun = !isHeartbeat(text);
    this.#schedule();
    if (this.#blocked || this.#pending.length >= MAX_PENDING_CHARS) {
      this.#paused = true;
      this.#count();
    }
    return !this.#paused;
  }

  end(): void {
    this.#ended = true;
    this.#begun = true; // no event follows
    this.#schedule();
  }

  flush(): void {
    this.#waiting = false;
    const { socket, destroyed } = this.#response;
    if (destroyed || socket === null) return;
    const text = this.#take();
    const isLast = this.#ended && this.#pending === '';
    if (isLast) this.#response.end(text);
    else if (text !== '') this.#blocked = this.#isFullAfter(socket, text);
    if (socket.writableLength > 0) this.#output.deadline.watch(socket);
    if (this.#blocked || this.#held?.bytes) this.#count();
    if (isLast) return;
    if (this.#pending !== '') this.#schedule();
    this.#resume();
  }

  /** The pending text, or its first slice: a whole Task may be many megabytes. */
  #take(): string {
    const text = this.#pending;
    if (text.length <= SLICE_BYTES) {
      this.#pending = '';
      return text;
    }
    const end = sliceEnd(text, 0, SLICE_BYTES);
    this.#pending = text.slice(end);
    return text.slice(0, end);
  }

  /**
   * Writes the text. Some serverless hosts have a socket whose `write` returns nothing and which never emits `drain`.
   * A chunk is four writes to the socket. Without cork, Node would gather them until the end of the tick, with a callback for each stream.
   */
  #isFullAfter(socket: Socket, text: string): boolean {
    socket.cork();
    const goesOn = this.#response.write(text);
    socket.uncork();
    return goesOn === false;
  }

  drained(): void {
    this.#blocked = false;
    if (this.#held?.bytes) this.#count();
    if (this.#pending !== '' || this.#ended) this.#schedule();
    else this.#resume();
  }

  closed(): void {
    this.#pending = '';
    this.#held?.set(0);
    this.#reading?.close();
  }

  #count(): void {
    if (!this.#begun) return;
    this.#held?.set(this.#pending.length + (this.#response.socket?.writableLength ?? 0));
  }

  #schedule(): void {
    if (this.#waiting || this.#blocked) return;
    this.#waiting = true;
    this.#output.flusher.add(this);
  }

  #resume(): void {
    if (!this.#paused || this.#blocked || this.#pending !== '') return;
    this.#paused = false;
    this.#reading?.resume();
  }
}
