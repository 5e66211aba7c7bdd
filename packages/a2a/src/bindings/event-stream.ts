/** Converts frames of the log to SSE text. Passes back-pressure to the reader and closes it when the client disconnects. */
import type { Clock } from '../protocol/clock.js';
import type { A2AError } from '../protocol/errors.js';
import type { Agent } from '../server/agent.js';
import type { Frame, ReadEnd, Reading, Reply, Sink } from '../server/call.js';
import type { WireOutput, WireReading, WireStream } from '../wire/http.js';
import { errorFrame, type FrameWrap, frameEnd, HEARTBEAT, retryFrame } from '../wire/sse.js';
import { toFailure } from './failure.js';

/** Headers that prevent proxies from buffering events. */
export const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
} as const;

/** How a binding formats its streams. Kept while the stream is open, so it should reference nothing else of the request. */
export interface StreamFormat {
  readonly wrap: FrameWrap;
  /** Returns the complete error body of the binding. */
  encodeError(error: A2AError): string;
  /** For tests: throws when the text of an event is not valid. */
  check(json: string): void;
}

/** For hosts: a heartbeat may precede the first event by far, and ends no reservation that was made for that event. */
export const isHeartbeat = (text: string): boolean => text === HEARTBEAT;

type StreamReply = Extract<Reply, { readonly kind: 'stream' }>;

export type EventStreams = (reply: StreamReply, format: StreamFormat) => WireStream;

/** One per server: its streams share a heartbeat and the serialized text of shared frames. */
export function createEventStreams(agent: Agent): EventStreams {
  const heartbeat = createHeartbeat(agent.settings.clock, agent.settings.heartbeatMs);
  const textOf = createFrameText();
  const shared: SharedParts = { agent, heartbeat, textOf };
  return (reply, format) => ({ open: (output) => OpenStream.start(reply, shared, { output, format }) });
}

/** The parts that all streams of a server share. */
interface SharedParts {
  readonly agent: Agent;
  readonly heartbeat: Heartbeat;
  readonly textOf: (frames: readonly Frame[], format: StreamFormat) => string;
}

interface OwnParts {
  readonly output: WireOutput;
  readonly format: StreamFormat;
}

/**
 * One reader's stream: a Sink for the runtime, a WireReading for the host. Thousands may be open and idle, so it keeps few objects and
 * creates no closures.
 */
class OpenStream implements Sink, WireReading, Member {
  readonly #shared: SharedParts;
  readonly #output: WireOutput;
  readonly #format: StreamFormat;
  #reading: Reading | undefined;
  #open = true;
  #full = false;
  #silent = true;

  constructor(shared: SharedParts, { output, format }: OwnParts) {
    this.#shared = shared;
    this.#output = output;
    this.#format = format;
  }

  static start(reply: StreamReply, shared: SharedParts, own: OwnParts): OpenStream {
    const stream = new OpenStream(shared, own);
    shared.heartbeat.join(stream);
    stream.#begin(reply);
    // Send something even without an event, or the headers stay in the host's buffer.
    shared.agent.settings.clock.soon(() => {
      if (stream.#open && stream.#silent) own.output.write(HEARTBEAT);
    });
    return stream;
  }

  beat(): void {
    if (!this.#full) this.#output.write(HEARTBEAT);
  }

  send(frames: readonly Frame[]): boolean {
    if (!this.#open) return false;
    if (frames.length === 0) return !this.#full;
    this.#silent = false;
    this.#full = !this.#output.write(this.#shared.textOf(frames, this.#format));
    return !this.#full;
  }

  end(why: ReadEnd): void {
    if (!this.#open) return;
    this.#finish();
    const words = endFrame(why, this.#format);
    if (words !== '') this.#output.write(words);
    this.#output.end();
  }

  resume(): void {
    if (!this.#open || !this.#full) return;
    this.#full = false;
    this.#reading?.resume();
  }

  close(): void {
    if (!this.#open) return;
    this.#finish();
    this.#reading?.close();
  }

  #begin(reply: StreamReply): void {
    try {
      this.#reading = reply.open(this);
    } catch (thrown) {
      this.end({ kind: 'error', error: toFailure(this.#shared.agent, thrown, {}) });
    }
  }

  #finish(): void {
    this.#open = false;
    this.#shared.heartbeat.leave(this);
  }
}

function endFrame(why: ReadEnd, format: StreamFormat): string {
  switch (why.kind) {
    case 'done':
      return '';
    case 'shutdown':
      return retryFrame(500);
    case 'error':
      return errorFrame(format.encodeError(why.error));
  }
}

/** All readers of a task get the same batch in a row: the text built for one is reused for the next, with only another envelope. */
function createFrameText(): SharedParts['textOf'] {
  let last: { readonly frames: readonly Frame[]; readonly tail: string; readonly ends: readonly string[] } | undefined;
  return (frames, { wrap, check }) => {
    if (last?.frames !== frames || last.tail !== wrap.tail) {
      for (const { json } of frames) check(json);
      last = { frames, tail: wrap.tail, ends: frames.map((frame) => frameEnd(frame, wrap)) };
    }
    return wrap.head + last.ends.join(wrap.head);
  };
}

/**
 * Receives every heartbeat. An object instead of a function: an open stream is already an object, and a closure would cost memory for each.
 */
interface Member {
  beat(): void;
}

/** One timer for all open streams of a server: an idle stream costs only its place in a set. */
interface Heartbeat {
  join(member: Member): void;
  /** No-op if the member has already left. */
  leave(member: Member): void;
}

/** Heartbeats per event-loop iteration, so that thousands of streams do not delay a request. */
const SLICE = 500;
/** The connection of a stream keeps the process alive, not its heartbeat. */
const BACKGROUND = { background: true };

/**
 * Heartbeats go to all streams at once, including those that have just sent events. So no stream is silent for longer than `intervalMs`,
 * without a timer per stream. The timer stops when the last stream has left.
 */
function createHeartbeat(clock: Clock, intervalMs: number): Heartbeat {
  const members = new Set<Member>();
  let stop: (() => void) | undefined;

  const beatSome = (waiting: readonly Member[]): void => {
    for (const member of waiting.slice(0, SLICE)) if (members.has(member)) member.beat();
    if (waiting.length > SLICE) clock.soon(() => beatSome(waiting.slice(SLICE)));
  };
  const tick = (): void => {
    stop = clock.after(intervalMs, tick, BACKGROUND);
    beatSome([...members]);
  };
  return {
    join(member) {
      members.add(member);
      stop ??= clock.after(intervalMs, tick, BACKGROUND);
    },
    leave(member) {
      members.delete(member);
      if (members.size > 0) return;
      stop?.();
      stop = undefined;
    },
  };
}
