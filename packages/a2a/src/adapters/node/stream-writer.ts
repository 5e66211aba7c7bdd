/** The output of a stream on Node: all text of one event-loop iteration is sent in one socket write. */
import type { ServerResponse } from 'node:http';
import type { WireOutput, WireReading } from '../../wire/http.js';

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

export class StreamWriter implements WireOutput {
  readonly #response: ServerResponse;
  readonly #flusher: Flusher;
  #reading: WireReading | undefined;
  #pending = '';
  #ended = false;
  /** In the flusher's list. */
  #waiting = false;
  /** The socket's buffer is full: wait for `drain`. */
  #blocked = false;
  /** The reader was asked to pause. */
  #paused = false;

  constructor(response: ServerResponse, flusher: Flusher) {
    this.#response = response;
    this.#flusher = flusher;
  }

  attach(reading: WireReading): void {
    this.#reading = reading;
  }

  write(text: string): boolean {
    this.#pending += text;
    this.#schedule();
    if (this.#blocked || this.#pending.length >= MAX_PENDING_CHARS) this.#paused = true;
    return !this.#paused;
  }

  end(): void {
    this.#ended = true;
    this.#schedule();
  }

  flush(): void {
    this.#waiting = false;
    if (this.#response.destroyed) return;
    const text = this.#pending;
    this.#pending = '';
    if (this.#ended) {
      this.#response.end(text);
      return;
    }
    if (text !== '') this.#blocked = !this.#writeOut(text);
    this.#resume();
  }

  /**
   * A chunk is four writes to the socket. Without cork, Node would gather them until the end of the tick, with a callback for each stream.
   */
  #writeOut(text: string): boolean {
    const { socket } = this.#response;
    socket?.cork();
    const goesOn = this.#response.write(text);
    socket?.uncork();
    return goesOn;
  }

  drained(): void {
    this.#blocked = false;
    if (this.#pending !== '' || this.#ended) this.#schedule();
    else this.#resume();
  }

  #schedule(): void {
    if (this.#waiting || this.#blocked) return;
    this.#waiting = true;
    this.#flusher.add(this);
  }

  #resume(): void {
    if (!this.#paused || this.#blocked) return;
    this.#paused = false;
    this.#reading?.resume();
  }
}
