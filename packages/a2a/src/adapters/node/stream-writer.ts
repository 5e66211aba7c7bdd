/** What a stream writes to on Node: the text of one turn of the event loop goes out in one socket write. */
import type { ServerResponse } from 'node:http';
import type { WireOutput, WireReading } from '../../wire/http.js';

// A reader that is this far behind is asked to pause; what it misses waits in the log, not here.
const MAX_PENDING_CHARS = 64 * 1024;

/** Writes out all streams that have something to say, once per turn. One for all streams of a server: a turn costs one callback. */
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
  /** The socket has asked to wait for `drain`. */
  #blocked = false;
  /** The stream was told to pause. */
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

  /** A chunk is four texts for the socket. Node would gather them until the end of this turn, with a callback for each stream. */
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
